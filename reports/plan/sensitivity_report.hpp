#pragma once

#include <string>

#include "reports/answer/answer.hpp"
#include "sim/plan/comparison/sensitivity.hpp"

/// What an answer depends on, as reports say it.

namespace saturn {

/// One bar of a tornado: where the answer goes from '-' (the input lower by its uncertainty) to '+' (higher), with '|'
/// at the answer itself, on a scale on which `reach` takes half of the width.
/// @param answer  of which the bar starts
/// @param reach   largest distance from the answer that is drawn, > 0
/// @param width   characters, odd, >= 3
/// @returns `width` characters
std::string tornado_bar(double when_low, double when_high, double answer, double reach, std::size_t width);

/// The inputs with their bars, widest first, the measurement that would help most, and notes; at "sensitivity".
void add_sensitivity(Answer& answer, const Sensitivity& sensitivity);

}  // namespace saturn
