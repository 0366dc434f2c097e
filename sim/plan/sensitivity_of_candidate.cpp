#include <algorithm>
#include <cmath>
#include <optional>

#include "models/intervals.hpp"
#include "scenarios/determinism.hpp"
#include "sim/plan/assembled_sensitivity.hpp"
#include "sim/plan/exact_rows.hpp"
#include "sim/plan/paired_slope.hpp"
#include "sim/plan/purchase_terms.hpp"
#include "sim/plan/sensitivity_of.hpp"

namespace saturn {

namespace {

constexpr double candidate_change = 0.05;

std::vector<Override> settings_of(const SearchedCandidate& candidate) {
  std::vector<Override> settings;
  for (const std::string& text : candidate.settings) settings.push_back(parse_override(text));
  return settings;
}

/// The figure of every input at both sides, simulated in one call.
class FigureElasticities {
 public:
  FigureElasticities(Figure figure, const PurchaseTerms& terms, Scenario itself, std::span<const Override> chosen)
      : figure_(figure), terms_(terms) {
    add_run(std::move(itself), {chosen.begin(), chosen.end()});
  }

  void ask(const VariedInput& input, InputSteps steps) {
    Asked asked{.input = &input, .log_step = std::log(steps.sides.back().factor / steps.sides.front().factor)};
    // What is no part of a simulation is read from the one that there is in any case.
    for (InputStep& step : steps.sides)
      asked.sides.push_back(
          {.scenario = step.scenario,
           .run = input.numeric.simulated ? add_run(std::move(step.scenario), std::move(step.settings)) : 0});
    asked_.push_back(std::move(asked));
  }

  void answer(const EvaluateEach& evaluate, Sensitivity& sensitivity) {
    runs_ = simulated_each(evaluate, scenarios_);
    for (const Asked& one : asked_) add_row(one, sensitivity);
  }

 private:
  struct Side {
    Scenario scenario{};
    std::size_t run = 0;
  };
  struct Asked {
    const VariedInput* input = nullptr;
    double log_step = 1.0;
    std::vector<Side> sides{};
  };

  std::size_t add_run(Scenario scenario, std::vector<Override> settings) {
    scenarios_.push_back({.scenario = as_paired(std::move(scenario)), .settings = std::move(settings)});
    return scenarios_.size() - 1;
  }

  /// The figure in every replication.
  std::vector<double> values(const Side& side) const {
    std::vector<double> found;
    const auto add = [&](const RunSummary& summary) {
      const CandidateFigures figures = figures_by_simulation(side.scenario, summary, terms_);
      if (const CandidateFigures::Entry* entry = figures.find(figure_)) found.push_back(entry->value.mean);
    };
    for (const RunSummary& summary : runs_[side.run].replications) add(summary);
    if (found.empty()) add(runs_[side.run].summary);
    return found;
  }

  std::vector<double> by_replication(const Asked& one, double at) const {
    const std::vector<double> from = values(one.sides.front());
    const std::vector<double> to = values(one.sides.back());
    std::vector<double> elasticities;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      // The logarithm is exact for powers, which most figures nearly are; a figure may also be 0.
      const bool positive = from[i] > 0.0 && to[i] > 0.0;
      elasticities.push_back((positive ? std::log(to[i] / from[i]) : (to[i] - from[i]) / at) / one.log_step);
    }
    return elasticities;
  }

  void add_row(const Asked& one, Sensitivity& sensitivity) const {
    for (const Side& side : one.sides)
      if (const std::string& failure = runs_[side.run].failure; !failure.empty()) {
        sensitivity.notes.push_back(not_varied(*one.input, failure));
        return;
      }
    const std::vector<double> elasticities = by_replication(one, sensitivity.value);
    if (elasticities.empty()) {
      sensitivity.notes.push_back(not_varied(*one.input, "the simulation does not give the figure."));
      return;
    }
    const Scenario& scenario = one.sides.front().scenario;
    SensitivityRow row{.input = one.input->about,
                       .elasticity = is_deterministic(scenario)
                                         ? exact_elasticity(elasticities.front())
                                         : student_interval(elasticities, scenario.run.confidence)};
    set_bars(row, sensitivity.value);
    sensitivity.rows.push_back(std::move(row));
  }

  Figure figure_;
  const PurchaseTerms& terms_;
  std::vector<SearchedScenario> scenarios_;
  std::vector<Asked> asked_;
  std::vector<SearchedRun> runs_;
};

bool is_bought(Figure figure) {
  return figure == Figure::gpus || figure == Figure::nodes || figure == Figure::jobs;
}

void add_simulated_rows(Sensitivity& sensitivity, const std::vector<VariedInput>& inputs, Figure figure,
                        const PurchaseTerms& terms, const MakeScenario& make, std::span<const Override> chosen,
                        const EvaluateEach& evaluate) {
  FigureElasticities figures(figure, terms, make(chosen), chosen);
  sensitivity.change = candidate_change;
  for (const VariedInput& input : inputs) {
    InputSteps steps = steps_of(input, candidate_change, make, chosen);
    if (steps.sides.empty())
      sensitivity.notes.push_back(not_varied(input, steps.refused));
    else
      figures.ask(input, std::move(steps));
  }
  figures.answer(evaluate, sensitivity);
}

}  // namespace

Sensitivity sensitivity_of_candidate(const SearchedCandidate& candidate, const Objective& objective,
                                     const PurchaseTerms& terms, const ReadScenario& read, const MakeScenario& make,
                                     const EvaluateEach& evaluate, double assumed) {
  const FigureName& name = name_of(objective.figure);
  Sensitivity sensitivity{.answer = std::string(name.words),
                          .unit = std::string(name.unit),
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
  const std::vector<Override> chosen = settings_of(candidate);
  const std::vector<VariedInput> inputs = varied_inputs(read, assumed, chosen);
  if (entry->exact)
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
