#include "reports/calibration/pointer_fit_report.hpp"

#include <algorithm>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

std::string value_text(const FittedPointer& fitted) {
  const ShownUnit unit = shown_unit(fitted.estimate.mean, fitted.unit);
  return with_unit(estimate_text(fitted.estimate, unit.factor), unit.name);
}

std::string set_options(const FittedStructure& structure) {
  std::string text;
  for (const std::string& setting : structure.settings) append_part(text, "--set " + shell_word(setting), " ");
  for (const FittedPointer& one : structure.pointers)
    append_part(text, "--set " + shell_word(one.pointer + "=" + one.setting), " ");
  return text;
}

void add_pointers(Answer& answer, const FittedStructure& structure) {
  Table table{.place = {"fitted"},
              .caption = "Fitted (95 % intervals)",
              .columns = {{.key = "pointer", .title = "field", .names = true},
                          {.title = "value", .readers = For::people},
                          {.key = "value", .readers = For::programs},
                          {.key = "unit", .readers = For::programs},
                          {.key = "setting", .readers = For::programs},
                          {.key = "at_bound", .readers = For::programs},
                          {.title = "remark", .readers = For::people}},
              .details = false};
  for (const FittedPointer& one : structure.pointers)
    table.add_row({one.pointer, value_text(one), one.estimate, one.unit, one.setting, one.at_bound,
                   one.at_bound ? "at the end of its range, which the rows would leave" : ""});
  answer.add(std::move(table));
  if (!structure.unused.empty())
    answer.say("  not fitted in this structure, which sets them or in which no named row responds to them: " +
               joined_and(structure.unused));
}

void say_how_certain(Answer& answer, const FittedStructure& structure) {
  if (structure.freedom > 0) {
    answer.say("  the intervals follow from what the fit leaves of its residuals, root mean square " +
               percent_text(structure.fitted_error) + ", with " + counted(structure.freedom, "degree") + " of freedom");
    return;
  }
  answer.say(
      "  there are as many measured numbers as fitted values, so that nothing tells an error: the intervals are "
      "what 1 % in each measured number would change");
}

std::string use_of(const FittedRow& row) {
  return row.judges ? "judges" : "fitted";
}

void add_row_values(Table& table, const FittedRow& one) {
  for (std::size_t i = 0; i < one.row.measured.values.size(); ++i) {
    const MeasuredValue& value = one.row.measured.values[i];
    const MeasuredQuantity& quantity = *value.quantity;
    table.add_row({one.file, one.row.measured.label, use_of(one), std::string(quantity.name),
                   name_with_unit(quantity.heading, quantity.unit), value.value, value.value * quantity.shown_factor,
                   one.row.simulated[i], estimate_text(one.row.simulated[i], quantity.shown_factor), one.row.error(i),
                   signed_percent_text(one.row.error(i)), one.left_out ? Cell(one.left_out->error(i)) : Cell(),
                   one.left_out ? Cell(signed_percent_text(one.left_out->error(i))) : Cell()});
  }
}

void add_rows(Answer& answer, const FittedStructure& structure) {
  const bool with_left_out =
      std::any_of(structure.rows.begin(), structure.rows.end(), [](const FittedRow& row) { return row.left_out; });
  Table table{.place = {"rows"},
              .caption = "Measured and simulated",
              .columns = {{.key = "file", .readers = For::programs, .names = true},
                          {.key = "row", .title = "row", .names = true},
                          {.key = "use", .title = "use"},
                          {.key = "quantity", .readers = For::programs, .names = true},
                          {.title = "quantity", .readers = For::people},
                          {.key = "measured", .readers = For::programs},
                          {.title = "measured", .shown = Shown::number, .readers = For::people},
                          {.key = "simulated", .readers = For::programs},
                          {.title = "simulated", .shown = Shown::number, .readers = For::people},
                          {.key = "error", .readers = For::programs},
                          {.title = "error", .shown = Shown::number, .readers = For::people},
                          {.key = "error_left_out", .readers = For::programs},
                          {.title = "error if left out",
                           .shown = Shown::number,
                           .readers = with_left_out ? For::people : For::programs}},
              .details = false};
  for (const FittedRow& one : structure.rows) add_row_values(table, one);
  answer.add(std::move(table));
}

void add_residuals(Answer& answer, const FittedStructure& structure) {
  Table table{.place = {"residuals"},
              .caption =
                  "Residuals: of times and rates ln(simulated / measured), of parts of a latency their "
                  "difference over the latency",
              .columns = {{.key = "row", .title = "row", .names = true},
                          {.key = "number", .title = "number", .names = true},
                          {.key = "fitted", .title = "in the fit"},
                          {.key = "residual", .title = "residual", .shown = Shown::percent},
                          {.key = "residual_left_out", .title = "if left out", .shown = Shown::percent}}};
  for (const FittedRow& one : structure.rows)
    for (std::size_t i = 0; i < one.terms.size(); ++i)
      table.add_row({one.row.measured.label, one.terms[i].name, one.terms[i].fitted, one.terms[i].residual,
                     i < one.terms_left_out.size() ? Cell(one.terms_left_out[i].residual) : Cell()});
  answer.add(std::move(table));
}

std::string values_of(const FittedStructure& structure) {
  return joined(texts_of(structure.pointers, [](const FittedPointer& one) {
    return one.pointer.substr(one.pointer.rfind('/') + 1) + " " + value_text(one);
  }));
}

void add_structures(Answer& answer, const PointerFitReport& report) {
  Table table{.place = {"structures"},
              .caption = report.rows_judge ? "Structures, by the rows that judge"
                                           : "Structures, each row predicted by a fit to the others",
              .columns = {{.key = "structure", .title = "structure", .names = true},
                          {.key = "error_outside", .title = "error outside the fit", .shown = Shown::percent},
                          {.key = "error_fitted", .title = "within it", .shown = Shown::percent},
                          {.key = "chosen", .readers = For::programs},
                          {.key = "settings", .readers = For::programs},
                          {.title = "values", .readers = For::people},
                          {.key = "refused", .title = "remark"}},
              .details = false};
  for (std::size_t i = 0; i < report.structures.size(); ++i) {
    const FittedStructure& one = report.structures[i];
    const bool is_chosen = i == report.chosen;
    table.add_row({one.name, cell(one.outside), one.refused.empty() ? Cell(one.fitted_error) : Cell(), is_chosen,
                   one.settings, values_of(one), is_chosen ? "chosen" : one.refused});
  }
  answer.add(std::move(table));
}

bool has_term(const FittedStructure& structure, std::string_view name) {
  return std::any_of(structure.rows.begin(), structure.rows.end(), [&](const FittedRow& row) {
    return std::any_of(row.terms.begin(), row.terms.end(), [&](const FitTerm& term) { return term.name == name; });
  });
}

/// What nobody should overlook who uses the fit.
void say_doubts(Answer& answer, const PointerFitReport& report) {
  const FittedStructure& structure = report.structures.at(report.chosen);
  if (report.structures.size() > 1 && !has_term(structure, "queue") && !has_term(structure, "compute"))
    answer.say(
        "The rows know no queue and no compute time, in which structures differ most: the choice rests on times that "
        "several structures may have. Columns queue_s and compute_s decide, as perf_analyzer's CSV has them.");
  if (!is_a_fit(report))
    answer.say("NO FIT: what is simulated misses the fitted numbers by " + percent_text(structure.fitted_error) +
               ". Look at the units of the rows, and at what the fields may not leave; --out writes nothing of it.");
}

}  // namespace

std::vector<std::string> fit_in_lines(const PointerFitReport& report) {
  const FittedStructure& structure = report.structures.at(report.chosen);
  std::vector<std::string> lines;
  for (const FittedPointer& one : structure.pointers) lines.push_back(one.pointer + " = " + value_text(one));
  std::vector<std::string> rows;
  for (const FittedRow& one : structure.rows)
    if (!one.judges) rows.push_back(one.row.measured.label);
  lines.push_back("fitted to " + joined(rows, "; ") + " of " + joined(report.data));
  if (report.structures.size() > 1) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < report.structures.size(); ++i)
      if (i != report.chosen) others.push_back(report.structures[i].name);
    lines.push_back("structure " + structure.name + ", chosen before " + joined(others));
  }
  lines.push_back("saturn " + report.provenance.version + ", " + report.provenance.command);
  return lines;
}

bool is_a_fit(const PointerFitReport& report) {
  constexpr double most_missed = 0.5;
  return report.structures.at(report.chosen).fitted_error <= most_missed;
}

Answer pointer_fit_answer(const PointerFitReport& report) {
  const FittedStructure& structure = report.structures.at(report.chosen);
  Answer answer{.title = report.scenario + ", fitted" + (structure.name.empty() ? "" : ": " + structure.name),
                .provenance = report.provenance};
  add_pointers(answer, structure);
  say_how_certain(answer, structure);
  add_rows(answer, structure);
  add_residuals(answer, structure);
  if (report.structures.size() > 1) add_structures(answer, report);
  say_doubts(answer, report);
  if (is_a_fit(report))
    answer.say("use it: " + set_options(structure) +
               (report.written.empty() ? "" : "; or the scenario " + report.written));
  return answer;
}

}  // namespace saturn
