#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/validation_report.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// Adds the rows of a case that count and have the quantity.
void add_rows(std::vector<RivalPredictions>& rows, const ValidationCase& validation, const MeasuredQuantity& quantity) {
  for (std::size_t i = 0; i < validation.rows.size(); ++i) {
    const ValidationRow& row = validation.rows[i];
    for (std::size_t k = 0; k < row.measured.values.size(); ++k) {
      if (row.measured.values[k].quantity != &quantity || !row.scored(k)) continue;
      rows.push_back({.measured = row.measured.values[k].value,
                      .first = validation.rivals[0][i][k].mean,
                      .second = validation.rivals[1][i][k].mean});
    }
  }
}

bool can_be_joined(const ValidationCase& one, const ValidationCase& other) {
  const std::vector<MeasuredHypothesis>& rivals = one.about.hypotheses;
  const std::vector<MeasuredHypothesis>& others = other.about.hypotheses;
  return one.about.decides_by == other.about.decides_by && one.rivals.size() == 2 && other.rivals.size() == 2 &&
         rivals[0].name == others[0].name && rivals[1].name == others[1].name;
}

}  // namespace

std::vector<Judgement> judgements(const ValidationCase& validation) {
  std::vector<Judgement> result;
  if (validation.rivals.size() != 2) return result;
  for (const Score& score : scores(validation)) {
    std::vector<RivalPredictions> rows;
    add_rows(rows, validation, *score.quantity);
    // A module time below zero is a row's event time that is shorter than its own measured remainder.
    std::erase_if(rows, [](const RivalPredictions& row) { return !(row.first > 0.0) || !(row.second > 0.0); });
    const auto comparison = compare_hypotheses(rows);
    if (!comparison) continue;
    result.push_back({.quantity = score.quantity,
                      .first = validation.about.hypotheses[0].name,
                      .second = validation.about.hypotheses[1].name,
                      .comparison = *comparison});
  }
  return result;
}

std::optional<Judgement> joint_judgement(const ValidationReport& report) {
  const auto with = std::find_if(report.cases.begin(), report.cases.end(),
                                 [](const ValidationCase& one) { return one.rivals.size() == 2; });
  if (with == report.cases.end()) return std::nullopt;
  std::vector<RivalPredictions> rows;
  std::size_t joined = 0;
  for (const ValidationCase& one : report.cases) {
    if (!can_be_joined(*with, one)) continue;
    add_rows(rows, one, *with->about.decides_by);
    ++joined;
  }
  const auto comparison = compare_hypotheses(rows);
  if (joined < 2 || !comparison) return std::nullopt;
  return Judgement{.quantity = with->about.decides_by,
                   .first = with->about.hypotheses[0].name,
                   .second = with->about.hypotheses[1].name,
                   .comparison = *comparison};
}

namespace {

/// Which of the two is closer; empty where both predict the same.
std::string closer(const ValidationCase& validation, double measured, double first, double second) {
  if (!(std::abs(std::log(first / second)) > least_telling_difference)) return "";
  const bool leads = std::abs(std::log(first / measured)) <= std::abs(std::log(second / measured));
  return validation.about.hypotheses[leads ? 0 : 1].name;
}

/// The rows of the quantity that decides, for people.
Table deciding_rows(const ValidationCase& validation, const MeasuredQuantity& quantity) {
  const auto number = [](std::string title) { return Column{.title = std::move(title), .shown = Shown::number}; };
  Table table{.columns = {{.title = "point"},
                          number(name_with_unit(quantity.heading, quantity.unit)),
                          number(validation.about.hypotheses[0].name),
                          number("error"),
                          number(validation.about.hypotheses[1].name),
                          number("error"),
                          {.title = "closer"}},
              .readers = For::people};
  for (std::size_t i = 0; i < validation.rows.size(); ++i) {
    const ValidationRow& row = validation.rows[i];
    for (std::size_t k = 0; k < row.measured.values.size(); ++k) {
      const MeasuredValue& value = row.measured.values[k];
      if (value.quantity != &quantity) continue;
      const double first = validation.rivals[0][i][k].mean;
      const double second = validation.rivals[1][i][k].mean;
      table.add_row({row.measured.label, value.value * quantity.shown_factor, first * quantity.shown_factor,
                     signed_percent_text(first / value.value - 1.0), second * quantity.shown_factor,
                     signed_percent_text(second / value.value - 1.0),
                     row.scored(k) ? closer(validation, value.value, first, second)
                                   : "(" + (row.unscored().empty() ? "not counted" : row.unscored()) + ")"});
    }
  }
  return table;
}

/// What each quantity says of the two hypotheses.
Table judgements_table(const std::string& of_case, const std::vector<Judgement>& all,
                       const MeasuredQuantity* decides_by) {
  const auto people = [](std::string title, Shown shown) {
    return Column{.title = std::move(title), .shown = shown, .readers = For::people};
  };
  Table table{.place = {"judgements"},
              .columns = {{.key = "case", .readers = For::programs, .names = true},
                          {.key = "by", .readers = For::programs, .names = true},
                          people("judged by", Shown::word),
                          {.key = "rows", .title = "rows", .shown = Shown::whole},
                          {.key = "telling_rows", .title = "that tell", .shown = Shown::whole},
                          people("typical error", Shown::number),
                          people("closer", Shown::number),
                          hidden("first"),
                          hidden("first_rms_log_error"),
                          hidden("first_rows_closer"),
                          hidden("second"),
                          hidden("second_rms_log_error"),
                          hidden("second_rows_closer"),
                          hidden("log_likelihood_ratio"),
                          people("log-likelihood ratio", Shown::number),
                          {.key = "p_value", .title = "p", .shown = Shown::number, .digits = 2},
                          hidden("favours"),
                          hidden("says"),
                          people("", Shown::word)}};
  for (const Judgement& one : all) {
    const HypothesisComparison& found = one.comparison;
    const auto count = [](std::size_t rows) { return std::uint64_t{rows}; };
    table.add_row({of_case, std::string(one.quantity->name), std::string(one.quantity->heading), count(found.rows),
                   count(found.telling_rows),
                   percent_text(found.first.typical_error) + " : " + percent_text(found.second.typical_error),
                   std::to_string(found.first.rows_closer) + " : " + std::to_string(found.second.rows_closer),
                   one.first, found.first.typical_error, count(found.first.rows_closer), one.second,
                   found.second.typical_error, count(found.second.rows_closer), found.log_likelihood_ratio,
                   fixed_text(found.log_likelihood_ratio, 1), found.p_value,
                   found.can_tell() ? Cell(found.favours_first() ? one.first : one.second) : Cell(),
                   judgement_in_words(found, one.first, one.second), one.quantity == decides_by ? "decides" : ""});
  }
  return table;
}

/// What the hypotheses predict for every row, for programs.
void add_predictions(Answer& answer, const ValidationCase& validation) {
  Table hypotheses{.place = {"hypotheses"},
                   .columns = {hidden("case"), hidden("name"), hidden("scenario"), hidden("says")},
                   .readers = For::programs};
  Table predictions{
      .place = {"predictions"},
      .columns = {hidden("case"), hidden("hypothesis"), hidden("point"), hidden("quantity"), hidden("predicted")},
      .readers = For::programs};
  for (const std::size_t names : {0U, 1U}) hypotheses.columns[names].names = true;
  for (const std::size_t names : {0U, 1U, 2U, 3U}) predictions.columns[names].names = true;
  for (std::size_t h = 0; h < validation.rivals.size(); ++h) {
    const MeasuredHypothesis& hypothesis = validation.about.hypotheses[h];
    hypotheses.add_row({validation.about.id, hypothesis.name, scenario_in_words(hypothesis.scenario, hypothesis.set),
                        hypothesis.says});
    for (std::size_t i = 0; i < validation.rows.size(); ++i)
      for (std::size_t k = 0; k < validation.rows[i].measured.values.size(); ++k)
        predictions.add_row({validation.about.id, hypothesis.name, validation.rows[i].measured.label,
                             std::string(validation.rows[i].measured.values[k].quantity->name),
                             validation.rivals[h][i][k]});
  }
  answer.add(std::move(hypotheses));
  answer.add(std::move(predictions));
}

}  // namespace

void add_hypotheses(Answer& answer, const ValidationCase& validation, bool details) {
  if (!validation.rivals.empty()) add_predictions(answer, validation);
  const std::vector<Judgement> all = judgements(validation);
  if (all.empty()) return;
  const auto say = [&](std::string text, bool is_heading = false) {
    answer.parts.emplace_back(Paragraph{.text = std::move(text), .heading = is_heading, .details = details});
  };
  say("Hypotheses" + (details ? " of " + validation.about.id : ""), true);
  std::vector<std::pair<std::string, std::string>> notes;
  for (const MeasuredHypothesis& one : validation.about.hypotheses)
    notes.emplace_back(one.name, one.says + "; scenario " + scenario_in_words(one.scenario, one.set));
  notes.emplace_back("decides",
                     std::string(validation.about.decides_by->heading) + ": " + validation.about.decides_because);
  answer.remark(notes, details);
  for (const Judgement& one : all)
    if (one.quantity == validation.about.decides_by)
      say("  " + judgement_in_words(one.comparison, one.first, one.second));
  answer.add(deciding_rows(validation, *validation.about.decides_by)).details = details;
  say("");
  answer.add(judgements_table(validation.about.id, all, validation.about.decides_by)).details = details;
  say("  typical error and closer: " + validation.about.hypotheses[0].name + " : " +
      validation.about.hypotheses[1].name + "; a log-likelihood ratio above 0 is for " +
      validation.about.hypotheses[0].name);
}

void add_joint_hypotheses(Answer& answer, const ValidationReport& report) {
  const std::optional<Judgement> joint = joint_judgement(report);
  if (!joint) return;
  answer.parts.emplace_back(
      Paragraph{.text = "Hypotheses, all their cases together: " + joint->first + " or " + joint->second,
                .heading = true,
                .details = false});
  answer.say("  " + judgement_in_words(joint->comparison, joint->first, joint->second));
  answer.add(judgements_table("all", {*joint}, joint->quantity)).details = false;
}

}  // namespace saturn
