#include <algorithm>
#include <cmath>

#include "reports/number_text.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;
using Quantities = std::span<const MeasuredQuantity* const>;

// More than three quantities side by side, at three columns each, are wider than a terminal.
constexpr std::size_t quantities_side_by_side = 3;

const std::string none = "–";

std::string signed_percent(double fraction) {
  return (fraction < 0.0 ? "-" : "+") + fixed_text(std::abs(fraction) * 100.0, 1) + " %";
}

std::string changed(const std::vector<std::string>& changes) {
  std::string text;
  for (const std::string& change : changes) text += (text.empty() ? ", CHANGED: " : ", ") + change;
  return text;
}

std::string heading_of(const MeasuredQuantity& quantity) {
  return std::string(quantity.heading) + (quantity.unit.empty() ? "" : " [" + std::string(quantity.unit) + "]");
}

void add_cells(std::vector<std::string>& cells, const ValidationRow& row, const MeasuredQuantity& quantity) {
  for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
    const MeasuredValue& measured = row.measured.values[i];
    if (measured.quantity != &quantity) continue;
    const std::string error = signed_percent(row.error(i));
    cells.push_back(number_text(measured.value * quantity.shown_factor));
    cells.push_back(estimate_text(row.simulated[i], quantity.shown_factor));
    cells.push_back(row.scored(i) ? error : "(" + error + ")");
    return;
  }
  cells.insert(cells.end(), {none, none, none});
}

std::string points_table(const ValidationCase& validation, Quantities quantities, TextStyle style) {
  // The ratio is of rate and latency, so it stands beside the rate.
  const bool with_ratio =
      std::any_of(quantities.begin(), quantities.end(), [](const auto* one) { return one->name == "items_per_s"; }) &&
      std::any_of(validation.rows.begin(), validation.rows.end(),
                  [](const ValidationRow& row) { return row.little_ratio.has_value(); });
  const bool with_unscored = std::any_of(validation.rows.begin(), validation.rows.end(),
                                         [](const ValidationRow& row) { return !row.unscored().empty(); });
  std::vector<TextTable::Column> columns{{"point", Align::left}};
  for (const MeasuredQuantity* quantity : quantities) {
    columns.push_back({heading_of(*quantity), Align::right});
    columns.push_back({"simulated", Align::right});
    columns.push_back({"error", Align::right});
  }
  if (with_ratio) columns.push_back({"Little", Align::right});
  if (with_unscored) columns.push_back({"unscored", Align::left});
  TextTable table(std::move(columns));
  for (const ValidationRow& row : validation.rows) {
    std::vector<std::string> cells{row.measured.label + (row.measured.remark.empty() ? "" : " *")};
    for (const MeasuredQuantity* quantity : quantities) add_cells(cells, row, *quantity);
    if (with_ratio) cells.push_back(row.little_ratio ? fixed_text(*row.little_ratio, 2) : none);
    if (with_unscored) cells.push_back(row.unscored());
    table.add_row(std::move(cells));
  }
  return table.text(style);
}

// Rows that share a remark are named together before it.
std::string remarks(const ValidationCase& validation) {
  std::vector<std::pair<std::string, std::string>> notes;
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
  return notes_text(notes);
}

std::string target_text(const Score& score) {
  if (!score.target) return none;
  std::string text;
  if (score.target->median) text = "median " + percent_text(*score.target->median);
  if (score.target->worst) text += (text.empty() ? "" : ", ") + ("worst " + percent_text(*score.target->worst));
  return text;
}

std::string verdict(const Score& score) {
  const auto within = score.within();
  if (!within) return score.target ? "NO ROWS" : none;
  return *within ? "within" : "OUTSIDE";
}

std::vector<std::string> score_cells(const Score& score) {
  const bool any = score.rows > 0;
  return {std::string(score.quantity->heading),
          std::to_string(score.rows),
          any ? fixed_text(score.median_absolute_error * 100.0, 1) + " %" : none,
          any ? signed_percent(score.worst_error) : none,
          any ? score.worst_at : none,
          any ? signed_percent(score.mean_error) : none,
          score.trend ? fixed_text(score.trend->rho, 2) : none,
          score.trend ? number_text(score.trend->p_value, 2) : none,
          target_text(score),
          verdict(score)};
}

std::vector<TextTable::Column> score_columns() {
  return {{"error of", Align::left}, {"rows", Align::right},  {"median", Align::right}, {"worst", Align::right},
          {"at", Align::left},       {"mean", Align::right},  {"trend", Align::right},  {"p", Align::right},
          {"target", Align::left},   {"verdict", Align::left}};
}

std::string case_scores(const ValidationCase& validation, TextStyle style) {
  TextTable table(score_columns());
  for (const Score& score : scores(validation)) table.add_row(score_cells(score));
  return table.text(style);
}

std::string all_scores(const ValidationReport& report, TextStyle style) {
  TextTable table({{"case", Align::left},
                   {"error of", Align::left},
                   {"rows", Align::right},
                   {"median", Align::right},
                   {"worst", Align::right},
                   {"target", Align::left},
                   {"verdict", Align::left}});
  for (const ValidationCase& validation : report.cases) {
    std::string name = validation.about.id;
    for (const Score& score : scores(validation)) {
      const std::vector<std::string> cells = score_cells(score);
      table.add_row({name, cells[0], cells[1], cells[2], cells[3], cells[8], cells[9]});
      name.clear();
    }
  }
  return heading("All cases" + changed(report.changes), style) + table.text(style);
}

std::string case_text(const ValidationCase& validation, const std::vector<std::string>& changes, TextStyle style) {
  const MeasuredSystem& about = validation.about;
  std::string text = heading(about.title + changed(changes), style);
  text += notes_text({{"measured", about.source + (about.verified ? "" : "; not compared with the publication")},
                      {"simulated", "scenario " + about.scenario},
                      {"calibration", about.calibration}});
  std::vector<const MeasuredQuantity*> quantities;
  for (const Score& score : scores(validation)) quantities.push_back(score.quantity);
  for (std::size_t first = 0; first < quantities.size(); first += quantities_side_by_side) {
    const std::size_t count = std::min(quantities_side_by_side, quantities.size() - first);
    text += points_table(validation, Quantities(quantities).subspan(first, count), style) + "\n";
  }
  return text + remarks(validation) + notes_text({{"note", about.notes}}) + case_scores(validation, style) +
         hypotheses_text(validation, style);
}

}  // namespace

std::string validation_summary(const ValidationReport& report, TextStyle style) {
  return all_scores(report, style) + joint_hypotheses_text(report, style);
}

std::string validation_table(const ValidationReport& report, TextStyle style) {
  std::string text;
  for (const ValidationCase& validation : report.cases) {
    text += (text.empty() ? "" : "\n") + case_text(validation, report.changes, style);
  }
  text += joint_hypotheses_text(report, style);
  if (report.cases.size() > 1) text += "\n" + all_scores(report, style);
  return text;
}

}  // namespace saturn
