#include "models/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "models/intervals.hpp"

namespace saturn {

JobsOutcome together(const std::vector<JobsOutcome>& pools) {
  if (pools.size() == 1) return pools.front();
  JobsOutcome all;
  all.name = "all jobs";
  for (const JobsOutcome& pool : pools) {
    all.clients += pool.clients;
    all.events_per_s += pool.events_per_s;
    all.jobs_per_s += pool.jobs_per_s;
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
    all.event_time.p50_s += weight * pool.event_time.p50_s;
    all.event_time.p95_s += weight * pool.event_time.p95_s;
    all.event_time.p99_s += weight * pool.event_time.p99_s;
  }
  return all;
}

std::string_view words_of(Caveat caveat) {
  switch (caveat) {
    case Caveat::too_few_events:
      return "too few events";
    case Caveat::not_stationary:
      return "not stationary";
    case Caveat::none:
      break;
  }
  return "";
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

/// Clients of a closed pool over the time of an event and its share of set-ups, as far from what was counted as the
/// window's edges allow: one event a client. The rate of an open pool is what was counted.
double rate_by_loops(const JobsOutcome& jobs, double window_s) {
  if (jobs.open) return jobs.events_per_s;
  const double edge = jobs.clients / window_s;
  const double cycle_s = jobs.event_time.mean_s + jobs.set_up_s;
  return cycle_s > 0.0 ? std::clamp(jobs.clients / cycle_s, jobs.events_per_s - edge, jobs.events_per_s + edge)
                       : jobs.events_per_s;
}

/// Turns a number of every replication into an estimate.
class Replications {
 public:
  Replications(std::span<const RunOutcome> outcomes, double confidence, Stopping stopping)
      : outcomes_(outcomes),
        confidence_(confidence),
        nothing_drawn_(stopping == Stopping::nothing_drawn),
        grows_(nothing_drawn_ && std::any_of(outcomes.begin(), outcomes.end(), times_grow)),
        factor_confidence_(stopping == Stopping::by_width ? stopped_confidence(confidence) : confidence) {
    if (outcomes.size() == 1) {
      lone_relative_width_ = batch_means_relative_width(outcomes.front().event_time_series_s,
                                                        outcomes.front().events_series, factor_confidence_);
    }
  }

  /// Of what cannot be negative.
  template <class Number>
  Estimate estimate(const Number& number) const {
    return from_zero(signed_estimate(number));
  }

  template <class Number>
  Estimate signed_estimate(const Number& number) const {
    return as_printed(student_interval(values(number), factor_confidence_), nothing_drawn_);
  }

  /// Of a mean event time, and of what is proportional to it or its inverse: a single replication's series bounds it.
  template <class Number>
  Estimate estimate_like_event_time(const Number& number) const {
    return from_zero(as_printed(student_interval(values(number), factor_confidence_), true));
  }

  /// A rate of events, whose interval also holds the same rate by the event loops.
  template <class Number, class ByLoops>
  Estimate rate_estimate(const Number& number, const ByLoops& by_loops) const {
    Estimate rate = as_printed(student_interval(values(number), factor_confidence_), true);
    const double apart = std::abs(student_interval(values(by_loops), factor_confidence_).mean - rate.mean);
    if (apart > equal_rates * rate.mean && rate.caveat == Caveat::none) {
      rate.low = std::min(rate.low, rate.mean - apart);
      rate.high = std::max(rate.high, rate.mean + apart);
    }
    return from_zero(rate);
  }

  /// A ratio of two numbers of each replication, the replications together.
  template <class Above, class Below>
  Estimate ratio(const Above& above, const Below& below) const {
    std::vector<double> numerators;
    std::vector<double> denominators;
    for (const RunOutcome& outcome : outcomes_) {
      numerators.push_back(above(outcome));
      denominators.push_back(below(outcome));
    }
    return as_printed(ratio_interval(numerators, denominators, factor_confidence_), nothing_drawn_);
  }

  template <class Times>
  TimeEstimate time_estimate(const Times& times) const {
    double count = 0.0;
    for (const RunOutcome& outcome : outcomes_)
      count += static_cast<double>(times(outcome).count) / static_cast<double>(outcomes_.size());
    const auto quantile = [&](double q, double TimeStatistics::*number) {
      Estimate estimate = signed_estimate([&](const RunOutcome& o) { return times(o).*number; });
      // Where nothing is drawn nothing is left to chance.
      if (nothing_drawn_) return from_zero(estimate);
      if (count > 0.0 && count * (1.0 - q) < fewest_beyond) estimate.caveat = Caveat::too_few_events;
      return on_log_scale(estimate);
    };
    return {.mean_s = estimate([&](const RunOutcome& o) { return times(o).mean_s; }),
            .p50_s = quantile(0.50, &TimeStatistics::p50_s),
            .p95_s = quantile(0.95, &TimeStatistics::p95_s),
            .p99_s = quantile(0.99, &TimeStatistics::p99_s)};
  }

 private:
  template <class Number>
  std::vector<double> values(const Number& number) const {
    std::vector<double> all;
    for (const RunOutcome& outcome : outcomes_) all.push_back(number(outcome));
    return all;
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

/// @param pick  gives the outcome of the pool's open side in a replication
template <class Pick>
OpenSummary open_summary(const Replications& replications, std::span<const RunOutcome> outcomes, const Pick& pick) {
  const OpenOutcome& first = pick(outcomes.front());
  const auto number = [&](double OpenOutcome::*member) {
    return replications.estimate([&](const RunOutcome& o) { return pick(o).*member; });
  };
  const auto per_s = [&](const auto& count) {
    return replications.estimate([&](const RunOutcome& o) { return count(pick(o)) / o.warm_up.window_s; });
  };
  const auto arrived = [](const OpenOutcome& o) { return static_cast<double>(o.arrived); };
  const auto lost = [](const OpenOutcome& o) { return static_cast<double>(o.lost); };
  OpenSummary summary{.rate_per_s = first.rate_per_s,
                      .capacity_per_s = first.capacity_per_s,
                      .limit = first.limit,
                      .buffer = first.buffer,
                      .repeats_after_s = first.repeats_after_s,
                      .recorded = first.recorded};
  summary.offered_per_s = per_s(arrived);
  summary.lost_per_s = per_s(lost);
  summary.accepted_per_s = per_s([&](const OpenOutcome& o) { return arrived(o) - lost(o); });
  if (summary.offered_per_s.mean > 0.0) {
    summary.lost_fraction = replications.ratio([&](const RunOutcome& o) { return lost(pick(o)); },
                                               [&](const RunOutcome& o) { return arrived(pick(o)); });
  }
  summary.waiting_mean = number(&OpenOutcome::waiting_mean);
  summary.present_mean = number(&OpenOutcome::present_mean);
  summary.growth_per_s = replications.signed_estimate([&](const RunOutcome& o) { return pick(o).growth_per_s; });
  std::vector<OpenVerdict> verdicts;
  for (const RunOutcome& outcome : outcomes) {
    summary.waiting_max = std::max(summary.waiting_max, pick(outcome).waiting_max);
    verdicts.push_back(pick(outcome).verdict);
  }
  summary.verdict = common_verdict(verdicts);
  return summary;
}

/// @param pick      gives the pool's outcome (a value or a reference) of a replication
/// @param by_loops  gives its rate by its event loops
template <class Pick, class ByLoops>
JobsSummary jobs_summary(const Replications& replications, const JobsOutcome& first, const Pick& pick,
                         const ByLoops& by_loops) {
  JobsSummary summary;
  summary.name = first.name;
  summary.clients = first.clients;
  summary.ideal_event_time_s =
      replications.estimate([&](const RunOutcome& o) { return pick(o).ideal_event_time_s; }).mean;
  summary.events_per_s =
      replications.rate_estimate([&](const RunOutcome& o) { return pick(o).events_per_s; }, by_loops);
  summary.set_up_s = replications.estimate([&](const RunOutcome& o) { return pick(o).set_up_s; });
  summary.jobs_per_s = replications.estimate([&](const RunOutcome& o) { return pick(o).jobs_per_s; });
  summary.event_time = replications.time_estimate([&](const RunOutcome& o) { return pick(o).event_time; });
  summary.event_time.mean_s =
      replications.estimate_like_event_time([&](const RunOutcome& o) { return pick(o).event_time.mean_s; });
  summary.slowdown = replications.estimate_like_event_time(
      [&](const RunOutcome& o) { return pick(o).event_time.mean_s / pick(o).ideal_event_time_s; });
  for (std::size_t s = 0; s < first.stages.size(); ++s) {
    summary.stages.push_back({.label = first.stages[s].label, .mean_s = replications.estimate([&](const RunOutcome& o) {
                                return pick(o).stages[s].mean_s;
                              })});
  }
  return summary;
}

double batch_count(const ModelOutcome& model) {
  double count = 0.0;
  for (const auto& [size, batches] : model.batches) count += static_cast<double>(batches);
  return count;
}

double batched_items(const ModelOutcome& model) {
  double items = 0.0;
  for (const auto& [size, batches] : model.batches) items += static_cast<double>(size) * static_cast<double>(batches);
  return items;
}

void add_batches(ModelSummary& summary, const Replications& replications, std::span<const RunOutcome> outcomes,
                 std::size_t m) {
  for (const RunOutcome& outcome : outcomes) {
    for (const auto& [size, count] : outcome.models[m].batches) summary.batches[size] += count;
    for (std::size_t r = 0; r < send_reasons; ++r) summary.sent_because[r] += outcome.models[m].sent_because[r];
  }
  if (summary.batches.empty()) return;
  // Not the mean of the replications' means: it must agree with the histogram of all batches.
  summary.batch_items = replications.ratio([m](const RunOutcome& o) { return batched_items(o.models[m]); },
                                           [m](const RunOutcome& o) { return batch_count(o.models[m]); });
}

ModelSummary model_summary(const Replications& replications, std::span<const RunOutcome> outcomes, std::size_t m) {
  const auto number = [&](double ModelOutcome::*member) {
    return replications.estimate([&](const RunOutcome& o) { return o.models[m].*member; });
  };
  const auto rest = [&](double ModelOutcome::*whole, double ModelOutcome::*part) {
    return replications.estimate([&](const RunOutcome& o) { return o.models[m].*whole - o.models[m].*part; });
  };
  ModelSummary summary;
  summary.name = outcomes.front().models[m].name;
  summary.requests_per_s = number(&ModelOutcome::requests_per_s);
  summary.items_per_s = number(&ModelOutcome::items_per_s);
  summary.ingress_bytes_per_s = number(&ModelOutcome::ingress_bytes_per_s);
  summary.latency = replications.time_estimate([&](const RunOutcome& o) { return o.models[m].latency; });
  summary.rejected_per_s = number(&ModelOutcome::rejected_per_s);
  summary.send_s = number(&ModelOutcome::send_s);
  summary.host_s = number(&ModelOutcome::host_s);
  summary.queue_s = number(&ModelOutcome::queue_s);
  summary.fill_s = number(&ModelOutcome::fill_s);
  summary.instance_wait_s = rest(&ModelOutcome::queue_s, &ModelOutcome::fill_s);
  summary.compute_s = number(&ModelOutcome::compute_s);
  summary.device_wait_s = number(&ModelOutcome::device_wait_s);
  summary.execute_s = rest(&ModelOutcome::compute_s, &ModelOutcome::device_wait_s);
  summary.receive_s = number(&ModelOutcome::receive_s);
  add_batches(summary, replications, outcomes, m);
  return summary;
}

ResourceSummary resource_summary(const Replications& replications, const ResourceOutcome& first, std::size_t r) {
  const auto number = [&](double ResourceOutcome::*member) {
    return replications.estimate([&](const RunOutcome& o) { return o.resources[r].*member; });
  };
  return {.name = first.name,
          .kind = first.kind,
          .units = first.units,
          .busy_fraction = number(&ResourceOutcome::busy_fraction),
          .demand_s_per_event = number(&ResourceOutcome::demand_s_per_event),
          .mean_in_use = number(&ResourceOutcome::mean_in_use)};
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

RunSummary summarise(std::span<const RunOutcome> outcomes, double confidence, Stopping stopping) {
  require_same_shape(outcomes);
  const RunOutcome& first = outcomes.front();
  const Replications replications(outcomes, confidence, stopping);
  RunSummary summary;
  for (std::size_t j = 0; j < first.jobs.size(); ++j) {
    summary.jobs.push_back(jobs_summary(
        replications, first.jobs[j], [j](const RunOutcome& o) -> const JobsOutcome& { return o.jobs[j]; },
        [j](const RunOutcome& o) { return rate_by_loops(o.jobs[j], o.warm_up.window_s); }));
    if (!first.jobs[j].open) continue;
    JobsSummary& jobs = summary.jobs.back();
    jobs.open = open_summary(replications, outcomes,
                             [j](const RunOutcome& o) -> const OpenOutcome& { return *o.jobs[j].open; });
    for (const RunOutcome& outcome : outcomes) jobs.times_grow |= outcome.jobs[j].open->times_grow;
  }
  summary.all_jobs = jobs_summary(
      replications, together(first.jobs), [](const RunOutcome& o) -> JobsOutcome { return together(o.jobs); },
      [](const RunOutcome& o) {
        double rate = 0.0;
        for (const JobsOutcome& jobs : o.jobs) rate += rate_by_loops(jobs, o.warm_up.window_s);
        return rate;
      });
  // Quantiles of the whole are made of the pools'.
  for (const JobsSummary& jobs : summary.jobs)
    for (Estimate TimeEstimate::*quantile : {&TimeEstimate::p50_s, &TimeEstimate::p95_s, &TimeEstimate::p99_s})
      if ((jobs.event_time.*quantile).caveat == Caveat::too_few_events)
        (summary.all_jobs.event_time.*quantile).caveat = Caveat::too_few_events;
  if (summary.jobs.size() == 1) summary.all_jobs.open = summary.jobs.front().open;
  for (const JobsSummary& jobs : summary.jobs) summary.all_jobs.times_grow |= jobs.times_grow;
  for (std::size_t m = 0; m < first.models.size(); ++m) {
    summary.models.push_back(model_summary(replications, outcomes, m));
  }
  for (std::size_t r = 0; r < first.resources.size(); ++r) {
    summary.resources.push_back(resource_summary(replications, first.resources[r], r));
  }
  summary.checks = merged_checks(outcomes);
  for (const RunOutcome& outcome : outcomes) {
    summary.warm_up_removed_s = std::max(summary.warm_up_removed_s, outcome.warm_up.removed_s);
    summary.window_s += outcome.warm_up.window_s / static_cast<double>(outcomes.size());
    summary.requests += outcome.requests;
    if (!outcome.warm_up.steady) ++summary.unsteady_replications;
  }
  summary.replications = static_cast<std::uint32_t>(outcomes.size());
  summary.relative_half_width = relative_half_width(summary.all_jobs.times_grow ? summary.all_jobs.events_per_s
                                                                                : summary.all_jobs.event_time.mean_s);
  return summary;
}

}  // namespace saturn
