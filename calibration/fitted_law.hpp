#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/named_fit.hpp"
#include "models/service_law.hpp"

namespace saturn {

/// The service law that a fit's parameters stand for.
/// @param values  (n) of the parameters, in the fit's order
ServiceLaw service_law_of(const Fit& fit, std::span<const double> values);

/// Gives a fit of batch times what a fitted file needs: kind, value, places and units of its parameters, titles, and
/// the law's curve over its range.
void describe_service_law(NamedFit& named);

}  // namespace saturn
