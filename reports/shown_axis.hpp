#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// The values of one axis, in order and as people read them.
struct ShownAxis {
  std::string heading{};              ///< "rtt [ms]"
  std::string name{};                 ///< "rtt"
  std::vector<AxisCell> values{};     ///< numbers ascending, then words in the order in which points bring them
  std::vector<std::string> labels{};  ///< (values) different from each other: "0.5", "round_robin"
  std::string unit{};                 ///< of the labels: "ms"
  std::unordered_map<std::string, std::size_t> place{};  ///< of a value's text in `values`

  /// "rtt = 0.5 ms"
  std::string equation(std::size_t value) const;
  /// Of a row's cell.
  std::size_t place_of(const AxisCell& cell) const { return place.at(cell.text); }
};

/// @param rows    whose values are shown
/// @param column  of the table's axes
ShownAxis shown_axis(const SweepTable& table, std::span<const SweepRow* const> rows, std::size_t column);

}  // namespace saturn
