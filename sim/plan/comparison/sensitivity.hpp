#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/search/candidate_space.hpp"
#include "sim/plan/search/search.hpp"

namespace saturn {

// How an answer depends on what went into it.

/// One input of a scenario.
struct SensitivityInput {
  std::string pointer{};  ///< "/models/emtrk/service/t4/per_item"
  std::string words{};    ///< "emtrk service t4 per item"; empty: the pointer stands for them
  std::string value{};    ///< as it stands: "32.2 us"
  /// By how much it may be off, relative: half-width of a 95 % interval [1].
  double uncertainty = 0.0;
  std::string fit{};  ///< that says so: "fitted.json: gpu"; empty: it is assumed
};

/// The fit that an input's uncertainty is from, or "assumed".
inline std::string uncertainty_from(const SensitivityInput& input) {
  return input.fit.empty() ? "assumed" : input.fit;
}

/// What one input does to the answer.
struct SensitivityRow {
  SensitivityInput input{};
  Estimate elasticity{};  ///< relative change of the answer over the relative change of the input [1]
  double when_low = 0.0;  ///< the answer with the input lower by its uncertainty, in its unit
  double when_high = 0.0;
  /// Share of the answer's variance, from the inputs' uncertainties, that this one brings [1].
  double variance_share = 0.0;

  /// Distance of the farther of the two from the answer.
  double reach(double answer) const;
};

/// The answer's dependence on all its inputs, the widest bar of the tornado first.
struct Sensitivity {
  std::string answer{};  ///< "jobs per GPU"
  std::string unit{};    ///< "", "s", "USD"
  double value = 0.0;
  double change = 0.05;  ///< of local elasticities, relative; 0: each input at its own uncertainty [1]
  double assumed = 0.1;  ///< relative uncertainty of inputs that state none [1]
  std::vector<SensitivityRow> rows{};
  std::vector<std::string> without_effect{};  ///< pointers of inputs that change nothing
  /// "Measure /models/emtrk/service/t4/per_item to half its uncertainty and the answer's interval shrinks by 38 %."
  std::string next_measurement{};
  std::vector<std::string> notes{};
};

/// Every numeric quantity of the scenario's inputs: times, rates, sizes, bandwidths, round trips, items, service laws,
/// prices; not what the planner chooses (counts of jobs and devices, batching) nor run control. With the uncertainty of
/// the fit that a value comes from, else `assumed`.
std::vector<SensitivityInput> sensitivity_inputs(const ReadScenario& read, double assumed);

/// Elasticities of clients per GPU within a tolerated slowdown, at a plan's answer. Where the answer is where the first
/// resource saturates, from the bounds, exactly; where it is the crossing of the slowdown, from simulations of the
/// scenario at the crossing with each input raised and lowered, replication by replication with the same random
/// numbers, over the local slope in the number of clients.
Sensitivity analyse_plan_sensitivity(const Plan& plan, const PlanQuestion& question, const ReadScenario& read,
                                     const MakeScenario& make, const EvaluateEach& evaluate, double assumed);

/// Elasticities of an objective's figure (cost per million events, throughput, ...) at a candidate.
Sensitivity analyse_candidate_sensitivity(const SearchedCandidate& candidate, const Objective& objective,
                                          const PurchaseTerms& terms, const ReadScenario& read,
                                          const MakeScenario& make, const EvaluateEach& evaluate, double assumed);

}  // namespace saturn
