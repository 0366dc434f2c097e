#include "sim/engine/living/autoscaling.hpp"

#include <algorithm>

namespace saturn {

namespace {

DirectionRules direction(const ScalingPace& pace) {
  DirectionRules rules{.window_s = pace.stabilisation.value, .policies = {}};
  constexpr double per_cent = 100.0;
  if (pace.nodes)
    rules.policies.push_back(
        {.unit = RatePolicy::Unit::pods, .amount = static_cast<double>(*pace.nodes), .period_s = pace.period.value});
  if (pace.share)
    rules.policies.push_back(
        {.unit = RatePolicy::Unit::percent, .amount = per_cent * *pace.share, .period_s = pace.period.value});
  return rules;
}

ScalingRules scaling_rules(const Autoscaler& rules) {
  return {.min_replicas = static_cast<int>(rules.least),
          .max_replicas = static_cast<int>(rules.most),
          .tolerance = {.up = rules.tolerance, .down = rules.tolerance},
          .up = direction(rules.up),
          .down = direction(rules.down),
          .sync_period_s = rules.sync.value};
}

/// Metrics are counted in thousandths of their unit, so times are given in milliseconds.
constexpr double ms_per_s = 1e3;

MetricKind kind_of(ScalingMetric metric) {
  switch (metric) {
    case ScalingMetric::queue_time:
    case ScalingMetric::queue_time_per_batch:
      return MetricKind::value;
    case ScalingMetric::utilisation:
      return MetricKind::pods_average;
    case ScalingMetric::in_flight:
    case ScalingMetric::request_rate:
      break;
  }
  return MetricKind::average_value;
}

double unit_of(ScalingMetric metric) {
  return metric == ScalingMetric::queue_time || metric == ScalingMetric::queue_time_per_batch ? ms_per_s : 1.0;
}

double scaled_target(const Autoscaler& rules) {
  return unit_of(rules.metric) * rules.target;
}

}  // namespace

Autoscaling::Autoscaling(Calendar& calendar, Fleet& fleet, InferenceService& service, const Scenario& scenario,
                         std::size_t server)
    : calendar_(calendar),
      fleet_(fleet),
      service_(service),
      scenario_(scenario),
      server_(server),
      rules_(*scenario.servers[server].autoscaler),
      source_(calendar.add(*this)),
      load_(service, scenario, server, rules_.metric, rules_.window) {
  if (rules_.to_zero) {
    behind_keda_.emplace(KedaRules{.kind = kind_of(rules_.metric),
                                   .threshold = scaled_target(rules_),
                                   .polling_interval_s = rules_.to_zero->polling.value,
                                   .cooldown_s = rules_.to_zero->cool_down.value,
                                   .scaling = scaling_rules(rules_)},
                         0.0);
  } else {
    alone_.emplace(scaling_rules(rules_));
  }
  scrape(0.0);
  calendar_.reschedule(source_, std::min(rules_.scrape.value, rules_.sync.value));
}

void Autoscaling::fire(double now) {
  const double scrape_at = static_cast<double>(scrapes_) * rules_.scrape.value;
  const double decide_at = static_cast<double>(decisions_ + 1) * rules_.sync.value;
  if (scrape_at <= now) scrape(now);
  if (rules_.to_zero && static_cast<double>(looks_ + 1) * rules_.to_zero->polling.value <= now) look(now);
  if (decide_at <= now) decide(now);
  double next = std::min(static_cast<double>(scrapes_) * rules_.scrape.value,
                         static_cast<double>(decisions_ + 1) * rules_.sync.value);
  if (rules_.to_zero) next = std::min(next, static_cast<double>(looks_ + 1) * rules_.to_zero->polling.value);
  calendar_.reschedule(source_, next);
}

void Autoscaling::scrape(double now) {
  ++scrapes_;
  load_.scrape(now, &fleet_);
}

MetricSample Autoscaling::metric(double now) const {
  MetricSample sample{.kind = kind_of(rules_.metric), .target = scaled_target(rules_)};
  if (rules_.metric == ScalingMetric::utilisation) {
    for (const std::optional<double>& share : load_.busy_shares(now)) {
      PodSample& pod = sample.pods.emplace_back();
      if (share) pod.value = *share;
    }
    return sample;
  }
  // A query that finds nothing is 0.
  sample.value = unit_of(rules_.metric) * load_.total(now).value_or(0.0);
  return sample;
}

Replicas Autoscaling::replicas() const {
  const int wanted = static_cast<int>(fleet_.wanted(server_));
  return {.wanted = wanted, .present = wanted, .ready = static_cast<int>(fleet_.ready(server_))};
}

void Autoscaling::decide(double now) {
  ++decisions_;
  const Replicas have = replicas();
  const MetricSample sample = metric(now);
  int wanted = have.wanted;
  if (alone_) {
    wanted = alone_->desired(now, have, std::span(&sample, 1));
  } else {
    wanted = behind_keda_->sync(now, have, QueryAnswer{.value = sample.value});
  }
  fleet_.scale(server_, static_cast<std::uint32_t>(wanted), now);
}

void Autoscaling::look(double now) {
  ++looks_;
  std::uint64_t unserved = 0;
  for (const std::string& name : scenario_.servers[server_].models)
    unserved += service_.models()[service_.model_number(name)].found_nobody;
  QueryAnswer answer{.value = metric(now).value};
  // Measured in front of the servers, requests that nobody took count as they come.
  if (rules_.to_zero->counts_arrivals && unserved > unserved_) answer.value = std::max(answer.value.value_or(0.0), 1.0);
  unserved_ = unserved;
  fleet_.scale(server_, static_cast<std::uint32_t>(behind_keda_->poll(now, replicas().wanted, answer)), now);
}

}  // namespace saturn
