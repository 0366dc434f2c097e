#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "scenarios/sweep/sweep_columns.hpp"

/// What a sweep asked and found: axes, points, and the numbers that each point answered with.

namespace saturn {

/// A number that a point answers with.
struct SweepMetric {
  std::string stem{};  ///< "event_time", "models.emtrk.latency_p99"
  std::string unit{};  ///< "s", "per_s"; empty: a bare number
  double mean = 0.0;
  std::optional<double> low{};  ///< of its interval; absent: exact
  std::optional<double> high{};

  /// With its interval; an exact one has that of no width.
  Estimate estimate() const { return {.mean = mean, .low = low.value_or(mean), .high = high.value_or(mean)}; }
  /// "event_time_s"
  std::string name() const { return unit.empty() ? stem : stem + "_" + unit; }
};

/// A word that a point answers with: name "binding", word "gke/t4".
struct SweepWord {
  std::string name{};
  std::string word{};
};

/// What is known of a point when it has been computed.
struct PointAnswer {
  std::vector<SweepMetric> metrics{};
  std::vector<SweepWord> words{};
  std::uint32_t replications = 0;
  bool precision_reached = true;
};

enum class PointStatus {
  missing,    ///< not computed yet
  answered,   ///< its numbers are there, as precise as asked
  imprecise,  ///< its numbers are there, less precise than asked
  failed,     ///< it gave no answer, and there is a reason
};

/// "missing", "answered", "imprecise", "failed"
const char* name_of(PointStatus status);

/// A point's answer, or why it has none.
struct PointResult {
  PointStatus status = PointStatus::missing;
  PointAnswer answer{};
  std::string failure{};  ///< its kind in a word or two: "out of time", "no plan"; empty where there is an answer
  std::string reason{};   ///< a sentence; says the same on every machine
};

/// One row of a sweep.
struct SweepRow {
  std::uint64_t number = 0;  ///< from 0, the last axis running fastest
  std::string id{};          ///< hash of what was asked at this point
  std::vector<AxisCell> cells{};
  PointResult result{};
};

/// A whole sweep, or as much of it as there is.
struct SweepTable {
  std::string title{};    ///< of the scenario
  std::string answer{};   ///< the verb that each point answers: "run", "plan"
  std::string methods{};  ///< by which it does: "bounds", "bounds,simulation"; empty: by simulation
  std::uint64_t seed = 0;
  std::vector<AxisColumn> axes{};
  std::vector<SweepRow> rows{};  ///< by number

  /// What the plain columns say comes from simulations, not from formulas alone.
  bool is_simulated() const { return methods.empty() || methods.ends_with("simulation"); }
  /// "saturn run", "saturn run by bounds"
  std::string asked_at_each_point() const { return "saturn " + answer + (methods.empty() ? "" : " by " + methods); }
};

}  // namespace saturn
