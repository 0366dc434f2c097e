#include "models/scaling/keda.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace saturn {

namespace {

const KedaRules& checked(const KedaRules& rules) {
  if (rules.kind != MetricKind::value && rules.kind != MetricKind::average_value)
    throw std::invalid_argument("ScaledObject: a trigger's metric is a value or an average value");
  if (!(rules.threshold > 0.0) || !(rules.polling_interval_s > 0.0))
    throw std::invalid_argument("ScaledObject: threshold and polling interval are above 0");
  if (!(rules.cooldown_s >= 0.0) || !(rules.initial_cooldown_s >= 0.0))
    throw std::invalid_argument("ScaledObject: cool-downs are at least 0 s");
  if (rules.idle_replicas && (*rules.idle_replicas < 0 || *rules.idle_replicas >= rules.scaling.min_replicas))
    throw std::invalid_argument("ScaledObject: idle replicas are at least 0 and fewer than the least number");
  if (rules.fallback && (rules.fallback->failure_threshold < 0 || rules.fallback->replicas < 0))
    throw std::invalid_argument("ScaledObject: failures and replicas of a fallback are at least 0");
  return rules;
}

/// The autoscaler knows nothing of 0: it is made with a least number of 1.
ScalingRules of_autoscaler(ScalingRules rules) {
  rules.min_replicas = std::max(1, rules.min_replicas);
  return rules;
}

}  // namespace

ScaledObject::ScaledObject(const KedaRules& rules, double created_s)
    : rules_(checked(rules)), autoscaler_(of_autoscaler(rules.scaling)), created_s_(created_s) {}

std::optional<double> ScaledObject::read(const QueryAnswer& answer) const {
  if (answer.has_failed) return std::nullopt;
  if (answer.value && std::isfinite(*answer.value)) return answer.value;
  return rules_.ignore_null_values ? std::optional(0.0) : std::nullopt;
}

bool ScaledObject::has_cooled_down(double now_s) const {
  return last_active_s_ ? *last_active_s_ + rules_.cooldown_s < now_s : created_s_ + rules_.initial_cooldown_s < now_s;
}

int ScaledObject::poll(double now_s, int wanted, const QueryAnswer& answer) {
  const std::optional<double> value = read(answer);
  if (!value) return wanted;
  const int least = rules_.scaling.min_replicas;
  if (*value > rules_.activation_threshold) {
    last_active_s_ = now_s;
    const bool is_idle = wanted == 0 || (rules_.idle_replicas && wanted < least);
    return is_idle ? std::max(1, least) : wanted;
  }
  if (rules_.idle_replicas ? wanted > *rules_.idle_replicas : wanted > 0 && least == 0)
    return has_cooled_down(now_s) ? rules_.idle_replicas.value_or(0) : wanted;
  return rules_.idle_replicas ? wanted : std::max(wanted, least);
}

std::optional<double> ScaledObject::fallback_value(const Replicas& replicas) const {
  if (!rules_.fallback || failures_ <= rules_.fallback->failure_threshold) return std::nullopt;
  int count = rules_.fallback->replicas;
  switch (rules_.fallback->behavior) {
    case KedaFallback::Behavior::fixed:
      break;
    case KedaFallback::Behavior::current:
      count = replicas.wanted;
      break;
    case KedaFallback::Behavior::higher:
      count = std::max(count, replicas.wanted);
      break;
    case KedaFallback::Behavior::lower:
      count = std::min(count, replicas.wanted);
      break;
  }
  if (rules_.kind == MetricKind::average_value) return rules_.threshold * count;
  // The autoscaler multiplies by the replicas that are ready; a thousandth too much would be one replica more.
  if (replicas.ready == 0) return std::nullopt;
  return std::floor(1000.0 * rules_.threshold * count / replicas.ready) / 1000.0;
}

int ScaledObject::sync(double now_s, const Replicas& replicas, const QueryAnswer& answer) {
  MetricSample metric{.kind = rules_.kind, .target = rules_.threshold};
  if (replicas.wanted > 0) {
    metric.value = read(answer);
    failures_ = metric.value ? 0 : failures_ + 1;
    if (!metric.value) metric.value = fallback_value(replicas);
  }
  return autoscaler_.desired(now_s, replicas, std::array{metric});
}

}  // namespace saturn
