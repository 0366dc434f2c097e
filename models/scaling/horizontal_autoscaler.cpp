#include "models/scaling/horizontal_autoscaler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace saturn {

namespace {

// Metrics come as whole thousandths.
double thousandths(double value) {
  return std::round(value * 1000.0);
}

int as_count(double pods) {
  constexpr double most = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(pods, 0.0, most));
}

bool is_within(double ratio, const ScalingTolerance& tolerance) {
  return 1.0 - tolerance.down <= ratio && ratio <= 1.0 + tolerance.up;
}

/// A mean over pods, as the autoscaler rounds it.
struct PodMean {
  MetricKind kind;
  double target;
  double sum = 0.0;  ///< [1/1000]
  int pods = 0;

  void add(int more, double value) {
    sum += more * thousandths(value);
    pods += more;
  }
  double ratio() const {
    if (kind == MetricKind::cpu_utilization) return std::floor(sum / (1000.0 * pods)) / target;
    return std::floor(sum / pods) / thousandths(target);
  }
};

std::optional<int> proposed_from_pods(const MetricSample& metric, int current, const ScalingTolerance& tolerance) {
  const bool is_cpu = metric.kind == MetricKind::cpu_utilization;
  PodMean mean{.kind = metric.kind, .target = metric.target};
  int ignored = 0;
  int missing = 0;
  for (const PodSample& pod : metric.pods) {
    if (pod.state == PodState::gone) continue;
    if (pod.state == PodState::pending) {
      ++ignored;
    } else if (!pod.value) {
      ++missing;
    } else if (is_cpu && pod.state == PodState::unready) {
      ++ignored;
    } else {
      mean.add(1, *pod.value);
    }
  }
  if (mean.pods == 0) return std::nullopt;

  const double first = mean.ratio();
  const bool fill_ignored = ignored > 0 && first > 1.0;
  if (missing == 0 && !fill_ignored)
    return is_within(first, tolerance) ? current : as_count(std::ceil(first * mean.pods));
  // Whoever is not known speaks against the change.
  if (first < 1.0) mean.add(missing, is_cpu ? std::max(100.0, metric.target) : metric.target);
  if (first > 1.0) mean.add(missing, 0.0);
  if (fill_ignored) mean.add(ignored, 0.0);
  const double filled = mean.ratio();
  if (is_within(filled, tolerance) || (first < 1.0 && filled > 1.0) || (first > 1.0 && filled < 1.0)) return current;
  const int proposed = as_count(std::ceil(filled * mean.pods));
  const bool turns_back = (filled < 1.0 && proposed > current) || (filled > 1.0 && proposed < current);
  return turns_back ? current : proposed;
}

int changed_within(double period_s, double now_s, std::span<const DatedCount> changes) {
  int sum = 0;
  for (const DatedCount& change : changes)
    if (change.at_s > now_s - period_s) sum += change.count;
  return sum;
}

/// How far the policies of a direction let the count go; never to the other side of the present one.
/// @param sign  1 up, -1 down
int rate_limit(const DirectionRules& rules, int sign, int current, double now_s, std::span<const DatedCount> changes) {
  if (rules.select == SelectPolicy::disabled) return current;
  std::optional<double> limit;
  for (const RatePolicy& policy : rules.policies) {
    const double start = current - changed_within(policy.period_s, now_s, changes);
    double reached = start + sign * policy.amount;
    if (policy.unit == RatePolicy::Unit::percent) {
      const double exact = start * (1.0 + sign * policy.amount / 100.0);
      reached = sign > 0 ? std::ceil(exact) : std::floor(exact);
    }
    const bool is_further = limit && sign * (reached - *limit) > 0.0;
    if (!limit || is_further == (rules.select == SelectPolicy::max)) limit = reached;
  }
  const double reached = limit.value_or(current);
  return as_count(sign > 0 ? std::max<double>(reached, current) : std::clamp<double>(reached, 0.0, current));
}

void check_direction(const DirectionRules& rules) {
  if (!(rules.window_s >= 0.0)) throw std::invalid_argument("HorizontalAutoscaler: a window is at least 0 s");
  if (rules.policies.empty()) throw std::invalid_argument("HorizontalAutoscaler: a direction has at least one policy");
  for (const RatePolicy& policy : rules.policies) {
    if (!(policy.amount > 0.0) || !(policy.period_s > 0.0))
      throw std::invalid_argument("HorizontalAutoscaler: amount and period of a policy are above 0");
  }
}

}  // namespace

PodState cpu_state(const PodStart& pod, double now_s) {
  constexpr double initialization_s = 300.0;
  constexpr double initial_readiness_s = 30.0;
  const bool is_starting = pod.started_s + initialization_s > now_s;
  const bool is_too_early = pod.measured_s < pod.changed_s + pod.window_s;
  const bool was_never_ready = pod.started_s + initial_readiness_s > pod.changed_s;
  const bool is_ignored = is_starting ? !pod.is_ready || is_too_early : !pod.is_ready && was_never_ready;
  return is_ignored ? PodState::unready : PodState::ready;
}

std::optional<int> proposed_replicas(const MetricSample& metric, const Replicas& replicas,
                                     const ScalingTolerance& tolerance) {
  if (metric.kind == MetricKind::cpu_utilization || metric.kind == MetricKind::pods_average)
    return proposed_from_pods(metric, replicas.wanted, tolerance);
  if (!metric.value) return std::nullopt;
  const double pods = thousandths(*metric.value) / thousandths(metric.target);
  if (metric.kind == MetricKind::average_value)
    return is_within(pods / replicas.present, tolerance) ? replicas.present : as_count(std::ceil(pods));
  if (replicas.wanted == 0) return as_count(std::ceil(pods));
  return is_within(pods, tolerance) ? replicas.wanted : as_count(std::ceil(pods * replicas.ready));
}

DirectionRules default_up() {
  return {.window_s = 0.0,
          .policies = {{.unit = RatePolicy::Unit::pods, .amount = 4.0, .period_s = 15.0},
                       {.unit = RatePolicy::Unit::percent, .amount = 100.0, .period_s = 15.0}}};
}

DirectionRules default_down() {
  return {.window_s = 300.0, .policies = {{.unit = RatePolicy::Unit::percent, .amount = 100.0, .period_s = 15.0}}};
}

int stabilized_replicas(const DirectionRules& up, const DirectionRules& down, int current, int proposed, double now_s,
                        std::span<const DatedCount> proposals) {
  int least = proposed;
  int most = proposed;
  for (const DatedCount& proposal : proposals) {
    if (proposal.at_s > now_s - up.window_s) least = std::min(least, proposal.count);
    if (proposal.at_s > now_s - down.window_s) most = std::max(most, proposal.count);
  }
  return std::min(std::max(current, least), most);
}

int rate_limited_replicas(const ScalingRules& rules, int current, int proposed, double now_s,
                          std::span<const DatedCount> changes) {
  if (proposed > current) {
    const int limit = rate_limit(rules.up, 1, current, now_s, changes);
    return std::min(proposed, std::min(rules.max_replicas, limit));
  }
  if (proposed < current) {
    const int limit = rate_limit(rules.down, -1, current, now_s, changes);
    return std::max(proposed, std::max(rules.min_replicas, limit));
  }
  return proposed;
}

HorizontalAutoscaler::HorizontalAutoscaler(ScalingRules rules) : rules_(std::move(rules)) {
  if (rules_.min_replicas < 0 || rules_.max_replicas < std::max(1, rules_.min_replicas))
    throw std::invalid_argument("HorizontalAutoscaler: 0 <= least <= most number of replicas, and most is at least 1");
  if (!(rules_.tolerance.up >= 0.0) || !(rules_.tolerance.down >= 0.0) || !(rules_.sync_period_s > 0.0))
    throw std::invalid_argument("HorizontalAutoscaler: tolerances are at least 0, the sync period is above 0");
  for (const DirectionRules* direction : {&rules_.up, &rules_.down}) {
    check_direction(*direction);
    longest_window_s_ = std::max(longest_window_s_, direction->window_s);
    for (const RatePolicy& policy : direction->policies)
      longest_period_s_ = std::max(longest_period_s_, policy.period_s);
  }
}

void HorizontalAutoscaler::forget(double now_s) {
  std::erase_if(proposals_, [&](const DatedCount& one) { return one.at_s <= now_s - longest_window_s_; });
  std::erase_if(changes_, [&](const DatedCount& one) { return one.at_s <= now_s - longest_period_s_; });
}

int HorizontalAutoscaler::desired(double now_s, const Replicas& replicas, std::span<const MetricSample> metrics) {
  const int current = replicas.wanted;
  if (!started_) proposals_.push_back({.at_s = now_s, .count = current});
  started_ = true;
  if (current == 0 && rules_.min_replicas != 0) return current;

  int wanted = std::clamp(current, rules_.min_replicas, rules_.max_replicas);
  if (wanted == current) {
    std::optional<int> proposed;
    bool has_failed = metrics.empty();
    for (const MetricSample& metric : metrics) {
      const std::optional<int> one = proposed_replicas(metric, replicas, rules_.tolerance);
      has_failed = has_failed || !one;
      if (one) proposed = std::max(proposed.value_or(0), *one);
    }
    if (!proposed || (has_failed && *proposed < current)) return current;
    const int stable = stabilized_replicas(rules_.up, rules_.down, current, *proposed, now_s, proposals_);
    proposals_.push_back({.at_s = now_s, .count = *proposed});
    wanted = rate_limited_replicas(rules_, current, stable, now_s, changes_);
  }
  if (wanted != current) changes_.push_back({.at_s = now_s, .count = wanted - current});
  forget(now_s);
  return wanted;
}

}  // namespace saturn
