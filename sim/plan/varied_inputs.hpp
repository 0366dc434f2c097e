#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/numeric_inputs.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/plan/candidate_space.hpp"
#include "sim/plan/sensitivity.hpp"

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

}  // namespace saturn
