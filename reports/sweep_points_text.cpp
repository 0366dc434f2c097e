#include <map>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/heat_map_shades.hpp"
#include "reports/number_text.hpp"
#include "reports/shown_axis.hpp"
#include "reports/sweep_failures.hpp"
#include "reports/sweep_pictures.hpp"
#include "reports/sweep_view.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t longest_heading = 40;
constexpr std::size_t longest_cell_word = 30;
constexpr std::size_t table_width = 80;
constexpr int digits_of_points = 3;

/// The axes that have a column, and one sentence about those that do not.
struct TableAxes {
  std::vector<std::size_t> columns{};
  std::vector<ShownAxis> shown{};
  std::string same{};
};

TableAxes table_axes(const SweepTable& table, const ResolvedView& view) {
  TableAxes axes;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    ShownAxis axis = shown_axis(table, view.rows, c);
    if (axis.values.size() == 1 && table.axes.size() > 1) {
      append_part(axes.same, axis.equation(0));
    } else {
      axes.columns.push_back(c);
      axes.shown.push_back(std::move(axis));
    }
  }
  return axes;
}

ShownUnit unit_of(const ResolvedView& view) {
  std::vector<double> means;
  for (const SweepRow* row : view.rows)
    if (const SweepMetric* metric = metric_at(*row, *view.metric)) means.push_back(metric->mean);
  return handiest_unit(means, view.metric->unit, digits_of_points);
}

std::string value_text(const SweepRow& row, const ResolvedView& view, const ShownUnit& unit) {
  if (!view.metric) return no_value;
  if (const std::string* word = word_at(row, *view.metric)) return terminal_text(*word, longest_cell_word);
  const SweepMetric* metric = metric_at(row, *view.metric);
  if (metric == nullptr) return no_value;
  const Estimate estimate{
      .mean = metric->mean, .low = metric->low.value_or(metric->mean), .high = metric->high.value_or(metric->mean)};
  return estimate_text(estimate, unit.factor);
}

std::string remark_of(const SweepRow& row) {
  switch (row.result.status) {
    case PointStatus::answered:
      return "";
    case PointStatus::imprecise:
      return "less precise than asked";
    case PointStatus::missing:
      return "not computed yet";
    case PointStatus::failed:
      break;
  }
  const std::string kind = terminal_text(row.result.failure, longest_cell_word);
  return "failed" + (kind.empty() ? "" : ": " + kind);
}

}  // namespace

std::string sweep_points_text(const SweepTable& table, const SweepView& view, TextStyle style) {
  const ResolvedView resolved = resolved_view(table, view);
  if (resolved.rows.empty()) return "No point of the sweep has these values together.\n";
  const TableAxes axes = table_axes(table, resolved);
  const ShownUnit unit = resolved.metric ? unit_of(resolved) : ShownUnit{};

  using Align = TextTable::Align;
  std::vector<TextTable::Column> columns{{"point", Align::right}};
  for (const ShownAxis& axis : axes.shown) columns.push_back({axis.heading, Align::right});
  const std::string metric = resolved.metric ? terminal_text(resolved.metric->stem, longest_heading) : "answer";
  columns.push_back({name_with_unit(metric, unit.name), Align::right});
  columns.push_back({"", Align::left});
  TextTable rows(columns);
  for (const SweepRow* row : resolved.rows) {
    std::vector<std::string> cells{std::to_string(row->number)};
    for (std::size_t i = 0; i < axes.columns.size(); ++i)
      cells.push_back(axes.shown[i].labels[axes.shown[i].place_of(row->cells[axes.columns[i]])]);
    cells.push_back(value_text(*row, resolved, unit));
    cells.push_back(remark_of(*row));
    rows.add_row(std::move(cells));
  }
  std::string text = rows.text(style);
  if (!axes.same.empty()) text += "\n" + wrapped_text("The same at all: " + axes.same + ".", table_width, "  ", "  ");
  const std::string failures = failures_text(resolved.rows, table_width);
  return text + (failures.empty() ? "" : "\n") + failures;
}

}  // namespace saturn
