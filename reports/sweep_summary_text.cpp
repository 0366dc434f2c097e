#include <algorithm>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/shown_axis.hpp"
#include "reports/sweep_failures.hpp"
#include "reports/sweep_pictures.hpp"
#include "reports/terminal_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t summary_width = 80;
constexpr std::size_t most_failure_groups = 3;
constexpr std::size_t few_values = 4;

std::size_t count_of(const SweepTable& table, PointStatus status) {
  return static_cast<std::size_t>(std::count_if(table.rows.begin(), table.rows.end(),
                                                [&](const SweepRow& row) { return row.result.status == status; }));
}

/// "13 values, 0.1 to 100 ms", "none, fixed, dynamic"
std::string range_text(const ShownAxis& axis) {
  const std::size_t values = axis.values.size();
  if (values <= few_values) return with_unit(joined(axis.labels), axis.unit);
  return with_unit(whole_text(values) + " values, " + axis.labels.front() + " to " + axis.labels.back(), axis.unit);
}

std::string axes_text(const SweepTable& table) {
  std::vector<const SweepRow*> rows;
  for (const SweepRow& row : table.rows) rows.push_back(&row);
  std::string text;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const ShownAxis axis = shown_axis(table, rows, c);
    text += wrapped_text(axis.name + ": " + range_text(axis), summary_width, "  ", "    ");
  }
  return text;
}

/// "0.42 %"; less than that where it is more than nothing, and never 100 % of what is not all.
std::string share_text(std::size_t part, std::size_t all) {
  if (part == all) return "100 %";
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  return percent > 99.9 ? "more than 99.9 %" : percent_text(percent / 100.0);
}

std::string status_text(const SweepTable& table) {
  const std::size_t imprecise = count_of(table, PointStatus::imprecise);
  const std::size_t answered = count_of(table, PointStatus::answered) + imprecise;
  const std::size_t failed = count_of(table, PointStatus::failed);
  const std::size_t missing = count_of(table, PointStatus::missing);
  std::string text = counted(table.rows.size(), "point") + ": " + whole_text(answered) + " answered";
  if (imprecise > 0) text += " (" + whole_text(imprecise) + " of them less precise than asked)";
  if (failed > 0) text += ", " + whole_text(failed) + " failed";
  if (missing > 0)
    text += ", " + whole_text(missing) + " not computed yet (" + share_text(missing, table.rows.size()) +
            "; the sweep command computes them)";
  return text + ".";
}

}  // namespace

std::string sweep_summary_text(const SweepTable& table) {
  const std::string title = terminal_text(table.title, summary_width);
  const std::string asked =
      "saturn " + terminal_text(table.answer, summary_width) + " at each point, seed " + std::to_string(table.seed);
  std::string text =
      wrapped_text("Sweep of " + (title.empty() ? "a scenario" : title) + ": " + asked, summary_width, "", "  ");
  text += axes_text(table);
  if (table.rows.empty()) return text + "  The sweep has no points.\n";
  text += wrapped_text(status_text(table), summary_width, "  ", "  ");
  std::vector<const SweepRow*> rows;
  for (const SweepRow& row : table.rows) rows.push_back(&row);
  return text + failures_text(rows, summary_width, most_failure_groups);
}

}  // namespace saturn
