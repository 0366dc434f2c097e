#include "reports/plan/sensitivity_report.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t tornado_width = 17;
constexpr std::size_t most_inputs_shown = 12;
constexpr std::size_t most_names = 8;

/// To a tenth of a per cent: less is nothing.
std::string share_text(double share) {
  return percent_text(std::round(1e3 * share) / 1e3);
}

/// Largest finite distance from the answer.
double reach_of(const Sensitivity& sensitivity) {
  double reach = 0.0;
  for (const SensitivityRow& row : sensitivity.rows)
    if (const double one = row.reach(sensitivity.value); std::isfinite(one)) reach = std::max(reach, one);
  return reach;
}

std::string input_text(const SensitivityInput& input) {
  std::string text = input.pointer;
  // What is assumed is so for all that do not say otherwise, and said once.
  if (!input.fit.empty()) text += " (" + input.fit + ")";
  return text;
}

std::string left_out(const Sensitivity& sensitivity) {
  if (sensitivity.rows.size() <= most_inputs_shown) return "";
  double share = 0.0;
  for (std::size_t i = most_inputs_shown; i < sensitivity.rows.size(); ++i) share += sensitivity.rows[i].variance_share;
  return "and " + std::to_string(sensitivity.rows.size() - most_inputs_shown) +
         " inputs with narrower bars, which bring " + share_text(share) + " of the variance; --format json has them";
}

Table tornado(const Sensitivity& sensitivity) {
  const ShownUnit unit = shown_unit(sensitivity.value, sensitivity.unit);
  Table table{
      .place = {"sensitivity", "inputs"},
      .columns = {hidden("input"),
                  {.key = "elasticity", .title = "elasticity", .shown = Shown::number},
                  {.key = "answer_when_low",
                   .title = name_with_unit("if lower", unit.name),
                   .shown = Shown::number,
                   .factor = unit.factor},
                  {.key = "answer_when_high", .title = "if higher", .shown = Shown::number, .factor = unit.factor},
                  {.title = "share", .shown = Shown::number, .readers = For::people},
                  hidden("variance_share"),
                  {.title = "- lower, + higher", .readers = For::people},
                  {.key = "value", .title = "value", .shown = Shown::number},
                  {.key = "uncertainty", .title = "off by", .shown = Shown::percent},
                  hidden("uncertainty_from"),
                  {.title = "input", .readers = For::people}},
      .first_rows = most_inputs_shown,
      .more_rows = left_out(sensitivity)};
  const double reach = reach_of(sensitivity);
  for (const SensitivityRow& row : sensitivity.rows)
    table.add_row({row.input.pointer, row.elasticity, row.when_low, row.when_high, share_text(row.variance_share),
                   row.variance_share,
                   reach > 0.0 ? tornado_bar(row.when_low, row.when_high, sensitivity.value, reach, tornado_width)
                               : std::string(),
                   row.input.value, row.input.uncertainty, uncertainty_from(row.input), input_text(row.input)});
  return table;
}

std::string answer_text(const Sensitivity& sensitivity) {
  const ShownUnit unit = shown_unit(sensitivity.value, sensitivity.unit);
  return number_text(unit.factor * sensitivity.value) + (unit.name.empty() ? " " : " " + unit.name + ", ") +
         sensitivity.answer;
}

}  // namespace

std::string tornado_bar(double when_low, double when_high, double answer, double reach, std::size_t width) {
  const std::size_t middle = width / 2;
  const auto half = static_cast<double>(middle);
  const auto cell = [&](double value) {
    const double share = std::isfinite(value) ? std::clamp((value - answer) / reach, -1.0, 1.0) : 0.0;
    return static_cast<std::size_t>(std::lround(half) + std::lround(share * half));
  };
  const std::size_t low = cell(when_low);
  const std::size_t high = cell(when_high);
  std::string bar(width, ' ');
  for (std::size_t i = std::min(low, high); i <= std::max(low, high); ++i) bar[i] = '=';
  bar[low] = '-';
  bar[high] = '+';
  bar[middle] = '|';
  return bar;
}

void add_sensitivity(Answer& answer, const Sensitivity& sensitivity) {
  Table about = facts_for_programs({"sensitivity"});
  about.add("answer", sensitivity.answer);
  about.add("unit", sensitivity.unit);
  about.add("value", sensitivity.value);
  about.add("change", sensitivity.change);
  about.add("assumed", sensitivity.assumed);
  about.add("without_effect", sensitivity.without_effect);
  about.add("next_measurement", cell_word(sensitivity.next_measurement));
  about.add("notes", sensitivity.notes);
  answer.add(std::move(about));
  answer.detail("What the answer depends on: " + answer_text(sensitivity), true);
  answer.add(tornado(sensitivity));
  std::vector<std::pair<std::string, std::string>> notes;
  if (!sensitivity.rows.empty())
    notes.emplace_back("elasticity",
                       "by how many per cent the answer changes when the input grows by 1 %; lower and higher: the "
                       "answer with the input off by its uncertainty, " +
                           percent_text(sensitivity.assumed) +
                           " where none is known; share: of the variance that all inputs bring");
  notes.emplace_back("next", sensitivity.next_measurement);
  notes.emplace_back("no effect", joined(sensitivity.without_effect, ", ", most_names));
  for (const std::string& note : sensitivity.notes) notes.emplace_back("note", note);
  answer.remark(notes);
}

}  // namespace saturn
