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

TextTable tornado(const Sensitivity& sensitivity) {
  const ShownUnit unit = shown_unit(sensitivity.value, sensitivity.unit);
  TextTable table({{"elasticity", TextTable::Align::right},
                   {name_with_unit("if lower", unit.name), TextTable::Align::right},
                   {"if higher", TextTable::Align::right},
                   {"share", TextTable::Align::right},
                   {"- lower, + higher"},
                   {"value", TextTable::Align::right},
                   {"off by", TextTable::Align::right},
                   {"input"}});
  const double reach = reach_of(sensitivity);
  for (std::size_t i = 0; i < sensitivity.rows.size() && i < most_inputs_shown; ++i) {
    const SensitivityRow& row = sensitivity.rows[i];
    table.add_row({estimate_text(row.elasticity), number_text(unit.factor * row.when_low),
                   number_text(unit.factor * row.when_high), share_text(row.variance_share),
                   reach > 0.0 ? tornado_bar(row.when_low, row.when_high, sensitivity.value, reach, tornado_width) : "",
                   row.input.value, percent_text(row.input.uncertainty), input_text(row.input)});
  }
  return table;
}

std::string answer_text(const Sensitivity& sensitivity) {
  const ShownUnit unit = shown_unit(sensitivity.value, sensitivity.unit);
  return number_text(unit.factor * sensitivity.value) + (unit.name.empty() ? " " : " " + unit.name + ", ") +
         sensitivity.answer;
}

std::string left_out(const Sensitivity& sensitivity) {
  if (sensitivity.rows.size() <= most_inputs_shown) return "";
  double share = 0.0;
  for (std::size_t i = most_inputs_shown; i < sensitivity.rows.size(); ++i) share += sensitivity.rows[i].variance_share;
  return std::to_string(sensitivity.rows.size() - most_inputs_shown) + " inputs with narrower bars, which bring " +
         share_text(share) + " of the variance; --format json has them";
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

std::string sensitivity_text(const Sensitivity& sensitivity, TextStyle style) {
  std::string text = heading("What the answer depends on: " + answer_text(sensitivity), style);
  if (!sensitivity.rows.empty()) text += tornado(sensitivity).text(style);
  std::vector<std::pair<std::string, std::string>> notes;
  if (!sensitivity.rows.empty())
    notes.emplace_back("elasticity",
                       "by how many per cent the answer changes when the input grows by 1 %; lower and higher: the "
                       "answer with the input off by its uncertainty, " +
                           percent_text(sensitivity.assumed) +
                           " where none is known; share: of the variance that all inputs bring");
  notes.emplace_back("next", sensitivity.next_measurement);
  notes.emplace_back("not shown", left_out(sensitivity));
  notes.emplace_back("no effect", joined(sensitivity.without_effect, ", ", most_names));
  for (const std::string& note : sensitivity.notes) notes.emplace_back("note", note);
  return text + notes_text(notes);
}

void add_sensitivity(CsvRows& rows, const Sensitivity& sensitivity) {
  const std::string section = "sensitivity";
  rows.add(section, sensitivity.answer, "value", sensitivity.value);
  for (const SensitivityRow& row : sensitivity.rows) {
    rows.add(section, row.input.pointer, "elasticity", row.elasticity);
    rows.add(section, row.input.pointer, "answer_when_low", row.when_low);
    rows.add(section, row.input.pointer, "answer_when_high", row.when_high);
    rows.add(section, row.input.pointer, "uncertainty", row.input.uncertainty);
    rows.add(section, row.input.pointer, "variance_share", row.variance_share);
  }
  for (const std::string& pointer : sensitivity.without_effect) rows.add(section, pointer, "elasticity", 0.0);
}

}  // namespace saturn
