#pragma once

#include <span>

#include "models/results/run_outcome.hpp"
#include "models/statistics/paired_comparison.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// What two scenarios come to beside each other.
struct TwoScenarios {
  std::vector<ComparedNumber> numbers;  ///< the first decides
  std::vector<std::string> left_out;    ///< in words, with the reason
  std::uint64_t pairs = 0;
  bool nothing_drawn = false;
  /// Some pool of jobs or some model of the one has a counterpart in the other. Without one the two do different work:
  /// no number says which is better, and none has a chance.
  bool in_common = true;
};

/// One of two scenarios that are compared.
struct ComparedScenario {
  const Scenario& scenario;
  std::span<const RunOutcome> outcomes;  ///< (n) by replication; of a scenario in which nothing is drawn one is enough
};

/// Numbers of two scenarios, replication by replication: event time (of each pool of jobs, too, where both have several
/// of the same names), rate of events, mean and p99 latency of the models that both call, what a million events cost
/// where both have prices of the same parts, and what is refused or lost. What has no counterpart is left out, with a
/// word. Scenarios without a common pool or model get no chances, so that decision_of() decides nothing.
/// @param confidence  in (0, 1)
/// @throws std::invalid_argument  no replications
TwoScenarios compare_two(const ComparedScenario& a, const ComparedScenario& b, double confidence, Stopping stopping);

}  // namespace saturn
