#include <algorithm>
#include <cmath>
#include <optional>

#include "models/laws/parameter_spread.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/plan/comparison/sensitivity.hpp"

namespace saturn {

namespace {

constexpr double stated_confidence = 0.95;

double half_width(const FittedParameters& fitted, std::size_t i) {
  if (i < fitted.intervals_95.size()) return (fitted.intervals_95[i].high - fitted.intervals_95[i].low) / 2;
  const std::size_t n = fitted.values.size();
  return interval_factor(fitted, stated_confidence) * std::sqrt(std::max(0.0, fitted.covariance[i * n + i]));
}

bool is_within(const std::string& pointer, const std::string& owner) {
  return pointer == owner || (pointer.starts_with(owner) && pointer[owner.size()] == '/');
}

/// Relative uncertainty that a fit gives an input: that of its parameter, or the mean of those that stand in a list
/// which varies as a whole, as if all were off together.
std::optional<double> fitted_uncertainty(const UsedFit& fit, const std::string& pointer) {
  double sum = 0.0;
  std::size_t parameters = 0;
  for (const std::string& place : fit.places) {
    for (std::size_t i = 0; i < fit.at.size(); ++i) {
      const std::string at = place + fit.at[i];
      if (!is_within(at, pointer) && !is_within(pointer, at)) continue;
      const double value = std::abs(fit.parameters.values[i]);
      if (!(value > 0.0)) continue;
      sum += half_width(fit.parameters, i) / value;
      ++parameters;
    }
  }
  if (parameters == 0) return std::nullopt;
  return sum / static_cast<double>(parameters);
}

SensitivityInput about(const NumericInput& numeric, const ReadScenario& read, double assumed) {
  SensitivityInput input{
      .pointer = numeric.pointer, .words = numeric.words, .value = shown_value(numeric), .uncertainty = assumed};
  for (const UsedFit& fit : read.fits) {
    const std::optional<double> uncertainty = fitted_uncertainty(fit, numeric.pointer);
    if (!uncertainty) continue;
    input.uncertainty = *uncertainty;
    input.fit = fit.file + ": " + fit.name;
  }
  return input;
}

}  // namespace

std::vector<VariedInput> varied_inputs(const ReadScenario& read, double assumed, std::span<const Override> chosen) {
  std::vector<VariedInput> inputs;
  for (NumericInput& numeric : numeric_inputs(read.resolved)) {
    const auto sets = [&](const Override& one) {
      return is_within(numeric.pointer, one.pointer) || is_within(one.pointer, numeric.pointer);
    };
    if (is_coarse(numeric) || std::any_of(chosen.begin(), chosen.end(), sets)) continue;
    SensitivityInput input = about(numeric, read, assumed);
    inputs.push_back({.about = std::move(input), .numeric = std::move(numeric)});
  }
  return inputs;
}

std::vector<SensitivityInput> sensitivity_inputs(const ReadScenario& read, double assumed) {
  std::vector<SensitivityInput> inputs;
  for (VariedInput& input : varied_inputs(read, assumed, {})) inputs.push_back(std::move(input.about));
  return inputs;
}

namespace {

struct TriedStep {
  std::optional<InputStep> step{};
  std::string refused{};
};

TriedStep tried(const VariedInput& input, double factor, const MakeScenario& make, std::span<const Override> chosen) {
  const std::optional<ScaledInput> change = scaled(input.numeric, factor);
  if (!change) return {.step = {}, .refused = "no other value is near it"};
  InputStep step{.scenario = {}, .settings = {chosen.begin(), chosen.end()}, .factor = change->factor};
  step.settings.push_back(change->change);
  try {
    step.scenario = make(step.settings);
  } catch (const InputError& refused) {
    return {.step = {}, .refused = refused.complaints().front().text};
  }
  return {.step = std::move(step), .refused = {}};
}

}  // namespace

InputSteps steps_of(const VariedInput& input, double change, const MakeScenario& make,
                    std::span<const Override> chosen) {
  TriedStep low = tried(input, 1.0 - change, make, chosen);
  TriedStep high = tried(input, 1.0 + change, make, chosen);
  if (!low.step && !high.step) return {.sides = {}, .refused = high.refused};
  InputSteps steps;
  const auto itself = [&] { return InputStep{.scenario = make(chosen), .settings = {chosen.begin(), chosen.end()}}; };
  steps.sides.push_back(low.step ? std::move(*low.step) : itself());
  steps.sides.push_back(high.step ? std::move(*high.step) : itself());
  return steps;
}

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

/// (1 − uncertainty), but never so small that an input would vanish.
double lower_factor(double uncertainty) {
  return std::max(least_factor, 1.0 - uncertainty);
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

namespace {

/// d ln(answer) / d ln(input); nothing where the answer is no positive number on both sides.
std::optional<double> elasticity_between(const InputSteps& steps, const ExactAnswer& answer) {
  const InputStep& low = steps.sides.front();
  const InputStep& high = steps.sides.back();
  const std::optional<double> from = answer(low.scenario);
  const std::optional<double> to = answer(high.scenario);
  if (!from || !to || !(*from > 0.0) || !(*to > 0.0) || !std::isfinite(*from) || !std::isfinite(*to))
    return std::nullopt;
  return std::log(*to / *from) / std::log(high.factor / low.factor);
}

/// The answer at the end of a bar; none where the reader, or the formula, has none there.
AnswerBeside answer_at(double factor, const VariedInput& input, const MakeScenario& make,
                       std::span<const Override> chosen, const ExactAnswer& answer) {
  const std::optional<InputStep> step = tried(input, factor, make, chosen).step;
  const std::optional<double> there = step ? answer(step->scenario) : std::nullopt;
  return there && *there >= 0.0 ? AnswerBeside{.factor = step->factor, .answer = *there} : AnswerBeside{};
}

bool bends(double answer, const AnswerBeside& low, const AnswerBeside& high) {
  const auto has_slope = [](const AnswerBeside& side) { return side.factor != 1.0 && side.answer > 0.0; };
  if (!has_slope(low) || !has_slope(high)) return false;
  const auto slope = [&](const AnswerBeside& side) { return std::log(side.answer / answer) / std::log(side.factor); };
  return std::abs(slope(high) - slope(low)) > least_bend;
}

}  // namespace

std::string not_varied(const VariedInput& input, const std::string& why) {
  return input.about.pointer + " is not varied: " + why;
}

void add_exact_rows(Sensitivity& sensitivity, const std::vector<VariedInput>& inputs, const MakeScenario& make,
                    std::span<const Override> chosen, const ExactAnswer& answer) {
  std::vector<std::string> bent;
  for (const VariedInput& input : inputs) {
    const InputSteps steps = steps_of(input, exact_change, make, chosen);
    if (steps.sides.empty()) {
      sensitivity.notes.push_back(not_varied(input, steps.refused));
      continue;
    }
    const std::optional<double> elasticity = elasticity_between(steps, answer);
    if (!elasticity) {
      sensitivity.notes.push_back(not_varied(input, "the answer is not above 0 with other values of it."));
      continue;
    }
    SensitivityRow row{.input = input.about, .elasticity = exact_elasticity(*elasticity)};
    // Far from its value an input may move the answer otherwise than near it: another resource may saturate first.
    const AnswerBeside low = answer_at(lower_factor(input.about.uncertainty), input, make, chosen, answer);
    const AnswerBeside high = answer_at(1.0 + input.about.uncertainty, input, make, chosen, answer);
    set_bars(row, sensitivity.value, low, high);
    if (bends(sensitivity.value, low, high)) bent.push_back(input.about.pointer);
    sensitivity.rows.push_back(std::move(row));
  }
  if (!bent.empty())
    sensitivity.notes.push_back("the answer bends within the uncertainty of " + joined_and(bent, most_names_in_a_note) +
                                ": both ends are exact, the elasticity is that near the value.");
}

std::vector<std::string> common_notes(const ReadScenario& read) {
  std::vector<std::string> notes;
  std::string coarse;
  for (const NumericInput& input : numeric_inputs(read.resolved))
    if (is_coarse(input)) append_part(coarse, input.pointer);
  if (!coarse.empty())
    notes.push_back("whole numbers below 10 are left out, since one step is no small change: " + coarse + ".");
  const auto hangs_together = [](const UsedFit& fit) { return fit.parameters.values.size() > 1; };
  if (std::any_of(read.fits.begin(), read.fits.end(), hangs_together))
    notes.emplace_back(
        "parameters of one fit are varied one by one, as if they were independent; the answer's own interval draws "
        "them together.");
  return notes;
}

}  // namespace saturn
