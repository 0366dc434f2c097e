#include "reports/validation_tables.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;
using Quantities = std::span<const MeasuredQuantity* const>;

// More than three quantities side by side, at three columns each, are wider than a terminal.
constexpr std::size_t quantities_side_by_side = 3;

std::string heading_of(const MeasuredQuantity& quantity) {
  return std::string(quantity.heading) + (quantity.unit.empty() ? "" : " [" + std::string(quantity.unit) + "]");
}

void add_cells(std::vector<std::string>& cells, const ValidationRow& row, const MeasuredQuantity& quantity) {
  for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
    const MeasuredValue& measured = row.measured.values[i];
    if (measured.quantity != &quantity) continue;
    const std::string error = signed_percent_text(row.error(i));
    cells.push_back(number_text(measured.value * quantity.shown_factor));
    cells.push_back(estimate_text(row.simulated[i], quantity.shown_factor));
    cells.push_back(row.scored(i) ? error : "(" + error + ")");
    return;
  }
  cells.insert(cells.end(), {no_value, no_value, no_value});
}

TextTable points_table(const ValidationCase& validation, Quantities quantities) {
  // The ratio is of rate and latency, so it stands beside the rate.
  const bool with_ratio =
      std::any_of(quantities.begin(), quantities.end(), [](const auto* one) { return one->name == "items_per_s"; }) &&
      std::any_of(validation.rows.begin(), validation.rows.end(),
                  [](const ValidationRow& row) { return row.little_ratio.has_value(); });
  const bool with_mark = std::any_of(validation.rows.begin(), validation.rows.end(),
                                     [](const ValidationRow& row) { return !row.mark().empty(); });
  std::vector<TextTable::Column> columns{{"point", Align::left}};
  for (const MeasuredQuantity* quantity : quantities) {
    columns.push_back({heading_of(*quantity), Align::right});
    columns.push_back({"simulated", Align::right});
    columns.push_back({"error", Align::right});
  }
  if (with_ratio) columns.push_back({"Little", Align::right});
  if (with_mark) columns.push_back({"mark", Align::left});
  TextTable table(std::move(columns));
  for (const ValidationRow& row : validation.rows) {
    std::vector<std::string> cells{row.measured.label + (row.measured.remark.empty() ? "" : " *")};
    for (const MeasuredQuantity* quantity : quantities) add_cells(cells, row, *quantity);
    if (with_ratio) cells.push_back(row.little_ratio ? fixed_text(*row.little_ratio, 2) : no_value);
    if (with_mark) cells.push_back(row.mark());
    table.add_row(std::move(cells));
  }
  return table;
}

std::string target_text(const Score& score) {
  if (!score.target) return no_value;
  std::string text;
  if (score.target->median) text = "median " + percent_text(*score.target->median);
  if (score.target->worst) append_part(text, "worst " + percent_text(*score.target->worst));
  return text;
}

std::string verdict(const Score& score) {
  const auto within = score.within();
  if (!within) return score.target ? "NO ROWS" : no_value;
  const std::string word = *within ? "within" : "OUTSIDE";
  return score.identities == score.rows ? word + " (identity)" : word;
}

std::vector<std::string> score_cells(const Score& score) {
  const bool any = score.rows > 0;
  return {std::string(score.quantity->heading),
          std::to_string(score.rows),
          any ? fixed_text(score.median_absolute_error * 100.0, 1) + " %" : no_value,
          any ? signed_percent_text(score.worst_error) : no_value,
          any ? score.worst_at : no_value,
          any ? signed_percent_text(score.mean_error) : no_value,
          score.trend ? fixed_text(score.trend->rho, 2) : no_value,
          score.trend ? number_text(score.trend->p_value, 2) : no_value,
          target_text(score),
          verdict(score)};
}

std::vector<TextTable::Column> score_columns() {
  return {{"error of", Align::left}, {"rows", Align::right},  {"median", Align::right}, {"worst", Align::right},
          {"at", Align::left},       {"mean", Align::right},  {"trend", Align::right},  {"p", Align::right},
          {"band", Align::left},     {"verdict", Align::left}};
}

}  // namespace

std::string changes_text(const std::vector<std::string>& changes) {
  return changes.empty() ? "" : ", CHANGED: " + joined(changes);
}

std::vector<TextTable> point_tables(const ValidationCase& validation) {
  std::vector<const MeasuredQuantity*> quantities;
  for (const Score& score : scores(validation)) quantities.push_back(score.quantity);
  std::vector<TextTable> tables;
  for (std::size_t first = 0; first < quantities.size(); first += quantities_side_by_side) {
    const std::size_t count = std::min(quantities_side_by_side, quantities.size() - first);
    tables.push_back(points_table(validation, Quantities(quantities).subspan(first, count)));
  }
  return tables;
}

std::vector<std::pair<std::string, std::string>> row_remarks(const ValidationCase& validation) {
  std::vector<std::pair<std::string, std::string>> notes;
  // Rows that share a remark are named together before it.
  for (const ValidationRow& row : validation.rows) {
    const std::string& remark = row.measured.remark;
    if (remark.empty()) continue;
    const auto same = std::find_if(notes.begin(), notes.end(), [&](const auto& note) { return note.second == remark; });
    if (same == notes.end()) {
      notes.emplace_back("* " + row.measured.label, remark);
    } else {
      same->first += ", " + row.measured.label;
    }
  }
  return notes;
}

TextTable case_score_table(const ValidationCase& validation) {
  TextTable table(score_columns());
  for (const Score& score : scores(validation)) table.add_row(score_cells(score));
  return table;
}

TextTable all_scores_table(const ValidationReport& report) {
  TextTable table({{"case", Align::left},
                   {"error of", Align::left},
                   {"rows", Align::right},
                   {"median", Align::right},
                   {"worst", Align::right},
                   {"band", Align::left},
                   {"verdict", Align::left}});
  for (const ValidationCase& validation : report.cases) {
    std::string name = validation.about.id;
    for (const Score& score : scores(validation)) {
      const std::vector<std::string> cells = score_cells(score);
      table.add_row({name, cells[0], cells[1], cells[2], cells[3], cells[8], cells[9]});
      name.clear();
    }
  }
  return table;
}

}  // namespace saturn
