#include "sim/plan/exact_rows.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
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
