#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "sim/plan/sensitivity.hpp"
#include "sim/plan/varied_inputs.hpp"

namespace saturn {

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
