#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Quantities = std::span<const MeasuredQuantity* const>;

// More than three quantities side by side, at three columns each, are wider than a terminal.
constexpr std::size_t quantities_side_by_side = 3;

Column measured_column(std::string title) {
  return {.title = std::move(title), .shown = Shown::number};
}

void add_cells(std::vector<Cell>& cells, const ValidationRow& row, const MeasuredQuantity& quantity) {
  for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
    const MeasuredValue& measured = row.measured.values[i];
    if (measured.quantity != &quantity) continue;
    const std::string error = signed_percent_text(row.error(i));
    cells.emplace_back(measured.value * quantity.shown_factor);
    cells.emplace_back(estimate_text(row.simulated[i], quantity.shown_factor));
    cells.emplace_back(row.scored(i) ? error : "(" + error + ")");
    return;
  }
  cells.insert(cells.end(), 3, Cell());
}

Table points_table(const ValidationCase& validation, Quantities quantities) {
  // The ratio is of rate and latency, so it stands beside the rate.
  const bool with_rate =
      std::any_of(quantities.begin(), quantities.end(), [](const auto* one) { return one->name == "items_per_s"; });
  const auto any = [&](auto is_so) { return std::any_of(validation.rows.begin(), validation.rows.end(), is_so); };
  const bool with_printed = with_rate && any([](const ValidationRow& row) { return row.loop().has_value(); });
  const bool with_ratio =
      with_rate && any([](const ValidationRow& row) { return row.little_ratio.has_value() && !row.loop(); });
  const bool with_mark = std::any_of(validation.rows.begin(), validation.rows.end(),
                                     [](const ValidationRow& row) { return !row.mark().empty(); });
  Table table{.columns = {{.title = "point"}}, .readers = For::people};
  for (const MeasuredQuantity* quantity : quantities) {
    table.columns.push_back(measured_column(name_with_unit(quantity->heading, quantity->unit)));
    table.columns.push_back(measured_column("simulated"));
    table.columns.push_back(measured_column("error"));
  }
  if (with_printed) table.columns.push_back(measured_column("printed items/s"));
  if (with_ratio) table.columns.push_back(measured_column("Little"));
  if (with_mark) table.columns.push_back({.title = "mark"});
  for (const ValidationRow& row : validation.rows) {
    std::vector<Cell> cells{row.measured.label + (row.measured.remark.empty() ? "" : " *")};
    for (const MeasuredQuantity* quantity : quantities) add_cells(cells, row, *quantity);
    if (with_printed) cells.push_back(cell(row.measured.printed_per_s));
    if (with_ratio) cells.push_back(row.little_ratio ? Cell(fixed_text(*row.little_ratio, 2)) : Cell());
    if (with_mark) cells.emplace_back(row.mark());
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

/// ", CHANGED: /pointer=value, ..."; empty where nothing was changed.
std::string changes_text(const std::vector<std::string>& changes) {
  return changes.empty() ? "" : ", CHANGED: " + joined(changes);
}

/// The rows of a case beside their simulations; several tables where the case has many quantities.
std::vector<Table> point_tables(const ValidationCase& validation) {
  std::vector<const MeasuredQuantity*> quantities;
  for (const Score& score : scores(validation)) quantities.push_back(score.quantity);
  std::vector<Table> tables;
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

/// A table of scores, without rows: for people the heads of these columns, for programs every number.
/// @param of_all  of all cases: without where the worst error is, mean and trend
Table scores_table(bool of_all) {
  const For detailed = of_all ? For::programs : For::everyone;
  const auto people = [](std::string title, Shown shown, For readers = For::people) {
    return Column{.title = std::move(title), .shown = shown, .readers = readers};
  };
  const For only_one = of_all ? For::programs : For::people;
  return {.place = {"errors"},
          .columns = {{.key = "case", .readers = For::programs, .names = true},
                      people("case", Shown::word, of_all ? For::people : For::programs),
                      {.key = "quantity", .readers = For::programs, .names = true},
                      people("error of", Shown::word),
                      {.key = "rows", .title = "rows", .shown = Shown::whole},
                      hidden("median_absolute_error"),
                      people("median", Shown::number),
                      hidden("worst_error"),
                      people("worst", Shown::number),
                      {.key = "worst_at", .title = "at", .readers = detailed},
                      hidden("mean_error"),
                      people("mean", Shown::number, only_one),
                      hidden("trend_rho"),
                      people("trend", Shown::number, only_one),
                      {.key = "trend_p_value", .title = "p", .shown = Shown::number, .digits = 2, .readers = detailed},
                      hidden("target_median"),
                      hidden("target_worst"),
                      people("band", Shown::word),
                      hidden("within_target"),
                      people("verdict", Shown::word),
                      hidden("says")}};
}

void add_scores(Table& table, const ValidationCase& validation) {
  std::string name = validation.about.id;
  for (const Score& score : scores(validation)) {
    const bool any = score.rows > 0;
    const auto number = [&](double value) { return any ? Cell(value) : Cell(); };
    const auto text = [&](std::string said) { return any ? Cell(std::move(said)) : Cell(); };
    const auto within = score.within();
    table.add_row({validation.about.id,
                   name,
                   std::string(score.quantity->name),
                   std::string(score.quantity->heading),
                   std::uint64_t{score.rows},
                   number(score.median_absolute_error),
                   text(fixed_text(score.median_absolute_error * 100.0, 1) + " %"),
                   number(score.worst_error),
                   text(signed_percent_text(score.worst_error)),
                   any ? score.worst_at : no_value,
                   number(score.mean_error),
                   text(signed_percent_text(score.mean_error)),
                   score.trend ? Cell(score.trend->rho) : Cell(),
                   score.trend ? Cell(fixed_text(score.trend->rho, 2)) : Cell(),
                   score.trend ? Cell(score.trend->p_value) : Cell(),
                   score.target ? cell(score.target->median) : Cell(),
                   score.target ? cell(score.target->worst) : Cell(),
                   target_text(score),
                   within ? Cell(*within) : Cell(),
                   verdict(score),
                   verdict_in_words(score)});
    name.clear();
  }
}

std::string counted_bands(const ValidationReport& report) {
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

/// What was measured and how it was simulated, and each comparison, for programs.
void add_for_programs(Answer& answer, const ValidationReport& report) {
  answer.add_facts({}, {{"changes", report.changes}});
  Table cases{.place = {"cases"}, .shape = JsonShape::by_name, .readers = For::programs};
  for (const char* key : {"case", "title", "source", "verified", "published", "scenario", "notes", "calibration"})
    cases.columns.push_back(hidden(key));
  Table rows{.place = {"rows"}, .readers = For::programs};
  for (const char* key : {"case", "point", "little_ratio", "printed_items_per_s", "unscored", "mark", "remark"})
    rows.columns.push_back(hidden(key));
  Table comparisons{.place = {"comparisons"}, .readers = For::programs, .csv_alone = true};
  for (const char* key : {"case", "point", "quantity", "measured", "measured_sem", "simulated", "error", "scored"})
    comparisons.columns.push_back(hidden(key));
  for (const ValidationCase& one : report.cases) {
    const MeasuredSystem& about = one.about;
    cases.add_row({about.id, about.title, about.source, about.verified, about.published,
                   scenario_in_words(about.scenario, about.set), about.notes, about.calibration});
    for (const ValidationRow& row : one.rows) {
      rows.add_row({about.id, row.measured.label, cell(row.little_ratio), cell(row.measured.printed_per_s),
                    row.unscored(), row.mark(), row.measured.remark});
      for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
        const MeasuredValue& measured = row.measured.values[i];
        comparisons.add_row({about.id, row.measured.label, std::string(measured.quantity->name), measured.value,
                             cell(measured.sem), row.simulated[i], row.error(i), row.scored(i)});
      }
    }
  }
  answer.add(std::move(cases));
  answer.add(std::move(rows));
  answer.add(std::move(comparisons));
}

std::string words_on_rates(const ValidationCase& validation) {
  std::vector<ClosedLoopRate> loads;
  for (const ValidationRow& row : validation.rows)
    if (auto loop = row.loop()) loads.push_back(std::move(*loop));
  return rates_in_words(loads);
}

void add_case(Answer& answer, const ValidationCase& validation, bool details) {
  const MeasuredSystem& about = validation.about;
  answer.remark(
      {{"measured", about.source + (about.verified || !about.published ? "" : "; not compared with the publication")},
       {"simulated", "scenario " + scenario_in_words(about.scenario, about.set)},
       {"calibration", about.calibration}},
      details);
  for (Table& table : point_tables(validation)) {
    table.details = details;
    answer.add(std::move(table));
    answer.parts.emplace_back(Paragraph{.details = details});
  }
  answer.remark({{"rates", words_on_rates(validation)}}, details);
  answer.remark(row_remarks(validation), details);
  answer.remark({{"note", about.notes}}, details);
}

/// Shipped cases state a band for every quantity, and the table says whether it is kept.
void add_verdicts(Answer& answer, const ValidationCase& validation, bool details) {
  if (validation.about.published) return;
  std::vector<std::pair<std::string, std::string>> notes;
  for (const Score& score : scores(validation))
    notes.emplace_back("VERDICT, " + std::string(score.quantity->heading), verdict_in_words(score));
  answer.remark(notes, details);
}

}  // namespace

Answer validation_answer(const ValidationReport& report, bool summary) {
  const bool alone = report.cases.size() == 1 && !summary;
  Answer answer{.title = alone ? report.cases.front().about.title + changes_text(report.changes)
                               : "Measurements beside the simulation" + changes_text(report.changes),
                .provenance = report.provenance,
                .says_provenance = false};
  add_for_programs(answer, report);
  if (!alone) {
    answer.say(counted_bands(report));
    Table all = scores_table(true);
    all.caption = "All cases";
    all.details = false;
    for (const ValidationCase& validation : report.cases) add_scores(all, validation);
    answer.add(std::move(all));
    add_joint_hypotheses(answer, report);
  }
  for (const ValidationCase& validation : report.cases) {
    if (!alone) answer.detail(validation.about.id + ": " + validation.about.title, true);
    add_case(answer, validation, !alone);
    Table own = scores_table(false);
    add_scores(own, validation);
    own.details = !alone;
    // Programs have those of all cases already.
    if (!alone) own.readers = For::people;
    answer.add(std::move(own));
    add_verdicts(answer, validation, !alone);
    add_hypotheses(answer, validation, !alone);
  }
  return answer;
}

std::string validation_page(const ValidationReport& report) {
  const bool own = std::any_of(report.cases.begin(), report.cases.end(),
                               [](const ValidationCase& validation) { return !validation.about.published; });
  Answer answer = validation_answer(report, true);
  answer.title = own ? "Own measurements beside the simulation" : "Published measurements beside the simulation";
  const std::string computed =
      own ? "Every number of this page is computed: " + report.provenance.command + " (saturn " +
                report.provenance.version + ") simulates each measured row and compares."
          : "Every number of this page is computed: saturn validate --all --write docs/validation.md (saturn " +
                report.provenance.version +
                ") simulates each measured row and writes it. What is compared, what counts and what the columns mean: "
                "docs/models/validation.md. A case states a band for each quantity: what median and what worst error "
                "must stay within. The program ends with exit code 3 if an error leaves its band.";
  answer.parts.emplace(answer.parts.begin(), Paragraph{.text = computed});
  if (!report.changes.empty())
    answer.parts.emplace(answer.parts.begin() + 1,
                         Paragraph{.text = "Changed in every scenario: " + joined(report.changes) + "."});
  return markdown_text(answer);
}

}  // namespace saturn
