#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/inputs/scenario_places.hpp"

/// How the columns of a sweep are headed and what their cells hold.

namespace saturn {

/// A column of a sweep's points: a place in the scenario that takes several values.
struct AxisColumn {
  std::string pointer{};  ///< as the user wrote it, "*" and all: "/models/*/max_batch_size"
  std::string name{};     ///< short and unique among the columns: "max_batch_size"
  std::string unit{};     ///< of AxisCell::number: "s", "bytes", "bytes_per_s"; empty: a bare number, or words

  /// "rtt_s": the name with its unit, as tables and files head the column.
  std::string head() const { return unit.empty() ? name : name + "_" + unit; }
};

/// The value of one axis at one point.
struct AxisCell {
  std::string text{};              ///< as it is written into the scenario: "0.5 ms", "4096", "round_robin"
  std::optional<double> number{};  ///< the same in the column's unit; absent: a word
};

/// The SI unit of a column as its head spells it: "s", "bytes", "bytes_per_s", "per_s", "usd_per_h", "usd_per_kwh",
/// "usd_per_gb", "w"; empty for a ratio.
std::string_view column_unit(Dimension dimension);

/// The same the other way round; absent: a bare number.
std::optional<Dimension> dimension_of_column(std::string_view unit);

/// Names of columns: the last key of each pointer, with keys before it where two columns would have the same one
/// ("emtrk.max_batch_size"), and where it is an index ("item_lengths.0").
std::vector<std::string> column_names(const std::vector<std::string>& pointers);

/// A cell whose text is a value of such a place, its number in the column's unit.
AxisCell cell_of(std::string text, const PlaceType& type);

}  // namespace saturn
