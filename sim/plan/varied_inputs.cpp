#include "sim/plan/varied_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/parameter_spread.hpp"
#include "sim/plan/sensitivity_of.hpp"

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

std::optional<InputStep> step_of(const VariedInput& input, double factor, const MakeScenario& make,
                                 std::span<const Override> chosen) {
  return tried(input, factor, make, chosen).step;
}

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

}  // namespace saturn
