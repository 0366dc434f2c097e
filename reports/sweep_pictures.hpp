#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "reports/text_table.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// What of a sweep is shown.
struct SweepView {
  std::string metric{};                     ///< name ("event_time_s"), or an unambiguous part of it; empty: the first
  std::string x{};                          ///< axis: short name or pointer; empty: chosen
  std::string y{};                          ///< second axis of a heat map; empty: a table or a single row
  std::map<std::string, std::string> at{};  ///< axis -> value, where the others are held
  /// Reads a value with its unit, "500 us", as a number in the unit of axes, so that it means "0.5 ms" as well; empty:
  /// values are compared as texts.
  std::function<std::optional<double>(const std::string& text)> quantity{};
};

/// A table of the points with the metric and its interval, failures with their reasons.
std::string sweep_points_text(const SweepTable& table, const SweepView& view, TextStyle style);

/// A heat map of a metric over two axes (over one: a row of bars), values in the cells where there is room, shades
/// otherwise, with its scale; one map for each combination of the other axes that are not held (at most 12, says so).
std::string heat_map_text(const SweepTable& table, const SweepView& view, TextStyle style);

/// How many points are answered, failed, missing, and the commonest reasons of failures.
std::string sweep_summary_text(const SweepTable& table);

}  // namespace saturn
