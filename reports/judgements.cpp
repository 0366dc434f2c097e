#include <algorithm>

#include "reports/validation_report.hpp"

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

}  // namespace saturn
