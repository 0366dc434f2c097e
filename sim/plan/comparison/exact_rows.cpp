#include "sim/plan/comparison/exact_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "models/laws/parameter_spread.hpp"
#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
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

Scenario as_paired(Scenario scenario) {
  const std::uint64_t replications = is_deterministic(scenario) ? 1 : paired_replications;
  scenario.run.min_replications = scenario.run.max_replications = replications;
  return scenario;
}

PairedValues paired_values(const SearchedRun& low, const SearchedRun& high, const Reading& read) {
  PairedValues values;
  const std::size_t pairs = std::min(low.replications.size(), high.replications.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    values.low.push_back(read(low.replications[i]));
    values.high.push_back(read(high.replications[i]));
  }
  if (pairs == 0) return {.low = {read(low.summary)}, .high = {read(high.summary)}};
  return values;
}

std::vector<SearchedRun> simulated_each(const EvaluateEach& evaluate, std::span<const SearchedScenario> scenarios) {
  if (scenarios.empty()) return {};
  std::vector<SearchedRun> runs = evaluate(scenarios);
  if (runs.size() != scenarios.size()) throw std::logic_error("a sensitivity got fewer simulations than it asked for");
  return runs;
}

namespace {

constexpr double joules_per_kilowatt_hour = 3.6e6;

void add_exact(CandidateFigures& figures, MeasureId figure, double value) {
  figures.entries.push_back({.figure = figure, .of = "", .value = exactly(value)});
}

}  // namespace

Estimate exactly(double value) {
  return {.mean = value, .low = value, .high = value};
}

Estimate over(double k, const Estimate& value) {
  const auto one = [k](double x) { return x > 0.0 ? k / x : std::numeric_limits<double>::infinity(); };
  return {.mean = one(value.mean),
          .low = one(value.high),
          .high = one(value.low),
          .confidence = value.confidence,
          .replications = value.replications};
}

void add_exact_figures(const Scenario& scenario, const Expenses& expenses, CandidateFigures& figures) {
  const double jobs = job_count(scenario);
  add_exact(figures, measure("gpus"), static_cast<double>(expenses.devices_bought));
  add_exact(figures, measure("nodes"), static_cast<double>(expenses.nodes_bought));
  add_exact(figures, measure("jobs"), jobs);
  if (expenses.devices_working > 0)
    add_exact(figures, measure("jobs_per_gpu"), jobs / static_cast<double>(expenses.devices_working));
  if (const auto rent = expenses.rent_usd_per_h()) add_exact(figures, measure("rent"), *rent);
  if (expenses.power_w) add_exact(figures, measure("power"), *expenses.power_w);
}

void add_figures_of_throughput(const Estimate& throughput, double traffic_usd_per_event, const Expenses& expenses,
                               const PurchaseTerms& terms, CandidateFigures& figures) {
  const auto add = [&](MeasureId figure, const Estimate& value) {
    figures.entries.push_back({.figure = figure, .of = "", .value = value});
  };
  if (terms.campaign_events) add(measure("campaign_time"), over(*terms.campaign_events, throughput));
  if (const auto rent = expenses.rent_usd_per_h()) {
    Estimate cost = over(*rent / seconds_per_hour * million, throughput);
    const double traffic = traffic_usd_per_event * million;
    cost.mean += traffic;
    cost.low += traffic;
    cost.high += traffic;
    add(measure("cost_per_million"), cost);
  }
  if (expenses.power_w)
    add(measure("energy_per_million"), over(*expenses.power_w * million / joules_per_kilowatt_hour, throughput));
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
  const std::optional<InputStep> step = step_of(input, factor, make, chosen);
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
