#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "scenarios/inputs/numeric_inputs.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/search/search.hpp"

/// How an answer depends on what went into it.

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

/// An input with what it takes to vary it.
struct VariedInput {
  SensitivityInput about{};
  NumericInput numeric{};
};

/// The inputs of sensitivity_inputs() but those that `chosen` sets, in the order of the document.
std::vector<VariedInput> varied_inputs(const ReadScenario& read, double assumed, std::span<const Override> chosen);

/// The scenario with one input changed.
struct InputStep {
  Scenario scenario{};
  std::vector<Override> settings{};  ///< those that were chosen, and the changed input
  double factor = 1.0;               ///< of the input [1]
};

/// Both sides of an input, as far as the reader takes them.
struct InputSteps {
  std::vector<InputStep> sides{};  ///< two, low then high; or the one of them that is possible, and the scenario itself
  std::string refused{};           ///< why there are none, in the reader's words
};

/// An input lowered and raised by a relative change.
/// @param chosen  settings of the user's scenario that stay
InputSteps steps_of(const VariedInput& input, double change, const MakeScenario& make,
                    std::span<const Override> chosen);

/// Puts the rows of a sensitivity in order: those without any effect by name alone, the widest bar first, shares of the
/// variance, and the measurement that would narrow the answer most.
/// @param sensitivity  with its rows in any order, elasticities and bars filled in
Sensitivity assembled(Sensitivity sensitivity);

/// Bars of a row whose answer follows a power law: answer·(1 ∓ uncertainty)^elasticity.
void set_bars(SensitivityRow& row, double answer);

/// An answer with one input at another value.
struct AnswerBeside {
  double factor = 1.0;  ///< of the input; 1: there is none on this side [1]
  double answer = 0.0;  ///< >= 0, in its unit
};

/// Bars of a row whose answer is known on both sides: where the input was off by its uncertainty the bar ends there;
/// where by something else (whole numbers, uncertainties beyond what is tried) on the power law from the answer through
/// that point. A side without an answer, or with one that is no finite number, is as in set_bars().
/// @param answer  with the input as it stands, > 0
void set_bars(SensitivityRow& row, double answer, const AnswerBeside& low, const AnswerBeside& high);

/// Elasticities below and above a value that differ by more than this make a bend: a smooth sum of a constant and a
/// proportional part differs by less, up to uncertainties of 50 % [1].
inline constexpr double least_bend = 0.2;

/// Inputs that a note names before it says how many more there are.
inline constexpr std::size_t most_names_in_a_note = 8;

/// An elasticity that is known without noise.
Estimate exact_elasticity(double value);

/// Relative change with which formulas are differentiated: they have no noise, so that it may be small [1].
inline constexpr double exact_change = 1e-4;

/// An answer that a formula gives. @returns nothing where it has none
using ExactAnswer = std::function<std::optional<double>(const Scenario&)>;

/// Elasticities and bars of an answer by formula; inputs that cannot be varied go to the notes of `sensitivity`.
/// @param chosen  settings of the user's scenario that stay
void add_exact_rows(Sensitivity& sensitivity, const std::vector<VariedInput>& inputs, const MakeScenario& make,
                    std::span<const Override> chosen, const ExactAnswer& answer);

/// A note that an input cannot be varied.
std::string not_varied(const VariedInput& input, const std::string& why);

/// Notes that hold for every sensitivity of a scenario: inputs that are left out, fits whose parameters hang together.
std::vector<std::string> common_notes(const ReadScenario& read);

}  // namespace saturn
