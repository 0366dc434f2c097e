#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/statistics/paired_comparison.hpp"
#include "reports/answer/answer.hpp"
#include "sim/plan/comparison/neighbours.hpp"

namespace saturn {

/// One change of a scenario, simulated with the random numbers of the original.
struct ExplainedChange {
  Neighbour neighbour;
  std::optional<PairedChange> effect;  ///< absent when the simulation gave no result
  std::string why_not;                 ///< why it is absent
};

/// What `run --explain` adds.
struct Explanation {
  std::vector<ExplainedChange> changes;
  std::vector<NoNeighbour> left_out;  ///< not simulated
};

/// The changes by falling gain in throughput; those without a result last, and equal ones in the order given.
void sort_by_gain(std::vector<ExplainedChange>& changes);

/// Adds the changes with the options that repeat each, at "explain", and what was left out, at "explain_left_out".
void add_explanation(Answer& answer, const Explanation& explanation, const std::vector<std::string>& root);

}  // namespace saturn
