#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/values/units.hpp"

/// Quantities that stand on the command line, with their unit.

namespace saturn {

/// "600 s", "10 min", "2 h".
/// @throws InputError  option.not_a_quantity
Seconds parse_duration(const std::string& option, const std::string& text);

/// "8 GB", "500 MiB": at least 64 MB, since SimGrid alone needs some.
/// @throws InputError  option.not_a_quantity, option.out_of_range
std::uint64_t parse_memory(const std::string& option, const std::string& text);

/// "1 %" or "0.01": above 0, at most 100 (10,000 %).
/// @throws InputError  option.not_a_quantity, option.out_of_range
double parse_fraction(const std::string& option, const std::string& text);

/// The share by which events may take longer than when they wait for nobody, 1 % without a word: with its unit, above
/// 0, at most 10,000 %.
/// @throws InputError  require.bare_slowdown, option.not_a_quantity, option.out_of_range
double parse_slowdown(const std::optional<std::string>& text);

/// The share of events that a plan may lose, 0.1 % without a word: above 0, below 1.
/// @throws InputError  option.not_a_quantity, option.out_of_range
double parse_loss(const std::optional<std::string>& text);

/// "0.03 USD/h".
/// @throws InputError  option.not_a_quantity
UsdPerHour parse_price(const std::string& option, const std::string& text);

}  // namespace saturn
