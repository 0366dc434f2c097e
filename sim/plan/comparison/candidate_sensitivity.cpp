#include <algorithm>
#include <cmath>
#include <optional>

#include "models/statistics/intervals.hpp"
#include "models/words/texts.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/comparison/exact_rows.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/costs/purchase_terms.hpp"

namespace saturn {

namespace {

// Smaller changes drown in noise and rounding; larger ones leave the scenario that was meant.
constexpr double least_step = 1e-3;
constexpr double largest_step = 0.5;

/// The figure of every input at both sides, simulated in one call.
class FigureElasticities {
 public:
  FigureElasticities(MeasureId figure, const PurchaseTerms& terms, Scenario itself, std::span<const Override> chosen)
      : figure_(figure), terms_(terms), itself_{.scenario = itself} {
    add_run(std::move(itself), {chosen.begin(), chosen.end()});
  }

  void ask(const VariedInput& input, InputSteps steps) {
    asked_.push_back({.input = &input,
                      .low = side_of(std::move(steps.sides.front()), input),
                      .high = side_of(std::move(steps.sides.back()), input)});
  }

  void answer(const EvaluateEach& evaluate, Sensitivity& sensitivity) {
    runs_ = simulated_each(evaluate, scenarios_);
    if (const std::string& failure = runs_.front().failure; !failure.empty()) {
      sensitivity.notes.push_back("there are no elasticities: the simulation of the answer itself failed: " + failure);
      return;
    }
    for (const Asked& one : asked_) add_row(one, sensitivity);
    if (!bent_.empty())
      sensitivity.notes.push_back("the answer bends within the uncertainty of " +
                                  joined_and(bent_, most_names_in_a_note) +
                                  ": both ends are simulated, the elasticity is their mean.");
  }

 private:
  struct Side {
    Scenario scenario{};
    std::size_t run = 0;
    double factor = 1.0;
  };
  struct Asked {
    const VariedInput* input = nullptr;
    Side low{};
    Side high{};
  };

  /// What is no part of a simulation, and a side that the reader refused, is read from the simulation that there is in
  /// any case.
  Side side_of(InputStep step, const VariedInput& input) {
    Side side{.scenario = step.scenario, .run = 0, .factor = step.factor};
    if (input.numeric.simulated && step.factor != 1.0)
      side.run = add_run(std::move(step.scenario), std::move(step.settings));
    return side;
  }

  std::size_t add_run(Scenario scenario, std::vector<Override> settings) {
    scenarios_.push_back({.scenario = as_paired(std::move(scenario)), .settings = std::move(settings)});
    return scenarios_.size() - 1;
  }

  /// The figure in every replication.
  std::vector<double> values(const Side& side) const {
    std::vector<double> found;
    const auto add = [&](const Results& summary) {
      const CandidateFigures figures = figures_by_simulation(side.scenario, summary, terms_);
      if (const CandidateFigures::Entry* entry = figures.find(figure_)) found.push_back(entry->value.mean);
    };
    for (const Results& summary : runs_[side.run].replications) add(summary);
    if (found.empty()) add(runs_[side.run].summary);
    return found;
  }

  /// Elasticities between two values of an input, by replication.
  std::vector<double> between(const Side& low, const Side& high, double at) const {
    const std::vector<double> from = values(low);
    const std::vector<double> to = values(high);
    const double log_step = std::log(high.factor / low.factor);
    std::vector<double> elasticities;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      // The logarithm is exact for powers, which most figures nearly are; a figure may also be 0.
      const bool positive = from[i] > 0.0 && to[i] > 0.0;
      elasticities.push_back((positive ? std::log(to[i] / from[i]) : (to[i] - from[i]) / at) / log_step);
    }
    return elasticities;
  }

  Estimate estimate(const std::vector<double>& values) const {
    return is_deterministic(itself_.scenario) ? exact_elasticity(values.front())
                                              : student_interval(values, itself_.scenario.run.confidence);
  }

  /// The answer, moved as the simulations move: what they have in common by chance drops out.
  AnswerBeside answer_at(const Side& side, double answer) const {
    double here = 0.0;
    double there = 0.0;
    const std::vector<double> from = values(itself_);
    const std::vector<double> to = values(side);
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      here += from[i];
      there += to[i];
    }
    return here > 0.0 ? AnswerBeside{.factor = side.factor, .answer = answer * (there / here)} : AnswerBeside{};
  }

  /// Beyond what noise explains.
  bool bends(const Asked& one, double at) const {
    if (one.low.factor == 1.0 || one.high.factor == 1.0) return false;
    const std::vector<double> below = between(one.low, itself_, at);
    const std::vector<double> above = between(itself_, one.high, at);
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(below.size(), above.size()); ++i) differences.push_back(above[i] - below[i]);
    if (differences.empty()) return false;
    const Estimate difference = estimate(differences);
    return difference.low > least_bend || difference.high < -least_bend;
  }

  void add_row(const Asked& one, Sensitivity& sensitivity) {
    for (const std::size_t run : {one.low.run, one.high.run})
      if (const std::string& failure = runs_[run].failure; !failure.empty()) {
        sensitivity.notes.push_back(not_varied(*one.input, failure));
        return;
      }
    const std::vector<double> elasticities = between(one.low, one.high, sensitivity.value);
    if (elasticities.empty()) {
      sensitivity.notes.push_back(not_varied(*one.input, "the simulation does not give the figure."));
      return;
    }
    SensitivityRow row{.input = one.input->about, .elasticity = estimate(elasticities)};
    set_bars(row, sensitivity.value, answer_at(one.low, sensitivity.value), answer_at(one.high, sensitivity.value));
    if (bends(one, sensitivity.value)) bent_.push_back(one.input->about.pointer);
    sensitivity.rows.push_back(std::move(row));
  }

  MeasureId figure_;
  const PurchaseTerms& terms_;
  Side itself_;
  std::vector<SearchedScenario> scenarios_;
  std::vector<Asked> asked_;
  std::vector<SearchedRun> runs_;
  std::vector<std::string> bent_;
};

bool is_bought(MeasureId figure) {
  return figure == measure("gpus") || figure == measure("nodes") || figure == measure("jobs");
}

void add_simulated_rows(Sensitivity& sensitivity, const std::vector<VariedInput>& inputs, MeasureId figure,
                        const PurchaseTerms& terms, const MakeScenario& make, std::span<const Override> chosen,
                        const EvaluateEach& evaluate) {
  FigureElasticities figures(figure, terms, make(chosen), chosen);
  sensitivity.change = 0.0;
  for (const VariedInput& input : inputs) {
    const double change = std::clamp(input.about.uncertainty, least_step, largest_step);
    InputSteps steps = steps_of(input, change, make, chosen);
    if (steps.sides.empty())
      sensitivity.notes.push_back(not_varied(input, steps.refused));
    else
      figures.ask(input, std::move(steps));
  }
  figures.answer(evaluate, sensitivity);
}

}  // namespace

Sensitivity analyse_candidate_sensitivity(const SearchedCandidate& candidate, const Objective& objective,
                                          const PurchaseTerms& terms, const ReadScenario& read,
                                          const MakeScenario& make, const EvaluateEach& evaluate, double assumed) {
  Sensitivity sensitivity{.answer = std::string(objective.figure->words),
                          .unit = std::string(text_of(objective.figure->unit).symbol),
                          .change = exact_change,
                          .assumed = assumed,
                          .notes = common_notes(read)};
  const CandidateFigures::Entry* entry = candidate.figures.find(objective.figure);
  if (entry == nullptr || !(entry->value.mean > 0.0) || !std::isfinite(entry->value.mean)) {
    sensitivity.notes.push_back("there are no elasticities: the " + sensitivity.answer +
                                (entry == nullptr ? " is not known." : " is not above 0."));
    return sensitivity;
  }
  sensitivity.value = entry->value.mean;
  if (is_bought(objective.figure))
    sensitivity.notes.emplace_back(
        "the number is chosen, not computed: near the inputs' values it stays, until a requirement is missed.");
  const std::vector<Override>& chosen = candidate.settings;
  const std::vector<VariedInput> inputs = varied_inputs(read, assumed, chosen);
  if (entry->exact())
    add_exact_rows(sensitivity, inputs, make, chosen, [&](const Scenario& scenario) -> std::optional<double> {
      const CandidateFigures figures = figures_by_bound(scenario, terms);
      const CandidateFigures::Entry* now = figures.find(objective.figure);
      return now ? std::optional(now->value.mean) : std::nullopt;
    });
  else
    add_simulated_rows(sensitivity, inputs, objective.figure, terms, make, chosen, evaluate);
  return assembled(std::move(sensitivity));
}

}  // namespace saturn
