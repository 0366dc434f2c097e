#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/inputs/numeric_inputs.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/costs/purchase_terms.hpp"
#include "sim/plan/question/requirement.hpp"
#include "sim/plan/search/candidate_space.hpp"
#include "sim/plan/search/search.hpp"

namespace saturn {

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

/// One side alone: the input times a factor. @returns nothing when the reader refuses it
std::optional<InputStep> step_of(const VariedInput& input, double factor, const MakeScenario& make,
                                 std::span<const Override> chosen);

/// Replications of a simulation whose inputs are varied: as many for each, so that they pair.
inline constexpr std::uint64_t paired_replications = 8;

/// A scenario that is simulated as often as all others that it is compared with.
Scenario as_paired(Scenario scenario);

/// A number of a simulation.
using Reading = std::function<double(const Results&)>;

/// By how much a number differs between two simulations, by replication [unit of the number].
struct PairedValues {
  std::vector<double> low{};   ///< (n) n >= 1, by replication
  std::vector<double> high{};  ///< (n)
};

/// Pairs replication i of the one with replication i of the other; where replications are not known, the two means.
PairedValues paired_values(const SearchedRun& low, const SearchedRun& high, const Reading& read);

/// The scenarios' simulations, in one call.
/// @throws std::logic_error  not as many results as scenarios
std::vector<SearchedRun> simulated_each(const EvaluateEach& evaluate, std::span<const SearchedScenario> scenarios);

/// A value that has no interval.
Estimate exactly(double value);

/// Adds what needs no simulation: devices, nodes, jobs, jobs a device, rent and power.
void add_exact_figures(const Scenario& scenario, const Expenses& expenses, CandidateFigures& figures);

/// k over a value, with the interval turned round; an interval that reaches 0 or below gives one without end. @param k
/// >= 0
Estimate over(double k, const Estimate& value);

/// Adds what follows from the throughput [1/s]: campaign time, cost, energy.
/// @param traffic_usd_per_event  of one good event
void add_figures_of_throughput(const Estimate& throughput, double traffic_usd_per_event, const Expenses& expenses,
                               const PurchaseTerms& terms, CandidateFigures& figures);

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
