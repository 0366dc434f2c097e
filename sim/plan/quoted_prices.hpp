#pragma once

#include <vector>

#include "models/quoted_price.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// The prices that a scenario's expenses rest on, each with its origin: devices in use, hosts, cores, electricity,
/// traffic.
std::vector<QuotedPrice> quoted_prices(const Scenario& scenario);

}  // namespace saturn
