#pragma once

#include <cstdint>
#include <optional>

#include "models/scaling/horizontal_autoscaler.hpp"
#include "models/scaling/prometheus_rate.hpp"

/// KEDA's scaled object with one Prometheus trigger, as a state machine that is told the time: it starts the first
/// replicas and stops the last ones by itself, and hands the metric on to the horizontal autoscaler for all between.
/// Sources: kedacore/keda, pkg/scaling/executor/scale_scaledobjects.go, pkg/scalers/prometheus_scaler.go,
/// pkg/fallback/fallback.go. docs/models/autoscaling.md has the rules in words.

namespace saturn {

/// What takes the place of a metric that cannot be read for long.
struct KedaFallback {
  enum class Behavior : std::uint8_t { fixed, current, higher, lower };
  int failure_threshold = 3;            ///< more failures one after the other than these, >= 0
  int replicas = 1;                     ///< as many are then wanted, >= 0
  Behavior behavior = Behavior::fixed;  ///< these; the present ones; the more or the fewer of the two
};

/// A scaled object; the defaults are KEDA's.
struct KedaRules {
  MetricKind kind = MetricKind::average_value;  ///< or value
  double threshold = 1.0;                       ///< the target of the metric, at least 1/1000
  double activation_threshold = 0.0;            ///< the service is active while the metric is above it
  bool ignore_null_values = true;               ///< a query that finds nothing is 0, else a failure
  double polling_interval_s = 30.0;             ///< how often poll() is to be called, > 0
  double cooldown_s = 300.0;                    ///< how long it is kept after it was last active, >= 0
  double initial_cooldown_s = 0.0;              ///< the same where it has never been active, >= 0
  std::optional<int> idle_replicas{};           ///< while not active, >= 0 and below the least; absent: as scaling says
  std::optional<KedaFallback> fallback{};
  /// Of the autoscaler. Where the least is 0 KEDA stops the last replica, and the autoscaler goes no lower than 1.
  ScalingRules scaling{.min_replicas = 0, .max_replicas = 100};
};

/// The number of replicas of a service, as KEDA and the autoscaler behind it want it.
class ScaledObject {
 public:
  /// @param created_s  when it began to exist
  /// @throws std::invalid_argument  rules out of their domain
  ScaledObject(const KedaRules& rules, double created_s);

  /// KEDA's own loop, at each polling interval: from idle to active, and back after the cool-down. A query that failed
  /// changes nothing.
  /// @param wanted  the replicas that were last asked for
  /// @returns those that are wanted now
  int poll(double now_s, int wanted, const QueryAnswer& answer);

  /// The autoscaler's sync, at each of its periods. It reads the metric through KEDA, and rests at 0 replicas.
  /// @returns the replicas that are wanted now
  int sync(double now_s, const Replicas& replicas, const QueryAnswer& answer);

 private:
  std::optional<double> read(const QueryAnswer& answer) const;
  std::optional<double> fallback_value(const Replicas& replicas) const;
  bool has_cooled_down(double now_s) const;

  KedaRules rules_;
  HorizontalAutoscaler autoscaler_;
  double created_s_;
  std::optional<double> last_active_s_{};
  int failures_ = 0;  ///< of the autoscaler's queries, one after the other
};

}  // namespace saturn
