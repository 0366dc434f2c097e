#pragma once

#include <utility>

#include "scenarios/scenario.hpp"
#include "scenarios/value_rules.hpp"

/// Prices as a document gives them: a quantity, or an object that also says from when and from whom it is.
namespace saturn {

/// A price and where it is from.
template <class Quantity>
using OriginatedPrice = std::pair<Quantity, PriceOrigin>;

/// 0 to 1e6 USD/h.
Rule<OriginatedPrice<UsdPerHour>> rent_rule();
/// 0 to 1,000 USD/kWh.
Rule<OriginatedPrice<UsdPerKilowattHour>> electricity_rule();
/// 0 to 1e6 USD/GB.
Rule<OriginatedPrice<UsdPerGigabyte>> traffic_rule();

/// A date of the calendar as "2026-11-01", or a month as "2026-11".
Rule<std::string> date_rule();

}  // namespace saturn
