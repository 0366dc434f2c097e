#pragma once

#include <string>
#include <vector>

#include "models/sensitivity.hpp"

namespace saturn {

/// Puts the rows of a sensitivity in order: those without any effect by name alone, the widest bar first, shares of the
/// variance, and the measurement that would narrow the answer most.
/// @param sensitivity  with its rows in any order, elasticities and bars filled in
Sensitivity assembled(Sensitivity sensitivity);

/// Bars of a row whose answer follows a power law: answer·(1 ∓ uncertainty)^elasticity.
void set_bars(SensitivityRow& row, double answer);

/// An elasticity that is known without noise.
Estimate exact_elasticity(double value);

/// (1 − uncertainty), but never so small that an input would vanish.
double lower_factor(double uncertainty);

}  // namespace saturn
