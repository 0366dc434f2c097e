#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// What a simulated point of a sweep answers with: the numbers that the table of measures says, and what saturates
/// first and next. Times that only grow are left out.
PointAnswer point_answer(const Results& results, const SystemFacts& facts);

/// The points of a sweep before anything is computed.
struct PointsListing {
  std::string title{};
  std::string answer{};  ///< what each point answers
  std::vector<AxisColumn> columns{};
  std::uint64_t points = 0;
  std::size_t tried = 0;         ///< points that were computed to see how long they take
  bool at_least = false;         ///< some of them were given up, so that the time is a lower bound
  double seconds_a_point = 0.0;  ///< on one worker [s]
  unsigned workers = 1;
  std::function<std::vector<AxisCell>(std::uint64_t)> cells{};

  /// All points on all workers [s].
  double seconds() const { return static_cast<double>(points) * seconds_a_point / workers; }
};

/// The points and the time that they take. People see the first and last of many.
Answer points_listing_answer(const PointsListing& listing);

/// A sweep as one JSON document: {title, answer, methods (where they are not the simulation alone), seed, axes [{name,
/// head, pointer, unit}], counts {answered, imprecise, failed, missing}, points [{point, id, values {head: number or
/// text}, status, failure, reason, replications, metrics {name: {mean, low, high}}, words {name: word}}]}. A point a
/// line, so that tools for lines can read it too. What is absent or not finite is null; bytes that are no UTF-8 become
/// U+FFFD.
std::string sweep_json(const SweepTable& table);

/// provenance.json of a sweep: where its points come from, and the command that computes them again.
/// @param answer  what each point answers, as in plan.jsonl
std::string sweep_provenance_json(const Provenance& provenance, const std::string& title, const std::string& answer,
                                  const std::vector<AxisColumn>& axes, std::uint64_t points);

}  // namespace saturn
