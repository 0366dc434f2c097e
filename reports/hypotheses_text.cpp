#include <cmath>

#include "reports/number_text.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

/// Which of the two is closer; empty where both predict the same.
std::string closer(const ValidationCase& validation, double measured, double first, double second) {
  if (!(std::abs(std::log(first / second)) > least_telling_difference)) return "";
  const bool leads = std::abs(std::log(first / measured)) <= std::abs(std::log(second / measured));
  return validation.about.hypotheses[leads ? 0 : 1].name;
}

std::string rows_table(const ValidationCase& validation, const MeasuredQuantity& quantity, TextStyle style) {
  const std::string unit = quantity.unit.empty() ? "" : " [" + std::string(quantity.unit) + "]";
  TextTable table({{"point"},
                   {std::string(quantity.heading) + unit, Align::right},
                   {validation.about.hypotheses[0].name, Align::right},
                   {"error", Align::right},
                   {validation.about.hypotheses[1].name, Align::right},
                   {"error", Align::right},
                   {"closer"}});
  for (std::size_t i = 0; i < validation.rows.size(); ++i) {
    const ValidationRow& row = validation.rows[i];
    for (std::size_t k = 0; k < row.measured.values.size(); ++k) {
      const MeasuredValue& value = row.measured.values[k];
      if (value.quantity != &quantity) continue;
      const Estimate& first = validation.rivals[0][i][k];
      const Estimate& second = validation.rivals[1][i][k];
      table.add_row(
          {row.measured.label, number_text(value.value * quantity.shown_factor),
           number_text(first.mean * quantity.shown_factor), signed_percent_text(first.mean / value.value - 1.0),
           number_text(second.mean * quantity.shown_factor), signed_percent_text(second.mean / value.value - 1.0),
           row.scored(k) ? closer(validation, value.value, first.mean, second.mean)
                         : "(" + (row.unscored().empty() ? "not counted" : row.unscored()) + ")"});
    }
  }
  return table.text(style);
}

std::string judgements_table(const std::vector<Judgement>& all, const MeasuredQuantity* decides_by, TextStyle style) {
  TextTable table({{"judged by"},
                   {"rows", Align::right},
                   {"that tell", Align::right},
                   {"typical error", Align::right},
                   {"closer", Align::right},
                   {"log-likelihood ratio", Align::right},
                   {"p", Align::right},
                   {""}});
  for (const Judgement& one : all) {
    const HypothesisComparison& found = one.comparison;
    table.add_row({std::string(one.quantity->heading), std::to_string(found.rows), std::to_string(found.telling_rows),
                   percent_text(found.first.typical_error) + " : " + percent_text(found.second.typical_error),
                   std::to_string(found.first.rows_closer) + " : " + std::to_string(found.second.rows_closer),
                   fixed_text(found.log_likelihood_ratio, 1), number_text(found.p_value, 2),
                   one.quantity == decides_by ? "decides" : ""});
  }
  return table.text(style);
}

}  // namespace

std::string hypotheses_text(const ValidationCase& validation, TextStyle style) {
  const std::vector<Judgement> all = judgements(validation);
  if (all.empty()) return "";
  std::string text = "\n" + heading("Hypotheses", style);
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MeasuredHypothesis& one : validation.about.hypotheses) {
    notes.emplace_back(one.name, one.says + "; scenario " + one.scenario_in_words());
  }
  notes.emplace_back("decides",
                     std::string(validation.about.decides_by->heading) + ": " + validation.about.decides_because);
  text += notes_text(notes);
  for (const Judgement& one : all) {
    if (one.quantity == validation.about.decides_by) {
      text += "  " + judgement_in_words(one.comparison, one.first, one.second) + "\n";
    }
  }
  text += rows_table(validation, *validation.about.decides_by, style) + "\n";
  return text + judgements_table(all, validation.about.decides_by, style) +
         "  typical error and closer: " + validation.about.hypotheses[0].name + " : " +
         validation.about.hypotheses[1].name + "; a log-likelihood ratio above 0 is for " +
         validation.about.hypotheses[0].name + "\n";
}

std::string joint_hypotheses_text(const ValidationReport& report, TextStyle style) {
  const std::optional<Judgement> joint = joint_judgement(report);
  if (!joint) return "";
  return "\n" + heading("Hypotheses, all their cases together: " + joint->first + " or " + joint->second, style) +
         "  " + judgement_in_words(joint->comparison, joint->first, joint->second) + "\n" +
         judgements_table({*joint}, joint->quantity, style);
}

}  // namespace saturn
