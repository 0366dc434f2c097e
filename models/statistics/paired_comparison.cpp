#include "models/statistics/paired_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/results/results.hpp"
#include "models/statistics/intervals.hpp"
#include "models/statistics/quantiles.hpp"

namespace saturn {

namespace {

constexpr double spent_on_deciding = 0.1;

Estimate interval(std::span<const double> values, double confidence, Stopping stopping) {
  const double factor = stopping == Stopping::by_width ? stopped_confidence(confidence) : confidence;
  Estimate result = student_interval(values, factor);
  result.confidence = confidence;
  if (stopping == Stopping::nothing_drawn) result.low = result.high = result.mean;
  return result;
}

/// Chance that a mean lies below 0, given an interval of it.
/// @param factor_confidence  of the Student factor that the interval was made with
double chance_below_zero(const Estimate& estimate, double factor_confidence) {
  const double half = estimate.half_width();
  if (half == 0.0) return estimate.mean < 0.0 ? 1.0 : estimate.mean > 0.0 ? 0.0 : 0.5;
  const double freedom = estimate.replications - 1.0;
  const double factor = student_quantile_above(freedom, (1.0 - factor_confidence) / 2);
  return student_below(freedom, -estimate.mean * factor / half);
}

}  // namespace

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b, Better better,
                                   double confidence, Stopping stopping) {
  if (a.size() != b.size()) throw std::invalid_argument("paired_difference: as many of A as of B are needed");
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(b[i] - a[i]);
  PairedDifference result{.a = interval(a, confidence, stopping),
                          .b = interval(b, confidence, stopping),
                          .difference = interval(differences, confidence, stopping),
                          .a_better = {}};
  if (!std::isfinite(result.difference.half_width())) return result;
  const double used = stopping == Stopping::by_width ? stopped_confidence(confidence) : confidence;
  const double below = chance_below_zero(result.difference, used);
  result.a_better = better == Better::less ? 1.0 - below : below;
  return result;
}

Decision decision_of(const ComparedNumber& number, double least) {
  const Estimate& difference = number.paired.difference;
  if (!number.paired.a_better) return Decision::undecided;
  const double within = least * std::abs(number.paired.a.mean);
  if (std::max(std::abs(difference.low), std::abs(difference.high)) <= within) return Decision::no_difference;
  const double spent = spent_on_deciding * (1.0 - difference.confidence) / 2;
  if (*number.paired.a_better >= 1.0 - spent) return Decision::a_better;
  if (*number.paired.a_better <= spent) return Decision::b_better;
  return Decision::undecided;
}

namespace {

/// The numbers of each replication that are compared.
struct Compared {
  std::vector<double> events_per_s;
  std::vector<double> event_time_s;
  std::vector<double> latency_s;
  std::vector<double> latency_p99_s;
};

bool is_among(const ModelOutcome& model, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), model.name) != names.end();
}

/// Mean latency of the requests of these models.
double mean_latency_s(const RunOutcome& run, const std::vector<std::string>& names) {
  double requests = 0.0;
  double sum_s = 0.0;
  for (const ModelOutcome& model : run.models) {
    if (!is_among(model, names) || model.latency.count == 0) continue;
    const auto count = static_cast<double>(model.latency.count);
    requests += count;
    sum_s += count * model.latency.mean_s;
  }
  return requests > 0.0 ? sum_s / requests : 0.0;
}

/// Number of the model, among these, whose latency reaches furthest; 0 where none has any. Quantiles have no mean that
/// would be one of all requests.
std::size_t slowest_model(std::span<const RunOutcome> runs, const std::vector<std::string>& names) {
  std::size_t slowest = 0;
  double longest_s = 0.0;
  for (const RunOutcome& run : runs) {
    for (std::size_t i = 0; i < run.models.size(); ++i) {
      if (!is_among(run.models[i], names) || run.models[i].latency.p99_s <= longest_s) continue;
      slowest = i;
      longest_s = run.models[i].latency.p99_s;
    }
  }
  return slowest;
}

/// Share of the requests that the strictest of these models' queues serves; never 0, so that ratios exist.
double served_share(const RunOutcome& run, const std::set<std::string>& spoiling) {
  double share = 1.0;
  for (const ModelOutcome& model : run.models) {
    if (model.rejected_per_s > 0.0 && spoiling.contains(model.name))
      share = std::min(share, model.requests_per_s / (model.requests_per_s + model.rejected_per_s));
  }
  return std::max(share, 1e-9);
}

/// @param slowest  number of the model whose 99 % of latency is compared
Compared compared(std::span<const RunOutcome> runs, const std::vector<std::string>& models,
                  const std::set<std::string>& spoiling, std::size_t slowest) {
  Compared numbers;
  for (const RunOutcome& run : runs) {
    const JobsOutcome all = together(run);
    numbers.events_per_s.push_back(all.events_per_s * served_share(run, spoiling));
    numbers.event_time_s.push_back(all.event_time.mean_s);
    numbers.latency_s.push_back(mean_latency_s(run, models));
    numbers.latency_p99_s.push_back(slowest < run.models.size() ? run.models[slowest].latency.p99_s : 0.0);
  }
  return numbers;
}

double lone_width(const RunOutcome& run, double confidence) {
  return batch_means_relative_width(run.event_times, confidence);
}

}  // namespace

PairedChange paired_change(std::span<const RunOutcome> original, std::span<const RunOutcome> variant,
                           const std::vector<std::string>& models, const std::set<std::string>& spoiling,
                           double confidence, Stopping stopping) {
  const std::size_t pairs = std::min(original.size(), variant.size());
  const std::size_t slowest = slowest_model(original.first(pairs), models);
  const Compared before = compared(original.first(pairs), models, spoiling, slowest);
  const Compared after = compared(variant.first(pairs), models, spoiling, slowest);
  enum class Follows { events, requests };
  const auto change = [&](const std::vector<double>& from, const std::vector<double>& to, Follows follows) {
    Estimate ratio = ratio_interval(to, from, confidence);
    // Batch means of event times bound what follows them; of latencies they tell nothing unless nothing is drawn.
    if (pairs == 1 && (follows == Follows::events || stopping == Stopping::nothing_drawn)) {
      const double half =
          std::abs(ratio.mean) * std::hypot(lone_width(original[0], confidence), lone_width(variant[0], confidence));
      ratio.low = ratio.mean - half;
      ratio.high = ratio.mean + half;
    }
    ratio.mean -= 1.0;
    ratio.low -= 1.0;
    ratio.high -= 1.0;
    return ratio;
  };
  PairedChange result{.events_per_s = change(before.events_per_s, after.events_per_s, Follows::events),
                      .event_time = change(before.event_time_s, after.event_time_s, Follows::events),
                      .latency = {},
                      .latency_p99 = {}};
  const auto positive = [](double seconds) { return seconds > 0.0; };
  if (std::any_of(before.latency_s.begin(), before.latency_s.end(), positive)) {
    result.latency = change(before.latency_s, after.latency_s, Follows::requests);
    result.latency_p99 = change(before.latency_p99_s, after.latency_p99_s, Follows::requests);
  }
  return result;
}

Verdict verdict_of(const Estimate& relative_change) {
  if (relative_change.low > 0.0 && relative_change.mean >= least_difference) return Verdict::gains;
  if (relative_change.high < 0.0 && relative_change.mean <= -least_difference) return Verdict::loses;
  return Verdict::no_difference;
}

}  // namespace saturn
