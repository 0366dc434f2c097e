#include "sim/plan/comparison/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/numbers.hpp"

namespace saturn {

double SensitivityRow::reach(double answer) const {
  return std::max(std::abs(when_low - answer), std::abs(when_high - answer));
}

namespace {

// Differences of formulas carry rounding errors of some 1e-12.
constexpr double least_effect = 1e-9;
constexpr double least_factor = 0.05;
constexpr double halved = 0.5;

/// An answer may stay near an input's value and move farther from it.
bool has_effect(const SensitivityRow& row, double answer) {
  return std::abs(row.elasticity.mean) > least_effect || row.elasticity.half_width() > least_effect ||
         row.reach(answer) > least_effect * answer;
}

double bar(const SensitivityRow& row) {
  const double width = std::abs(row.when_high - row.when_low);
  return std::isnan(width) ? 0.0 : width;
}

/// Half the bar, squared: the ends lie an uncertainty to both sides. One that noise alone may make counts for nothing.
double contribution(const SensitivityRow& row) {
  const Estimate& elasticity = row.elasticity;
  if (elasticity.half_width() > 0.0 && elasticity.low <= 0.0 && elasticity.high >= 0.0) return 0.0;
  return std::pow(bar(row) / 2, 2);
}

/// @param reached  factor of the input at which the answer is `there`, not 1
/// @param asked    factor at which it is wanted
double end_at(double answer, double there, double reached, double asked) {
  if (reached == asked || !(there > 0.0)) return there;
  return answer * std::pow(there / answer, std::log(asked) / std::log(reached));
}

std::string next_measurement(const Sensitivity& sensitivity) {
  const auto& rows = sensitivity.rows;
  const auto most = std::max_element(rows.begin(), rows.end(), [](const SensitivityRow& a, const SensitivityRow& b) {
    return a.variance_share < b.variance_share;
  });
  if (most == rows.end() || !(most->variance_share > 0.0)) return "";
  const double left = 1.0 - (1.0 - halved * halved) * most->variance_share;
  std::string text =
      "Measure " + most->input.pointer +
      " to half its uncertainty and the part of the answer's interval that the inputs bring shrinks by " +
      percent(std::round(1e2 * (1.0 - std::sqrt(left))) / 1e2) + ".";
  const auto assumed = [](const SensitivityRow& row) { return row.input.fit.empty(); };
  const std::string by = percent(sensitivity.assumed);
  if (std::all_of(rows.begin(), rows.end(), assumed)) {
    text += " All uncertainties are assumed, " + by +
            " each: this says where the answer is sensitive, not where it is "
            "least known.";
  } else if (assumed(*most)) {
    text += " Its uncertainty is assumed, " + by + ".";
  }
  return text;
}

}  // namespace

double lower_factor(double uncertainty) {
  return std::max(least_factor, 1.0 - uncertainty);
}

Estimate exact_elasticity(double value) {
  return {.mean = value, .low = value, .high = value, .confidence = 1.0, .replications = 0};
}

void set_bars(SensitivityRow& row, double answer) {
  row.when_low = answer * std::pow(lower_factor(row.input.uncertainty), row.elasticity.mean);
  row.when_high = answer * std::pow(1.0 + row.input.uncertainty, row.elasticity.mean);
}

void set_bars(SensitivityRow& row, double answer, const AnswerBeside& low, const AnswerBeside& high) {
  set_bars(row, answer);
  const auto take = [&](double& end, const AnswerBeside& side, double asked) {
    if (side.factor != 1.0 && std::isfinite(side.answer)) end = end_at(answer, side.answer, side.factor, asked);
  };
  take(row.when_low, low, lower_factor(row.input.uncertainty));
  take(row.when_high, high, 1.0 + row.input.uncertainty);
}

Sensitivity assembled(Sensitivity sensitivity) {
  std::vector<SensitivityRow> rows;
  double variance = 0.0;
  for (SensitivityRow& row : sensitivity.rows) {
    if (!has_effect(row, sensitivity.value)) {
      sensitivity.without_effect.push_back(row.input.pointer);
      continue;
    }
    variance += contribution(row);
    rows.push_back(std::move(row));
  }
  for (SensitivityRow& row : rows) row.variance_share = variance > 0.0 ? contribution(row) / variance : 0.0;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const SensitivityRow& a, const SensitivityRow& b) { return bar(a) > bar(b); });
  sensitivity.rows = std::move(rows);
  sensitivity.next_measurement = next_measurement(sensitivity);
  return sensitivity;
}

}  // namespace saturn
