#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/tables/text_table.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

// Names of axes, metrics and values in complaints, and what a user means by a part of one.

/// What a text means among names.
struct NameMatch {
  std::optional<std::size_t> index{};  ///< the name that it is, or the only one that it is part of
  std::vector<std::string> several{};  ///< those that it is part of, where there are more
};

/// @param asked  a name or part of one; empty: nothing
NameMatch match_name(const std::string& asked, const std::vector<std::string>& names);

/// `"rtt"`, on a terminal harmless.
std::string quoted_name(const std::string& name);

/// `"a", "b" and "c"`; of more than 20 the first ones and how many there are besides; "none" of none.
std::string listed_names(const std::vector<std::string>& names);

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

/// A choice that the sweep does not allow.
struct SweepViewFault {
  std::string option{};  ///< that chose: "--metric", "--x", "--at rtt=1 ms"
  std::string code{};    ///< "show.unknown_metric", "show.unknown_axis", "show.unknown_value", "show.not_two_axes"
  std::string text{};    ///< what was found, what there is, the way out
};

/// A number or a word that points answer with.
struct ShownMetric {
  std::string name{};  ///< "event_time_s", "binding"
  std::string stem{};  ///< "event_time"
  std::string unit{};
  bool is_word = false;
};

/// What a view means for a table.
struct ResolvedView {
  std::optional<ShownMetric> metric{};  ///< absent: no point has an answer yet
  std::optional<std::size_t> x{};       ///< column; absent: no axis has more than one value
  std::optional<std::size_t> y{};       ///< column; absent: there is one axis to show
  /// Columns with the text of the value at which they are held.
  std::vector<std::pair<std::size_t, std::string>> held{};
  std::vector<std::size_t> split{};     ///< columns that need one map a value
  std::vector<std::size_t> along{};     ///< columns whose values follow from x and y: zipped ones
  std::vector<const SweepRow*> rows{};  ///< those at which `held` holds, in order

  /// Whether a row's answers count: it has some.
  static bool has_answer(const SweepRow& row) {
    return row.result.status == PointStatus::answered || row.result.status == PointStatus::imprecise;
  }
};

/// The same points for people, who read one meaning of slowdown everywhere: the share by which events are slower than
/// when they wait for nobody [percent], where points and files hold the ratio of the two times [1].
SweepTable for_people(SweepTable table);

/// Every number and word that some point answers with, numbers first, in the order in which points bring them.
std::vector<ShownMetric> metrics_of(const SweepTable& table);

/// Everything that is wrong with a view; nothing: `resolved_view` succeeds.
std::vector<SweepViewFault> faults_of(const SweepTable& table, const SweepView& view);

/// Chooses what the view leaves open: the first metric, and the two axes with the most values.
/// @throws std::invalid_argument  where `faults_of` finds something; its text
ResolvedView resolved_view(const SweepTable& table, const SweepView& view);

/// The number of a metric at a point; nothing where the point has no such number, or none that is finite.
const SweepMetric* metric_at(const SweepRow& row, const ShownMetric& metric);

/// The word of a metric at a point; nothing where the point has none.
const std::string* word_at(const SweepRow& row, const ShownMetric& metric);

}  // namespace saturn
