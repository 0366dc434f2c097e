#pragma once

#include <string>
#include <vector>

#include "scenarios/scenario.hpp"

namespace saturn {

/// A price as a report shows it.
struct QuotedPrice {
  std::string of{};      ///< "t4", "core", "traffic out of iowa"
  std::string value{};   ///< with its unit, "0.35 USD/h"
  std::string date{};    ///< "2025-11"; empty: not said
  std::string source{};  ///< empty: not said
};

/// The prices that a scenario's expenses rest on, each with its origin: devices in use, hosts, cores, electricity,
/// traffic.
std::vector<QuotedPrice> quoted_prices(const Scenario& scenario);

}  // namespace saturn
