#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/sweep_pictures.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

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
