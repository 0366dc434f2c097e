#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Kubernetes' horizontal pod autoscaler (autoscaling/v2), as a state machine that is told the time.
/// Sources: kubernetes/kubernetes, pkg/controller/podautoscaler: horizontal.go, replica_calculator.go; defaults of
/// pkg/apis/autoscaling/v2/defaults.go. docs/models/autoscaling.md has the rules in words.

namespace saturn {

/// How a metric is compared with its target.
enum class MetricKind : std::uint8_t {
  cpu_utilization,  ///< mean over pods, in whole percent of what they requested; target [%]
  pods_average,     ///< mean over pods of a metric that each of them has
  value,            ///< one number: the pods that are ready, times number / target
  average_value,    ///< one number that grows with the load: number / target pods, however many there are
};

/// What the autoscaler makes of a pod.
enum class PodState : std::uint8_t {
  ready,
  unready,  ///< not ready, or too young for its CPU use to mean anything: left out of the mean of CPU at first
  pending,  ///< not yet on a node: left out of every mean at first
  gone,     ///< failed or being deleted: never counted
};

/// A pod with what was last measured of it.
struct PodSample {
  PodState state = PodState::ready;
  std::optional<double> value{};  ///< in the unit of the target; absent where nothing was measured
};

/// What is known of a pod whose CPU use may still be that of its start [s].
struct PodStart {
  double started_s = 0.0;   ///< when its containers were started
  double changed_s = 0.0;   ///< when it last became ready, or ceased to be
  bool is_ready = true;     ///< at present
  double measured_s = 0.0;  ///< end of the window over which its CPU use was measured
  double window_s = 0.0;    ///< the length of that window
};

/// The state in which its CPU use is judged: within five minutes of its start a pod counts once it is ready and was
/// measured over a whole window of readiness; later, unless it has never been ready.
PodState cpu_state(const PodStart& pod, double now_s);

/// One metric at one sync.
struct MetricSample {
  MetricKind kind = MetricKind::average_value;
  double target = 1.0;            ///< at least 1/1000, for metrics are counted in thousandths
  std::optional<double> value{};  ///< of the last two kinds; absent: the metric could not be read
  std::vector<PodSample> pods{};  ///< of the first two kinds; no pod measured: the metric could not be read
};

/// How many pods there are.
struct Replicas {
  int wanted = 0;   ///< what was last asked for (spec.replicas), from which the autoscaler reckons
  int present = 0;  ///< those that exist (status.replicas), ready or not
  int ready = 0;    ///< running and ready
};

/// Deviations from the target that are let be, as a ratio [1].
struct ScalingTolerance {
  double up = 0.1;
  double down = 0.1;
};

/// How many pods one metric asks for.
/// @returns none where the metric could not be read
std::optional<int> proposed_replicas(const MetricSample& metric, const Replicas& replicas,
                                     const ScalingTolerance& tolerance);

/// At most so many pods, or percent of the pods, are added (or removed) within a period.
struct RatePolicy {
  enum class Unit : std::uint8_t { pods, percent };
  Unit unit = Unit::pods;
  double amount = 1.0;     ///< > 0
  double period_s = 15.0;  ///< > 0
};

/// Which of several policies holds.
enum class SelectPolicy : std::uint8_t {
  max,       ///< the one that allows the largest change
  min,       ///< the one that allows the smallest
  disabled,  ///< no change in this direction
};

/// What holds back one direction.
struct DirectionRules {
  double window_s = 0.0;               ///< stabilisation: the most cautious proposal of this time holds
  std::vector<RatePolicy> policies{};  ///< not empty
  SelectPolicy select = SelectPolicy::max;
};

/// At once, by four pods or by doubling each 15 s.
DirectionRules default_up();
/// By any number, after five minutes of proposals that are lower.
DirectionRules default_down();

/// The rules of an autoscaler; the defaults are those of Kubernetes where `behavior` is given.
struct ScalingRules {
  int min_replicas = 1;  ///< >= 0; at 0 replicas nothing happens unless this is 0
  int max_replicas = 1;  ///< >= min_replicas, >= 1
  ScalingTolerance tolerance{};
  DirectionRules up = default_up();
  DirectionRules down = default_down();
  double sync_period_s = 15.0;  ///< how often desired() is to be called, > 0
};

/// A number of pods at a date: a proposal, or a change (added > 0, removed < 0).
struct DatedCount {
  double at_s = 0.0;
  int count = 0;
};

/// The count after the stabilisation windows: as it is, moved up to the least and down to the largest proposal of the
/// respective window.
int stabilized_replicas(const DirectionRules& up, const DirectionRules& down, int current, int proposed, double now_s,
                        std::span<const DatedCount> proposals);

/// The count after the rate policies, and within the least and largest number of pods.
/// @param changes  of the past, those of autoscalers before it too; only what is younger than a policy's period counts
int rate_limited_replicas(const ScalingRules& rules, int current, int proposed, double now_s,
                          std::span<const DatedCount> changes);

/// An autoscaler with its memory: proposals as long as a window, changes as long as a policy's period.
class HorizontalAutoscaler {
 public:
  /// @throws std::invalid_argument  rules out of their domain
  explicit HorizontalAutoscaler(ScalingRules rules);

  /// How many pods are wanted from now on: replicas.wanted where nothing changes. A count outside of least and most is
  /// put right at once, else the largest proposal holds; where a metric could not be read, never fewer pods.
  /// @param now_s  not before that of the call before
  int desired(double now_s, const Replicas& replicas, std::span<const MetricSample> metrics);

  const ScalingRules& rules() const { return rules_; }

 private:
  void forget(double now_s);

  ScalingRules rules_;
  double longest_window_s_ = 0.0;
  double longest_period_s_ = 0.0;
  bool started_ = false;
  std::vector<DatedCount> proposals_{};
  std::vector<DatedCount> changes_{};
};

}  // namespace saturn
