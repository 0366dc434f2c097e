#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>

#include "models/queueing/closed_formulas.hpp"
#include "models/statistics/intervals.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/comparison/exact_rows.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/simulated_points.hpp"

namespace saturn {

namespace {

constexpr double simulated_change = 0.05;
constexpr double largest_change = 0.25;
// Closer than this, a change of an input may turn the answer from one limit to the other.
constexpr double near_the_other = 0.02;

std::string answer_name(const Scenario& scenario) {
  return stream_word_of(scenario) + "s per " + device_word_of(scenario);
}

std::optional<double> saturation_of(const Scenario& scenario) {
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  if (bounds.knees.empty()) return std::nullopt;
  return bounds.knees.front().clients / static_cast<double>(device_count(scenario));
}

/// Elasticities where the simulated slowdown passes the tolerated one: −(∂S/∂ln θ)/(∂S/∂ln N).
class CrossingElasticities {
 public:
  CrossingElasticities(const Plan& plan, const PlanQuestion& question, const MakeScenario& make)
      : slowdown_(question.slowdown), make_(make), original_(make({})) {
    clients_ = std::max(1.0, plan.answer.within_slowdown * static_cast<double>(device_count(original_)));
    ask_for_fewer_and_more();
  }

  double change() const { return change_; }

  void ask(const VariedInput& input, Sensitivity& sensitivity) {
    InputSteps steps = steps_of(input, change_, make_, {});
    if (steps.sides.empty()) {
      sensitivity.notes.push_back(not_varied(input, steps.refused));
      return;
    }
    asked_.push_back({.input = &input, .first = scenarios_.size(), .low = 1.0, .high = 1.0});
    asked_.back().low = steps.sides.front().factor;
    asked_.back().high = steps.sides.back().factor;
    for (InputStep& step : steps.sides) add(with_streams(step.scenario, clients_), std::move(step.settings));
  }

  void answer(const EvaluateEach& evaluate, Sensitivity& sensitivity) {
    runs_ = simulated_each(evaluate, scenarios_);
    read_slope(sensitivity);
    for (const Asked& one : asked_) add_row(one, sensitivity);
  }

 private:
  struct Asked {
    const VariedInput* input = nullptr;
    std::size_t first = 0;
    double low = 1.0;
    double high = 1.0;
  };

  void add(const Scenario& scenario, std::vector<Override> settings) {
    for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
      settings.push_back(
          {.pointer = "/jobs/" + std::to_string(j) + "/count", .value = std::to_string(scenario.jobs[j].count)});
    scenarios_.push_back(
        {.scenario = as_paired(as_simulated(scenario, slowdown_, Care::confirmed)), .settings = std::move(settings)});
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
    add(fewer, {});
    add(more, {});
  }

  /// Changes of the slowdown per change of the logarithm, by replication.
  std::vector<double> slopes(std::size_t first, double log_step) const {
    const PairedValues values = paired_values(runs_[first], runs_[first + 1],
                                              [](const Results& summary) { return served_slowdown(summary).mean; });
    std::vector<double> slopes;
    for (std::size_t i = 0; i < values.low.size(); ++i) slopes.push_back((values.high[i] - values.low[i]) / log_step);
    return slopes;
  }

  void read_slope(Sensitivity& sensitivity) {
    for (const SearchedRun& run : std::span(runs_).first(2))
      if (!run.failure.empty()) {
        failure_ = run.failure;
        sensitivity.notes.push_back("there are no elasticities: a simulation beside the answer failed: " + failure_);
        return;
      }
    by_clients_ = slopes(0, log_step_);
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

  void add_row(const Asked& one, Sensitivity& sensitivity) const {
    if (!failure_.empty()) return;
    for (std::size_t i = one.first; i < one.first + 2; ++i)
      if (!runs_[i].failure.empty()) {
        sensitivity.notes.push_back(not_varied(*one.input, runs_[i].failure));
        return;
      }
    SensitivityRow row{.input = one.input->about,
                       .elasticity = elasticity(slopes(one.first, std::log(one.high / one.low)))};
    set_bars(row, sensitivity.value);
    sensitivity.rows.push_back(std::move(row));
  }

  double slowdown_;
  const MakeScenario& make_;
  Scenario original_;
  double clients_ = 1.0;
  double change_ = simulated_change;
  double log_step_ = 1.0;  ///< of the clients
  std::vector<SearchedScenario> scenarios_;
  std::vector<Asked> asked_;
  std::vector<SearchedRun> runs_;
  std::vector<double> by_clients_;
  double slope_ = 1.0;
  bool clamped_ = false;
  std::string failure_;
};

void add_crossing_rows(Sensitivity& sensitivity, const std::vector<VariedInput>& inputs, const Plan& plan,
                       const PlanQuestion& question, const MakeScenario& make, const EvaluateEach& evaluate) {
  CrossingElasticities crossing(plan, question, make);
  sensitivity.change = crossing.change();
  for (const VariedInput& input : inputs) {
    if (input.numeric.simulated)
      crossing.ask(input, sensitivity);
    else
      sensitivity.without_effect.push_back(input.about.pointer);
  }
  crossing.answer(evaluate, sensitivity);
}

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
    add_crossing_rows(sensitivity, inputs, plan, question, make, evaluate);
  note_the_other_limit(sensitivity, answer, saturates);
  return assembled(std::move(sensitivity));
}

}  // namespace saturn
