#pragma once

#include <string>

#include "calibration/named_fit.hpp"

namespace saturn {

/// Points and law of a fit as a plot of characters, and below it the residuals in standard errors; empty for a fit
/// that has nothing to plot.
std::string fit_plot(const NamedFit& named);

}  // namespace saturn
