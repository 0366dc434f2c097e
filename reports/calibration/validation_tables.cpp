#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/values/text.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/tables/text_table.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;
using Quantities = std::span<const MeasuredQuantity* const>;

// More than three quantities side by side, at three columns each, are wider than a terminal.
constexpr std::size_t quantities_side_by_side = 3;

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
    columns.push_back({name_with_unit(quantity->heading, quantity->unit), Align::right});
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

/// ", CHANGED: /pointer=value, ..."; empty where nothing was changed.
std::string changes_text(const std::vector<std::string>& changes) {
  return changes.empty() ? "" : ", CHANGED: " + joined(changes);
}

/// The rows of a case beside their simulations; several tables where the case has many quantities.
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

/// What weakens rows, by the labels of the rows that share it.
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

/// The scores of one case.
TextTable case_score_table(const ValidationCase& validation) {
  TextTable table(score_columns());
  for (const Score& score : scores(validation)) table.add_row(score_cells(score));
  return table;
}

/// The scores of all cases, without where the worst error is, mean and trend.
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

namespace {

std::string all_scores(const ValidationReport& report, TextStyle style) {
  return heading("All cases" + changes_text(report.changes), style) + all_scores_table(report).text(style);
}

/// Shipped cases state a band for every quantity, and the table says whether it is kept.
std::string verdicts(const ValidationCase& validation) {
  if (validation.about.published) return "";
  std::vector<std::pair<std::string, std::string>> notes;
  for (const Score& score : scores(validation))
    notes.emplace_back("VERDICT, " + std::string(score.quantity->heading), verdict_in_words(score));
  return "\n" + notes_text(notes);
}

std::string case_text(const ValidationCase& validation, const std::vector<std::string>& changes, TextStyle style) {
  const MeasuredSystem& about = validation.about;
  std::string text = heading(about.title + changes_text(changes), style);
  text += notes_text(
      {{"measured", about.source + (about.verified || !about.published ? "" : "; not compared with the publication")},
       {"simulated", "scenario " + about.scenario},
       {"calibration", about.calibration}});
  for (const TextTable& table : point_tables(validation)) text += table.text(style) + "\n";
  return text + notes_text(row_remarks(validation)) + notes_text({{"note", about.notes}}) +
         case_score_table(validation).text(style) + verdicts(validation) + hypotheses_text(validation, style);
}

}  // namespace

std::string validation_summary(const ValidationReport& report, TextStyle style) {
  return all_scores(report, style) + joint_hypotheses_text(report, style);
}

std::string validation_table(const ValidationReport& report, TextStyle style) {
  std::string text;
  for (const ValidationCase& validation : report.cases) {
    append_part(text, case_text(validation, report.changes, style), "\n");
  }
  text += joint_hypotheses_text(report, style);
  if (report.cases.size() > 1) text += "\n" + all_scores(report, style);
  return text;
}

namespace {

std::string csv_row(const std::string& id, const ValidationRow& row, std::size_t index) {
  const MeasuredValue& measured = row.measured.values[index];
  const Estimate& simulated = row.simulated[index];
  return csv_cell(id) + ',' + csv_cell(row.measured.label) + ',' + std::string(measured.quantity->name) + ',' +
         csv_number(measured.value) + ',' + (measured.sem ? csv_number(*measured.sem) : "") + ',' +
         csv_number(simulated.mean) + ',' + csv_number(simulated.low) + ',' + csv_number(simulated.high) + ',' +
         csv_number(simulated.confidence) + ',' + std::to_string(simulated.replications) + ',' +
         csv_number(row.error(index)) + ',' + (row.scored(index) ? "true" : "false") + '\n';
}

}  // namespace

std::string validation_csv(const ValidationReport& report) {
  std::string text =
      "case,point,quantity,measured,measured_sem,simulated,low,high,confidence,replications,error,scored\n";
  for (const ValidationCase& validation : report.cases) {
    for (const ValidationRow& row : validation.rows) {
      for (std::size_t i = 0; i < row.measured.values.size(); ++i) text += csv_row(validation.about.id, row, i);
    }
  }
  return text;
}

namespace {

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : text + "\n\n";
}

std::string item(const std::string& name, const std::string& text) {
  return text.empty() ? "" : "- " + name + ": " + markdown_text(text) + "\n";
}

std::string block(const std::string& text) {
  return text.empty() ? "" : "```text\n" + text.substr(text.find_first_not_of('\n')) + "```\n\n";
}

std::string counted(const ValidationReport& report) {
  std::size_t rows = 0;
  std::size_t bands = 0;
  std::size_t kept = 0;
  std::size_t identities = 0;
  for (const ValidationCase& validation : report.cases) {
    rows += validation.rows.size();
    for (const Score& score : scores(validation)) {
      if (!score.target) continue;
      ++bands;
      if (score.within().value_or(false)) ++kept;
      if (score.rows > 0 && score.identities == score.rows) ++identities;
    }
  }
  return std::to_string(report.cases.size()) + " cases with " + std::to_string(rows) + " measured rows; " +
         std::to_string(kept) + " of " + std::to_string(bands) + " stated bands are kept, " +
         std::to_string(identities) + " of them by rows that predict nothing (identity).";
}

std::string changes_paragraph(const ValidationReport& report) {
  if (report.changes.empty()) return paragraph("");
  return paragraph("**Changed in every scenario**: " + markdown_text(joined(report.changes)) + ".");
}

std::string case_section(const ValidationCase& validation) {
  const MeasuredSystem& about = validation.about;
  std::string text = "## " + about.id + "\n\n";
  text += paragraph(markdown_text(about.title) + ".");
  text +=
      item("Source", about.source + (about.verified || !about.published ? "" : "; not compared with the publication"));
  text += "- Simulated: scenario `" + about.scenario + "`\n";
  text += item("Calibration", about.calibration) + item("Notes", about.notes) + "\n";
  for (const TextTable& table : point_tables(validation)) text += table.markdown() + "\n";
  std::string remarks;
  for (const auto& [rows, remark] : row_remarks(validation)) remarks += item(markdown_text(rows), remark);
  if (!remarks.empty()) text += remarks + "\n";
  text += case_score_table(validation).markdown() + "\n";
  if (!about.published) {
    for (const Score& score : scores(validation))
      text += item("Verdict, " + std::string(score.quantity->heading), verdict_in_words(score));
    text += "\n";
  }
  return text + block(hypotheses_text(validation, {}));
}

std::string introduction(const ValidationReport& report) {
  const bool own = std::any_of(report.cases.begin(), report.cases.end(),
                               [](const ValidationCase& validation) { return !validation.about.published; });
  if (own)
    return "# Own measurements beside the simulation\n\n" +
           paragraph("Every number of this page is computed: `" + report.provenance.command + "` (saturn " +
                     report.provenance.version + ") simulates each measured row and compares.");
  return "# Published measurements beside the simulation\n\n" +
         paragraph(
             "Every number of this page is computed: `saturn validate --all --write docs/validation.md` (saturn " +
             report.provenance.version +
             ") simulates each measured row and writes it. [models/validation.md](models/validation.md) says what is "
             "compared, what counts, and what the columns mean. A case states a band for each quantity: what median "
             "and what worst error must stay within. The program ends with exit code 3 if an error leaves its band.");
}

}  // namespace

std::string validation_page(const ValidationReport& report) {
  std::string text = introduction(report);
  text += changes_paragraph(report);
  text += "## All cases\n\n" + paragraph(counted(report)) + all_scores_table(report).markdown() + "\n";
  text += block(joint_hypotheses_text(report, {}));
  for (const ValidationCase& validation : report.cases) text += case_section(validation);
  return text.substr(0, text.find_last_not_of('\n') + 1) + "\n";
}

}  // namespace saturn
