#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/fields/quantity_text.hpp"

namespace saturn {

/// What a text of values says, or what is wrong with it.
struct ValueRange {
  std::vector<std::string> values{};  ///< as they are written into a scenario: "4096", "0.5 ms", "iowa"
  std::string fault{};                ///< a sentence: what was found and what is allowed; empty when all is well
  bool empty = false;  ///< the fault is that there are no values, or that the range ends before it begins
};

/// Reads the values of an axis: a list "1,2,4,8" (of numbers, quantities, or words), a linear range "0:100:10" (first,
/// last, step; the step is 1 for whole numbers where it is left out), a geometric one by its factor "1:1024:x2" or by
/// its number of points "0.1ms:100ms:log13". Ranges rise. Their last value belongs to them where the steps meet it; by
/// a number of points they always do. Quantities carry their unit at both ends (a range is written in the unit of its
/// first); whole numbers stay whole, and those that rounding makes equal are given once. Steps by a factor are rounded
/// to 6 digits, those between a number of points to 4, so that they look like a person's.
/// @param whole      values are whole numbers (geometric points are rounded)
/// @param dimension  the quantity that is expected; a ratio may be a bare number or a percentage; absent: bare numbers,
///                   or words in a list
/// @param most       values at most; more is a fault that names their number
ValueRange read_value_range(std::string_view text, bool whole, std::optional<Dimension> dimension, std::size_t most);

/// The unit in which examples of a quantity are written: "ms", "MB", "Gbps", "%".
std::string usual_unit(Dimension dimension);

}  // namespace saturn
