#include "models/results/results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/statistics/intervals.hpp"

namespace saturn {

JobsOutcome together(const RunOutcome& run) {
  const std::vector<JobsOutcome>& pools = run.jobs;
  if (pools.size() == 1) return pools.front();
  JobsOutcome all;
  all.name = "all jobs";
  if (run.event_time_of_all) all.event_time = *run.event_time_of_all;
  all.event_time.count = 0;
  all.event_time.mean_s = 0.0;
  for (const JobsOutcome& pool : pools) {
    all.clients += pool.clients;
    all.events_per_s += pool.events_per_s;
    all.jobs_per_s += pool.jobs_per_s;
    all.events_failed += pool.events_failed;
    all.cores.held += pool.cores.held;
    all.cores.waited += pool.cores.waited;
    if (pool.calls) (all.calls ? *all.calls : all.calls.emplace()) += *pool.calls;
    all.event_time.count += pool.event_time.count;
    all.event_time.max_s = std::max(all.event_time.max_s, pool.event_time.max_s);
  }
  for (const JobsOutcome& pool : pools) {
    const double weight = all.event_time.count == 0
                              ? 1.0 / static_cast<double>(pools.size())
                              : static_cast<double>(pool.event_time.count) / static_cast<double>(all.event_time.count);
    all.ideal_event_time_s += weight * pool.ideal_event_time_s;
    all.set_up_s += weight * pool.set_up_s;
    all.event_time.mean_s += weight * pool.event_time.mean_s;
  }
  return all;
}

namespace {

// Of fewer, the largest of a window is the quantile, and comes out too small.
constexpr double fewest_beyond = 5.0;
// Whole periods make both the same, up to rounding.
constexpr double equal_rates = 1e-9;

bool times_grow(const RunOutcome& outcome) {
  return std::any_of(outcome.jobs.begin(), outcome.jobs.end(),
                     [](const JobsOutcome& jobs) { return jobs.open && jobs.open->times_grow; });
}

/// Makes an estimate of the numbers of several replications.
class Replications {
 public:
  Replications(std::span<const RunOutcome> outcomes, double confidence, Stopping stopping)
      : outcomes_(outcomes),
        confidence_(confidence),
        nothing_drawn_(stopping == Stopping::nothing_drawn),
        grows_(nothing_drawn_ && std::any_of(outcomes.begin(), outcomes.end(), times_grow)),
        factor_confidence_(stopping == Stopping::by_width ? stopped_confidence(confidence) : confidence) {
    if (outcomes.size() == 1) {
      lone_relative_width_ = batch_means_relative_width(outcomes.front().event_times, factor_confidence_);
    }
  }

  /// @param observed  (n) the subject in each replication
  /// @returns nothing where the subject has no such number
  std::optional<Estimate> estimate(const Measure& measure, std::span<const Observed> observed) const {
    const std::vector<double> values = taken(measure.of, observed);
    switch (measure.average) {
      case Average::mean:
        return from_zero(student(values, nothing_drawn_));
      case Average::signed_mean:
        return student(values, nothing_drawn_);
      case Average::mean_time:
        return from_zero(student(values, true));
      case Average::rate_of_events:
        return rate(values, taken(measure.beside, observed));
      case Average::ratio:
      case Average::share:
        return ratio(measure.average, values, taken(measure.beside, observed));
      case Average::median:
        return quantile(0.50, values, taken(measure.beside, observed));
      case Average::p95:
        return quantile(0.95, values, taken(measure.beside, observed));
      case Average::p99:
        return quantile(0.99, values, taken(measure.beside, observed));
      case Average::constant:
        return exactly(values.front());
      case Average::exact_mean:
        return without_interval(student_interval(values, factor_confidence_));
      case Average::largest:
        return exactly(*std::max_element(values.begin(), values.end()));
      case Average::none:
        break;
    }
    return std::nullopt;
  }

 private:
  static std::vector<double> taken(double (*of)(const Observed&), std::span<const Observed> observed) {
    std::vector<double> values;
    for (const Observed& seen : observed) values.push_back(of(seen));
    return values;
  }

  Estimate student(const std::vector<double>& values, bool bounded_alone) const {
    return as_printed(student_interval(values, factor_confidence_), bounded_alone);
  }

  /// Its interval also holds the same rate by the streams.
  Estimate rate(const std::vector<double>& values, const std::vector<double>& by_streams) const {
    Estimate rate = student(values, true);
    const double apart = std::abs(student_interval(by_streams, factor_confidence_).mean - rate.mean);
    if (apart > equal_rates * rate.mean && rate.caveat == Caveat::none) {
      rate.low = std::min(rate.low, rate.mean - apart);
      rate.high = std::max(rate.high, rate.mean + apart);
    }
    return from_zero(rate);
  }

  std::optional<Estimate> ratio(Average average, const std::vector<double>& above,
                                const std::vector<double>& below) const {
    const bool of_nothing = std::all_of(below.begin(), below.end(), [](double value) { return value == 0.0; });
    if (of_nothing) return average == Average::share ? std::optional(Estimate{}) : std::nullopt;
    return as_printed(ratio_interval(above, below, factor_confidence_), nothing_drawn_);
  }

  Estimate quantile(double q, const std::vector<double>& values, const std::vector<double>& counts) const {
    Estimate estimate = student(values, nothing_drawn_);
    // Where nothing is drawn nothing is left to chance.
    if (nothing_drawn_) return from_zero(estimate);
    double count = 0.0;
    for (const double of_one : counts) count += of_one / static_cast<double>(outcomes_.size());
    if (count > 0.0 && count * (1.0 - q) < fewest_beyond) estimate.caveat = Caveat::too_few_events;
    return on_log_scale(estimate);
  }

  Estimate without_interval(Estimate estimate) const {
    estimate.low = estimate.high = estimate.mean;
    estimate.confidence = confidence_;
    return estimate;
  }

  static Estimate from_zero(Estimate estimate) {
    if (std::isfinite(estimate.low) && estimate.mean >= 0.0) estimate.low = std::max(estimate.low, 0.0);
    return estimate;
  }

  /// As wide by its ratio to the mean as it was by its distance: of what scatters by its own size, above 0.
  static Estimate on_log_scale(Estimate estimate) {
    const double half = (estimate.high - estimate.low) / 2;
    if (!(std::isfinite(half) && half > 0.0 && estimate.mean > 0.0)) return estimate;
    const double factor = std::exp(half / estimate.mean);
    estimate.low = estimate.mean / factor;
    estimate.high = estimate.mean * factor;
    return estimate;
  }

  Estimate as_printed(Estimate result, bool bounded_alone) const {
    result.confidence = confidence_;
    if (grows_ && result.mean != 0.0) {
      constexpr double unknown = std::numeric_limits<double>::infinity();
      result.low = -unknown;
      result.high = unknown;
      result.caveat = Caveat::not_stationary;
      return result;
    }
    if (outcomes_.size() == 1 && bounded_alone && std::isfinite(lone_relative_width_)) {
      const double half = lone_relative_width_ * std::abs(result.mean);
      result.low = result.mean - half;
      result.high = result.mean + half;
    }
    return result;
  }

  std::span<const RunOutcome> outcomes_;
  double confidence_;
  bool nothing_drawn_;
  bool grows_;
  double factor_confidence_;
  double lone_relative_width_ = 0.0;
};

OpenVerdict common_verdict(const std::vector<OpenVerdict>& verdicts) {
  std::array<std::size_t, 3> count{};
  for (const OpenVerdict verdict : verdicts) ++count[static_cast<std::size_t>(verdict)];
  const auto most = std::max_element(count.rbegin(), count.rend());
  return static_cast<OpenVerdict>(count.rend() - most - 1);
}

/// A share lies between 0 and 1, and so does what is known of it.
void keep_within_unit(const Measure& measure, std::optional<Estimate>& estimate) {
  constexpr double rounding = 1e-9;  // of a mean of what is always busy
  if (!estimate || measure.unit != MeasureUnit::share) return;
  if (!(estimate->mean >= 0.0 && estimate->mean <= 1.0 + rounding)) return;
  if (std::isfinite(estimate->low)) estimate->low = std::max(estimate->low, 0.0);
  if (std::isfinite(estimate->high)) estimate->high = std::min(estimate->high, std::max(1.0, estimate->mean));
}

/// Fills the numbers of a subject.
/// @param take  gives the subject in a replication
template <class Subjects, class Take>
void fill(Subjects& numbers, const Replications& replications, std::span<const RunOutcome> outcomes, const Take& take) {
  std::vector<Observed> observed;
  for (const RunOutcome& outcome : outcomes) {
    observed.push_back(take(outcome));
    observed.back().run = &outcome;
  }
  numbers.each_slot([&](const Measure& measure, std::optional<Estimate>& estimate) {
    const bool is_there = measure.where == nullptr || measure.where(observed.front());
    estimate = is_there ? replications.estimate(measure, observed) : std::nullopt;
    keep_within_unit(measure, estimate);
  });
}

/// @param pools  (replications) the pool in each
/// @param of     (replications) the pools that each is made of
JobsResults jobs_results(const Replications& replications, std::span<const RunOutcome> outcomes,
                         const std::vector<const JobsOutcome*>& pools,
                         const std::vector<std::span<const JobsOutcome>>& of) {
  const JobsOutcome& first = *pools.front();
  JobsResults results;
  results.name = first.name;
  const auto at = [&](const RunOutcome& o) { return static_cast<std::size_t>(&o - outcomes.data()); };
  fill(results, replications, outcomes,
       [&](const RunOutcome& o) { return Observed{.jobs = pools[at(o)], .pools = of[at(o)]}; });
  for (std::size_t s = 0; s < first.stages.size(); ++s) {
    StageResults& stage = results.stages.emplace_back();
    stage.label = first.stages[s].label;
    fill(stage, replications, outcomes,
         [&](const RunOutcome& o) { return Observed{.stage = &pools[at(o)]->stages[s]}; });
  }
  if (!first.open) return results;
  results.open = ArrivalResults{.limit = first.open->limit,
                                .buffer = first.open->buffer,
                                .repeats_after_s = first.open->repeats_after_s,
                                .recorded = first.open->recorded};
  std::vector<OpenVerdict> verdicts;
  for (const JobsOutcome* pool : pools) {
    verdicts.push_back(pool->open->verdict);
    results.times_grow |= pool->open->times_grow;
  }
  results.open->verdict = common_verdict(verdicts);
  return results;
}

JobsResults pool_results(const Replications& replications, std::span<const RunOutcome> outcomes, std::size_t j) {
  std::vector<const JobsOutcome*> pools;
  std::vector<std::span<const JobsOutcome>> of;
  for (const RunOutcome& outcome : outcomes) {
    pools.push_back(&outcome.jobs[j]);
    of.push_back(std::span(outcome.jobs).subspan(j, 1));
  }
  return jobs_results(replications, outcomes, pools, of);
}

JobsResults all_results(const Replications& replications, std::span<const RunOutcome> outcomes) {
  std::vector<JobsOutcome> all;
  all.reserve(outcomes.size());
  std::vector<const JobsOutcome*> pools;
  std::vector<std::span<const JobsOutcome>> of;
  for (const RunOutcome& outcome : outcomes) {
    pools.push_back(&all.emplace_back(together(outcome)));
    of.emplace_back(outcome.jobs);
  }
  return jobs_results(replications, outcomes, pools, of);
}

ModelResults model_results(const Replications& replications, std::span<const RunOutcome> outcomes, std::size_t m) {
  ModelResults results;
  results.name = outcomes.front().models[m].name;
  fill(results, replications, outcomes, [m](const RunOutcome& o) { return Observed{.model = &o.models[m]}; });
  for (const RunOutcome& outcome : outcomes) {
    for (const auto& [size, count] : outcome.models[m].batches) results.batches[size] += count;
    for (std::size_t r = 0; r < send_reasons; ++r) results.sent_because[r] += outcome.models[m].sent_because[r];
  }
  return results;
}

ResourceResults resource_results(const Replications& replications, std::span<const RunOutcome> outcomes,
                                 std::size_t r) {
  ResourceResults results;
  results.name = outcomes.front().resources[r].name;
  results.kind = outcomes.front().resources[r].kind;
  fill(results, replications, outcomes, [r](const RunOutcome& o) { return Observed{.resource = &o.resources[r]}; });
  return results;
}

std::vector<MomentResults> moments(std::span<const RunOutcome> outcomes, double confidence) {
  std::vector<MomentResults> results;
  const auto values_of = [&](std::size_t i, double Moment::*number) {
    std::vector<double> values;
    for (const RunOutcome& outcome : outcomes) values.push_back(outcome.over_time[i].*number);
    return values;
  };
  const auto of = [&](std::size_t i, double Moment::*number) {
    Estimate estimate = student_interval(values_of(i, number), confidence);
    estimate.low = std::max(estimate.low, 0.0);
    return estimate;
  };
  // The mean of all that ended then, in whichever replication: those in which nothing did say nothing of it.
  const auto of_each = [&](std::size_t i, double Moment::*number, double Moment::*per_s, double most) {
    const std::vector<double> rates = values_of(i, per_s);
    std::vector<double> sums = values_of(i, number);
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] *= rates[r];
    const auto with_some = std::ranges::count_if(rates, [](double rate) { return rate > 0.0; });
    if (with_some == 0) return Estimate{.confidence = confidence};
    Estimate estimate = ratio_interval(sums, rates, confidence);
    if (with_some == 1) estimate = student_interval(std::span(&estimate.mean, 1), confidence);
    estimate.low = std::max(estimate.low, 0.0);
    estimate.high = std::min(estimate.high, most);
    return estimate;
  };
  constexpr double without_end = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < outcomes.front().over_time.size(); ++i)
    results.push_back({.until_s = outcomes.front().over_time[i].until_s,
                       .events_per_s = of(i, &Moment::events_per_s),
                       .event_time_s = of_each(i, &Moment::event_time_s, &Moment::events_per_s, without_end),
                       .tries_per_s = of(i, &Moment::tries_per_s),
                       .late = of_each(i, &Moment::late, &Moment::tries_per_s, 1.0),
                       .calls_per_s = of(i, &Moment::calls_per_s),
                       .unserved = of_each(i, &Moment::unserved, &Moment::calls_per_s, 1.0),
                       .present = of(i, &Moment::present),
                       .nodes_in_service = of(i, &Moment::nodes_in_service),
                       .nodes_paid = of(i, &Moment::nodes_paid),
                       .nodes_least = of(i, &Moment::nodes_least)});
  return results;
}

std::vector<Check> merged_checks(std::span<const RunOutcome> outcomes) {
  std::vector<Check> merged;
  for (const RunOutcome& outcome : outcomes) {
    for (const Check& check : outcome.checks) {
      const auto same =
          std::find_if(merged.begin(), merged.end(), [&](const Check& c) { return c.name == check.name; });
      if (same == merged.end()) {
        merged.push_back(check);
      } else if (same->passed && !check.passed) {
        *same = check;
      }
    }
  }
  return merged;
}

void require_same_shape(std::span<const RunOutcome> outcomes) {
  if (outcomes.empty()) throw std::invalid_argument("summarise: no replications");
  const RunOutcome& first = outcomes.front();
  if (first.jobs.empty()) throw std::invalid_argument("summarise: a run without jobs");
  for (const RunOutcome& outcome : outcomes) {
    bool same = outcome.jobs.size() == first.jobs.size() && outcome.models.size() == first.models.size() &&
                outcome.resources.size() == first.resources.size();
    for (std::size_t j = 0; same && j < first.jobs.size(); ++j) {
      same = outcome.jobs[j].stages.size() == first.jobs[j].stages.size() &&
             outcome.jobs[j].open.has_value() == first.jobs[j].open.has_value();
    }
    if (!same) throw std::invalid_argument("summarise: the replications are not of one scenario");
  }
}

}  // namespace

Results summarise(std::span<const RunOutcome> outcomes, double confidence, Stopping stopping) {
  require_same_shape(outcomes);
  const RunOutcome& first = outcomes.front();
  const Replications replications(outcomes, confidence, stopping);
  Results results;
  for (std::size_t j = 0; j < first.jobs.size(); ++j) results.jobs.push_back(pool_results(replications, outcomes, j));
  results.all_jobs = all_results(replications, outcomes);
  for (const JobsResults& jobs : results.jobs) results.all_jobs.times_grow |= jobs.times_grow;
  fill(results.run, replications, outcomes, [](const RunOutcome&) { return Observed{}; });
  for (std::size_t m = 0; m < first.models.size(); ++m)
    results.models.push_back(model_results(replications, outcomes, m));
  for (std::size_t r = 0; r < first.resources.size(); ++r)
    results.resources.push_back(resource_results(replications, outcomes, r));
  results.over_time = moments(outcomes, confidence);
  results.checks = merged_checks(outcomes);
  for (const RunOutcome& outcome : outcomes) {
    results.warm_up_removed_s = std::max(results.warm_up_removed_s, outcome.warm_up.removed_s);
    results.window_s += outcome.warm_up.window_s / static_cast<double>(outcomes.size());
    results.requests += outcome.requests;
    if (!outcome.warm_up.steady) ++results.unsteady_replications;
  }
  results.replications = static_cast<std::uint32_t>(outcomes.size());
  results.relative_half_width = relative_half_width(results.all_jobs.times_grow ? results.all_jobs["events_per_s"]
                                                                                : results.all_jobs["event_time_s"]);
  return results;
}

namespace {

/// The mean of a number of a time of the run, weighted by how long its moments are, which is the same for all.
double mean_between(const std::vector<MomentResults>& moments, double from_s, double until_s,
                    Estimate MomentResults::*number) {
  double sum = 0.0;
  double count = 0.0;
  double begin_s = 0.0;
  for (const MomentResults& moment : moments) {
    if (begin_s >= from_s && moment.until_s <= until_s) {
      sum += (moment.*number).mean;
      count += 1.0;
    }
    begin_s = moment.until_s;
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace

std::optional<double> recovered_at(const std::vector<MomentResults>& moments, double from_s, double end_s) {
  const double before = mean_between(moments, from_s / 2, from_s, &MomentResults::present);
  // The last moment that is not as before: queues may seem to have gone while clients still wait to come again.
  std::optional<double> since;
  std::size_t quiet = 0;
  for (const MomentResults& moment : moments) {
    if (moment.until_s <= end_s) continue;
    const bool as_before =
        moment.present.mean <= 1.3 * before + 2.0 && moment.late.mean <= 0.001 && moment.unserved.mean <= 0.001;
    quiet = as_before ? quiet + 1 : 0;
    if (!as_before) since.reset();
    if (as_before && !since) since = moment.until_s;
  }
  constexpr std::size_t no_chance = 5;
  return quiet >= no_chance ? since : std::nullopt;
}

}  // namespace saturn
