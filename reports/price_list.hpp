#pragma once

#include <string>
#include <vector>

#include "sim/plan/quoted_prices.hpp"

namespace saturn {

/// A line each, indented: "t4 0.35 USD/h (2025-11, Google Cloud)", "core 0.05 USD/h (no source)"; under a line that
/// says what they are. Empty without prices.
std::string price_list(const std::vector<QuotedPrice>& prices);

}  // namespace saturn
