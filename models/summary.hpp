#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/run_outcome.hpp"

/// Results of all replications of a scenario together: every number with its interval.
namespace saturn {

/// What the uncertainty of one fit adds to an interval.
struct CalibrationShare {
  std::string about{};      ///< "GPU times of resnet"
  double half_width = 0.0;  ///< in the unit of the estimate
};

/// What an interval is made of that holds more than the noise of the simulation.
struct IntervalParts {
  double low_simulation = 0.0;
  double high_simulation = 0.0;
  std::vector<CalibrationShare> calibration{};

  double half_width_simulation() const { return (high_simulation - low_simulation) / 2; }
};

/// What keeps an estimate, or its interval, from being said.
enum class Caveat {
  none,
  too_few_events,  ///< beyond a quantile: neither it nor an interval of it would hold
  not_stationary,  ///< it depends on how long was simulated: it has no interval
};

/// "too few events", "not stationary"; empty for none.
std::string_view words_of(Caveat caveat);

/// A mean with its two-sided confidence interval.
struct Estimate {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
  double confidence = 0.95;
  std::uint32_t replications = 0;
  std::shared_ptr<const IntervalParts> parts{};  ///< where fitted parameters widen the interval
  Caveat caveat = Caveat::none;                  ///< if any, no report says more than that

  double half_width() const { return (high - low) / 2; }
};

/// Mean and quantiles of a duration [s], each estimated over the replications.
struct TimeEstimate {
  Estimate mean_s;
  Estimate p50_s;
  Estimate p95_s;
  Estimate p99_s;
};

struct StageSummary {
  std::string label;
  Estimate mean_s;
};

/// A pool that events reach from outside. Offered = accepted + lost.
struct OpenSummary {
  double rate_per_s = 0.0;      ///< long-run rate of arrivals, as the scenario has it [1/s]
  double capacity_per_s = 0.0;  ///< bound of what can be served [1/s]
  std::string limit{};          ///< what sets it
  std::optional<std::uint64_t> buffer{};
  double repeats_after_s = 0.0;  ///< 0: arrivals do not begin again [s]
  bool recorded = false;         ///< they come from a trace
  Estimate offered_per_s{};      ///< arrivals [1/s]
  Estimate accepted_per_s{};
  Estimate lost_per_s{};
  Estimate lost_fraction{};  ///< of the arrivals [1]
  Estimate waiting_mean{};   ///< events that wait for an event loop [1]
  double waiting_max = 0.0;
  Estimate present_mean{};  ///< events waiting or being processed [1]
  Estimate growth_per_s{};  ///< of the number present [1/s]
  /// What most replications have; of equally many the worse.
  OpenVerdict verdict = OpenVerdict::stable;
};

struct JobsSummary {
  std::string name;
  double clients = 0.0;
  double ideal_event_time_s = 0.0;
  Estimate events_per_s;
  TimeEstimate event_time;
  Estimate slowdown;  ///< event time over ideal event time [1]
  std::vector<StageSummary> stages;
  Estimate set_up_s;                  ///< setting jobs up, per event; no part of the event time
  Estimate jobs_per_s;                ///< jobs that ended
  std::optional<OpenSummary> open{};  ///< of a pool that events reach from outside
  /// Event times depend on how long was simulated, and are not to be shown: an overloaded pool is among the jobs whose
  /// buffer has no limit, or was not full yet.
  bool times_grow = false;
};

/// One model. send, host, queue, compute and receive add up to the mean latency; fill and instance_wait to queue;
/// device_wait and execute to compute.
struct ModelSummary {
  std::string name;
  Estimate requests_per_s;
  Estimate items_per_s;
  Estimate rejected_per_s;       ///< requests that a queue policy refused [1/s]
  Estimate ingress_bytes_per_s;  ///< input data of answered requests that clients sent [byte/s]
  TimeEstimate latency;
  Estimate send_s;
  Estimate host_s;
  Estimate queue_s;
  Estimate fill_s;           ///< held back by the batcher while an instance was free
  Estimate instance_wait_s;  ///< the rest of the queue: all instances were busy
  Estimate compute_s;
  Estimate device_wait_s;  ///< in an instance, while others used the device
  Estimate execute_s;      ///< the rest of compute
  Estimate receive_s;
  std::optional<Estimate> batch_items;             ///< mean items of an executed batch; absent when there were none
  std::map<std::uint32_t, std::uint64_t> batches;  ///< by items, all replications together
  std::array<std::uint64_t, send_reasons> sent_because{};  ///< batches by SendReason, all replications together
};

struct ResourceSummary {
  std::string name;
  ResourceKind kind = ResourceKind::gpu;
  double units = 1.0;
  Estimate busy_fraction;
  Estimate demand_s_per_event;
  Estimate mean_in_use;
};

struct RunSummary {
  std::vector<JobsSummary> jobs;
  /// The pools together: summed clients and rates, event-weighted times (quantiles too, which is exact for equal pools
  /// only), no stages, named "all jobs"; equals jobs[0] when there is one pool.
  JobsSummary all_jobs;
  std::vector<ModelSummary> models;
  std::vector<ResourceSummary> resources;
  std::vector<Check> checks;       ///< by name, failed if it failed in any replication (the first failure's detail)
  double warm_up_removed_s = 0.0;  ///< the longest of the replications [s]
  double window_s = 0.0;           ///< mean of the replications [s]
  /// Replications whose event time still drifted at the cut: their window is too short for the scenario's memory.
  std::uint32_t unsteady_replications = 0;
  std::uint32_t replications = 0;
  std::uint64_t requests = 0;
  /// Half-width of the mean event time's interval over the mean [1]: what the asked precision is compared with. Where
  /// event times only grow, that of the rate of events.
  double relative_half_width = 0.0;
};

/// What ended the replications: a number that was fixed beforehand, an interval that had become narrow enough, or that
/// nothing is drawn, so that a second one would be the same run.
enum class Stopping { by_number, by_width, nothing_drawn };

/// The pools of one replication as one, without stages, named "all jobs"; a single pool as it is. Quantiles of the
/// whole are the event-weighted means of the pools' quantiles.
JobsOutcome together(const std::vector<JobsOutcome>& pools);

/// Student-t intervals over replications. With one replication there are batch means of its series for the event time,
/// and for rates of events and slowdowns, which follow it; what else is drawn has the whole line for its interval, for
/// nothing bounds it. Where nothing is drawn, every number has the relative width of the event time; where event times
/// only grow, that tells nothing, and numbers are not stationary. No interval of what cannot be negative reaches below
/// 0: those of quantiles are of their logarithm's scale, others end there. A quantile beyond which a replication has
/// fewer than 5 events on average is withheld. The interval of the rate of a closed pool holds clients over event time,
/// too, which differs from it by what the window's edges cut.
/// @param outcomes    (n) replications of one scenario, n >= 1, all with the same jobs, models, resources
/// @param confidence  in (0, 1)
/// @param stopping    by_width takes the factor of stopped_confidence(), so that the intervals hold what they say
/// @throws std::invalid_argument  no outcomes, outcomes of different shape, or a confidence outside (0, 1)
RunSummary summarise(std::span<const RunOutcome> outcomes, double confidence, Stopping stopping = Stopping::by_number);

}  // namespace saturn
