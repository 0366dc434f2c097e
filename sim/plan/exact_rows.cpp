#include "sim/plan/exact_rows.hpp"

#include <algorithm>
#include <cmath>

#include "sim/plan/assembled_sensitivity.hpp"

namespace saturn {

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

}  // namespace

std::string not_varied(const VariedInput& input, const std::string& why) {
  return input.about.pointer + " is not varied: " + why;
}

void add_exact_rows(Sensitivity& sensitivity, const std::vector<VariedInput>& inputs, const MakeScenario& make,
                    std::span<const Override> chosen, const ExactAnswer& answer) {
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
    set_bars(row, sensitivity.value);
    // Far from its value an input may move the answer otherwise than near it: another resource may saturate first.
    const auto far = [&](double factor, double otherwise) {
      const std::optional<InputStep> step = step_of(input, factor, make, chosen);
      const bool there = step && std::abs(step->factor / factor - 1.0) < exact_change;
      return there ? answer(step->scenario).value_or(otherwise) : otherwise;
    };
    row.when_low = far(lower_factor(input.about.uncertainty), row.when_low);
    row.when_high = far(1.0 + input.about.uncertainty, row.when_high);
    sensitivity.rows.push_back(std::move(row));
  }
}

std::vector<std::string> common_notes(const ReadScenario& read) {
  std::vector<std::string> notes;
  std::string coarse;
  for (const NumericInput& input : numeric_inputs(read.resolved))
    if (is_coarse(input)) coarse += (coarse.empty() ? "" : ", ") + input.pointer;
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
