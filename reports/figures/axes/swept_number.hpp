#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "reports/figures/figure.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// A number of a sweep as a figure shows it: in the unit in which its values read best.
struct SweptNumber {
  std::string title{};  ///< "round-trip time [ms]"
  std::string words{};  ///< "round-trip time"
  std::string unit{};   ///< "ms", "1/s"; empty: a bare number
  double factor = 1.0;  ///< from the unit of the sweep to it
  RowColumn column{};   ///< name and unit for heads
  RowColumn low{};      ///< of its interval
  RowColumn high{};

  /// In the shown unit, without the noise of its factor: 0.0005 s is 0.5 ms, not 0.49999999999999994.
  double shown(double value) const;
  /// "0.5 ms"
  std::string text_of(double value) const;
  /// "0.5 ± 0.1 ms", or without an interval "0.5 ms"
  std::string text_of(const SweepMetric& metric) const;
};

/// @param rows  whose values choose the unit
SweptNumber swept_metric(const ShownMetric& metric, std::span<const SweepRow* const> rows);

/// @param axis    whose values are all numbers
/// @param column  of the table's axes
SweptNumber swept_axis(const SweepTable& table, const ShownAxis& axis, std::size_t column);

/// True for numbers that people read as percentages: busy and lost shares.
bool is_share(const ShownMetric& metric);

/// "68 to 81 ms", or of equal ends "68 ms": numbers in the shown unit, which is written behind them.
std::string range_words(double least, double most, const std::string& unit);

/// "round-trip time 0.5 ms": an axis at one of its values, in words.
std::string place_words(const ShownAxis& axis, std::size_t value);

/// A name as a field of a specification: other characters than letters, digits and underscores become underscores.
std::string field_name(const std::string& name);

/// Gives columns that have names of the user's a head of their own: one that an earlier column or a fixed one has
/// already gets "_2" behind its name.
/// @param first_fixed  from there on heads are those of the template, and stay
void make_heads_distinct(std::vector<RowColumn>& columns, std::size_t first_fixed);

}  // namespace saturn
