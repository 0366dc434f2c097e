#include "sim/plan/comparison/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/statistics/intervals.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/plan/served_work.hpp"

namespace saturn {

namespace {

/// The simulations of a sensitivity: each as often as all others, with the same random numbers, so that they pair
/// replication by replication; all in one call.
class VariedRuns {
 public:
  /// A scenario that is simulated, or that is read from the simulation of another.
  struct Side {
    Scenario scenario{};
    std::size_t run = 0;
    double factor = 1.0;  ///< of the input [1]
  };
  struct Asked {
    const VariedInput* input = nullptr;
    Side low{};
    Side high{};

    double log_step() const { return std::log(high.factor / low.factor); }
  };
  /// A number of a simulation; nothing where the simulation does not give it.
  using Reading = std::function<std::optional<double>(const Scenario&, const Results&)>;

  explicit VariedRuns(Reading read) : read_(std::move(read)) {}

  Side add(const InputStep& step, Scenario simulated, std::vector<Override> settings) {
    const std::uint64_t replications = is_deterministic(simulated) ? 1 : paired_replications;
    simulated.run.min_replications = simulated.run.max_replications = replications;
    scenarios_.push_back({.scenario = std::move(simulated), .settings = std::move(settings)});
    return {.scenario = step.scenario, .run = scenarios_.size() - 1, .factor = step.factor};
  }

  /// An input lowered and raised by a relative change, each side simulated as `add` says.
  template <class Add>
  void ask(const VariedInput& input, const InputSteps& steps, Sensitivity& sensitivity, const Add& add) {
    if (steps.sides.empty()) {
      sensitivity.notes.push_back(not_varied(input, steps.refused));
      return;
    }
    Side low = add(steps.sides.front());
    asked_.push_back({.input = &input, .low = std::move(low), .high = add(steps.sides.back())});
  }

  void simulate(const EvaluateEach& evaluate) {
    runs_ = evaluate(scenarios_);
    if (runs_.size() != scenarios_.size())
      throw std::logic_error("a sensitivity got fewer simulations than it asked for");
  }

  /// Why a simulation gave no result; empty: it did.
  const std::string& failure(const Side& side) const { return runs_[side.run].failure; }

  /// The number in every replication; where replications are not known, the mean.
  std::vector<double> values(const Side& side) const {
    std::vector<double> found;
    const auto add = [&](const Results& summary) {
      if (const std::optional<double> value = read_(side.scenario, summary)) found.push_back(*value);
    };
    for (const Results& summary : runs_[side.run].replications) add(summary);
    if (found.empty()) add(runs_[side.run].summary);
    return found;
  }

  /// The rows of all inputs that were asked; notes say which of them have none.
  template <class Row>
  void add_rows(Sensitivity& sensitivity, const Row& row_of) const {
    for (const Asked& one : asked_) {
      const std::string& why = failure(one.low).empty() ? failure(one.high) : failure(one.low);
      std::optional<SensitivityRow> row;
      if (why.empty()) row = row_of(one);
      if (row)
        sensitivity.rows.push_back(std::move(*row));
      else
        sensitivity.notes.push_back(
            not_varied(*one.input, why.empty() ? "the simulation does not give the figure." : why));
    }
  }

 private:
  static constexpr std::uint64_t paired_replications = 8;

  Reading read_;
  std::vector<SearchedScenario> scenarios_;
  std::vector<Asked> asked_;
  std::vector<SearchedRun> runs_;
};

constexpr double simulated_change = 0.05;
constexpr double largest_change = 0.25;
// Closer than this, a change of an input may turn the answer from one limit to the other.
constexpr double near_the_other = 0.02;

std::string answer_name(const Scenario& scenario) {
  return stream_word_of(scenario) + "s per " + device_word_of(scenario);
}

std::optional<double> saturation_of(const System& system) {
  if (system.bounds.knees.empty()) return std::nullopt;
  return system.knee_streams() / static_cast<double>(device_count(system.scenario));
}

/// Elasticities where the simulated slowdown passes the tolerated one: −(∂S/∂ln θ)/(∂S/∂ln N).
class CrossingElasticities {
 public:
  CrossingElasticities(const Plan& plan, const PlanQuestion& question, const MakeScenario& make)
      : slowdown_(question.slowdown),
        make_(make),
        original_(make({})),
        clients_(std::max(1.0, plan.answer.within_slowdown * static_cast<double>(device_count(original_)))) {
    ask_for_fewer_and_more();
  }

  void add_rows(const std::vector<VariedInput>& inputs, const EvaluateEach& evaluate, Sensitivity& sensitivity) {
    sensitivity.change = change_;
    for (const VariedInput& input : inputs) {
      if (input.numeric.simulated)
        runs_.ask(input, steps_of(input, change_, make_, {}), sensitivity, [this](const InputStep& step) {
          return add(
              {.scenario = with_streams(step.scenario, clients_), .settings = step.settings, .factor = step.factor});
        });
      else
        sensitivity.without_effect.push_back(input.about.pointer);
    }
    runs_.simulate(evaluate);
    for (const VariedRuns::Side& side : {fewer_, more_})
      if (const std::string& failure = runs_.failure(side); !failure.empty()) {
        sensitivity.notes.push_back("there are no elasticities: a simulation beside the answer failed: " + failure);
        return;
      }
    read_slope(sensitivity);
    runs_.add_rows(sensitivity, [&](const VariedRuns::Asked& one) {
      SensitivityRow row{.input = one.input->about,
                         .elasticity = elasticity(slopes(one.low, one.high, one.log_step()))};
      set_bars(row, sensitivity.value);
      return row;
    });
  }

 private:
  VariedRuns::Side add(const InputStep& step) {
    std::vector<Override> settings = step.settings;
    for (std::size_t j = 0; j < step.scenario.jobs.size(); ++j)
      settings.push_back(
          {.pointer = "/jobs/" + std::to_string(j) + "/count", .value = std::to_string(step.scenario.jobs[j].count)});
    return runs_.add(step, as_simulated(step.scenario, slowdown_, Care::confirmed), std::move(settings));
  }

  /// Fewer and more clients, as near as whole jobs allow. Inputs are varied as far, so that what the slowdown bends by
  /// drops out.
  void ask_for_fewer_and_more() {
    Scenario fewer;
    Scenario more;
    for (double change = simulated_change;; change *= 1.3) {
      fewer = with_streams(original_, (1.0 - std::min(change, largest_change)) * clients_);
      more = with_streams(original_, (1.0 + change) * clients_);
      if (stream_count(fewer) < stream_count(more)) break;
    }
    log_step_ = std::log(stream_count(more) / stream_count(fewer));
    change_ = std::clamp(std::tanh(log_step_ / 2), simulated_change, largest_change);
    fewer_ = add({.scenario = std::move(fewer)});
    more_ = add({.scenario = std::move(more)});
  }

  /// Changes of the slowdown per change of the logarithm, by replication.
  std::vector<double> slopes(const VariedRuns::Side& low, const VariedRuns::Side& high, double log_step) const {
    const std::vector<double> from = runs_.values(low);
    const std::vector<double> to = runs_.values(high);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) slopes.push_back((to[i] - from[i]) / log_step);
    return slopes;
  }

  void read_slope(Sensitivity& sensitivity) {
    by_clients_ = slopes(fewer_, more_, log_step_);
    double mean = 0.0;
    for (const double slope : by_clients_) mean += slope / static_cast<double>(by_clients_.size());
    // Event times are convex in N, and more clients never give less throughput; noise knows neither.
    // The steepest rise, S over N, is a little more between two points than at one.
    slope_ = std::clamp(mean, slowdown_, (1.0 + slowdown_) * (1.0 + change_));
    clamped_ = slope_ != mean;
    if (clamped_)
      sensitivity.notes.push_back("the simulated slowdown rises with the " + stream_word_of(original_) + "s " +
                                  std::string(mean < slope_ ? "less" : "more") +
                                  " than it can; elasticities rest on the " + (mean < slope_ ? "smallest" : "largest") +
                                  " slope that is possible.");
  }

  Estimate elasticity(const std::vector<double>& by_input) const {
    const double confidence = original_.run.confidence;
    std::vector<double> turned;
    for (const double slope : by_input) turned.push_back(-slope);
    if (is_deterministic(original_)) {
      Estimate exact = exact_elasticity(turned.front() / slope_);
      exact.replications = 1;
      return exact;
    }
    if (!clamped_ && turned.size() == by_clients_.size()) return ratio_interval(turned, by_clients_, confidence);
    for (double& slope : turned) slope /= slope_;
    return student_interval(turned, confidence);
  }

  double slowdown_;
  const MakeScenario& make_;
  Scenario original_;
  double clients_;
  double change_ = simulated_change;
  double log_step_ = 1.0;  ///< of the clients
  VariedRuns runs_{
      [](const Scenario& scenario, const Results& summary) { return served_slowdown(scenario, summary).mean; }};
  VariedRuns::Side fewer_;
  VariedRuns::Side more_;
  std::vector<double> by_clients_;
  double slope_ = 1.0;
  bool clamped_ = false;
};

void note_the_other_limit(Sensitivity& sensitivity, const PlanAnswer& answer, bool saturates) {
  const double other = saturates ? answer.within_slowdown : answer.saturates_at;
  if (std::abs(other / sensitivity.value - 1.0) > near_the_other) return;
  sensitivity.notes.push_back(saturates ? "the tolerated slowdown is reached with nearly as many, " + in_words(other) +
                                              "; these elasticities are those of saturation."
                                        : "the first resource saturates with nearly as many, " + in_words(other) +
                                              "; these elasticities are those of the tolerated slowdown.");
}

}  // namespace

Sensitivity analyse_plan_sensitivity(const Plan& plan, const PlanQuestion& question, const ReadScenario& read,
                                     const MakeScenario& make, const EvaluateEach& evaluate, double assumed) {
  const PlanAnswer& answer = plan.answer;
  const bool saturates = !question.past_saturation && answer.saturates_at <= answer.within_slowdown;
  Sensitivity sensitivity{.answer = answer_name(read.scenario),
                          .value = saturates ? answer.saturates_at : answer.within_slowdown,
                          .change = exact_change,
                          .assumed = assumed,
                          .notes = common_notes(read)};
  const std::vector<VariedInput> inputs = varied_inputs(read, assumed, {});
  if (saturates)
    add_exact_rows(sensitivity, inputs, make, {}, saturation_of);
  else
    CrossingElasticities(plan, question, make).add_rows(inputs, evaluate, sensitivity);
  note_the_other_limit(sensitivity, answer, saturates);
  return assembled(std::move(sensitivity));
}

namespace {

// Smaller changes drown in noise and rounding; larger ones leave the scenario that was meant.
constexpr double least_step = 1e-3;
constexpr double largest_step = 0.5;

/// Elasticities of a figure that each simulation gives, every input at both ends of its uncertainty.
class FigureElasticities {
 public:
  FigureElasticities(MeasureId figure, const PurchaseTerms& terms, const MakeScenario& make,
                     std::span<const Override> chosen)
      : make_(make), chosen_(chosen), runs_([figure, &terms](const Scenario& scenario, const Results& summary) {
          const CandidateFigures figures = figures_by_simulation(scenario, summary, terms);
          const CandidateFigures::Entry* entry = figures.find(figure);
          return entry == nullptr ? std::nullopt : std::optional(entry->value.mean);
        }) {
    itself_ = add({.scenario = make(chosen), .settings = {chosen.begin(), chosen.end()}});
  }

  void add_rows(const std::vector<VariedInput>& inputs, const EvaluateEach& evaluate, Sensitivity& sensitivity) {
    sensitivity.change = 0.0;
    for (const VariedInput& input : inputs) {
      const double change = std::clamp(input.about.uncertainty, least_step, largest_step);
      runs_.ask(input, steps_of(input, change, make_, chosen_), sensitivity, [&](const InputStep& step) {
        // What is no part of a simulation, and a side that the reader refused, is read from the simulation that there
        // is in any case.
        if (input.numeric.simulated && step.factor != 1.0) return add(step);
        return VariedRuns::Side{.scenario = step.scenario, .run = itself_.run, .factor = step.factor};
      });
    }
    runs_.simulate(evaluate);
    if (const std::string& failure = runs_.failure(itself_); !failure.empty()) {
      sensitivity.notes.push_back("there are no elasticities: the simulation of the answer itself failed: " + failure);
      return;
    }
    std::vector<std::string> bent;
    runs_.add_rows(sensitivity, [&](const VariedRuns::Asked& one) -> std::optional<SensitivityRow> {
      const std::vector<double> elasticities = between(one.low, one.high, sensitivity.value);
      if (elasticities.empty()) return std::nullopt;
      SensitivityRow row{.input = one.input->about, .elasticity = estimate(elasticities)};
      set_bars(row, sensitivity.value, answer_at(one.low, sensitivity.value), answer_at(one.high, sensitivity.value));
      if (bends(one, sensitivity.value)) bent.push_back(one.input->about.pointer);
      return row;
    });
    if (!bent.empty())
      sensitivity.notes.push_back("the answer bends within the uncertainty of " +
                                  joined_and(bent, most_names_in_a_note) +
                                  ": both ends are simulated, the elasticity is their mean.");
  }

 private:
  VariedRuns::Side add(const InputStep& step) { return runs_.add(step, step.scenario, step.settings); }

  /// Elasticities between two values of an input, by replication.
  std::vector<double> between(const VariedRuns::Side& low, const VariedRuns::Side& high, double at) const {
    const std::vector<double> from = runs_.values(low);
    const std::vector<double> to = runs_.values(high);
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
  AnswerBeside answer_at(const VariedRuns::Side& side, double answer) const {
    double here = 0.0;
    double there = 0.0;
    const std::vector<double> from = runs_.values(itself_);
    const std::vector<double> to = runs_.values(side);
    for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      here += from[i];
      there += to[i];
    }
    return here > 0.0 ? AnswerBeside{.factor = side.factor, .answer = answer * (there / here)} : AnswerBeside{};
  }

  /// Beyond what noise explains.
  bool bends(const VariedRuns::Asked& one, double at) const {
    if (one.low.factor == 1.0 || one.high.factor == 1.0) return false;
    const std::vector<double> below = between(one.low, itself_, at);
    const std::vector<double> above = between(itself_, one.high, at);
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(below.size(), above.size()); ++i) differences.push_back(above[i] - below[i]);
    if (differences.empty()) return false;
    const Estimate difference = estimate(differences);
    return difference.low > least_bend || difference.high < -least_bend;
  }

  const MakeScenario& make_;
  std::span<const Override> chosen_;
  VariedRuns runs_;
  VariedRuns::Side itself_;
};

bool is_bought(MeasureId figure) {
  return figure == measure("gpus") || figure == measure("nodes") || figure == measure("jobs");
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
    FigureElasticities(objective.figure, terms, make, chosen).add_rows(inputs, evaluate, sensitivity);
  return assembled(std::move(sensitivity));
}

}  // namespace saturn
