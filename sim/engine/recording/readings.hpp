#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "models/results/run_checks.hpp"
#include "models/results/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/network/platform.hpp"
#include "sim/engine/recording/meters.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/engine/recording/run_tracer.hpp"
#include "sim/engine/serving/inference_service.hpp"

namespace saturn {

struct PoolReading : PoolCounts {
  DurationTotals event_times;  ///< of all events that have ended
};

/// What stands on the meters of a whole run at one date. Two of them, subtracted, say what happened between their
/// dates.
struct Reading {
  double date = 0.0;
  std::vector<PoolReading> pools;
  std::vector<ModelCounts> models;
  std::vector<StationMeter> resources;  ///< in the order of the network's; areas only, but of devices and hosts
  std::vector<StationMeter> legs;       ///< in the order of the service's legs
  std::vector<FleetMeter> fleets;       ///< by server; empty where no node breaks, comes or goes
};

/// Every arrival and departure is dated to the clock's last digit, which is coarse against a short service late in a
/// long run.
inline double clock_error(const StationCounts& counts, double date) {
  const double dates = static_cast<double>(counts.arrivals + counts.departures + counts.present_before);
  return 4.0 * dates * std::numeric_limits<double>::epsilon() * date;
}

/// The meters of a running system, gathered by the resources of its network. Reading them changes nothing.
class ResourceMeters {
 public:
  /// All of them outlive this.
  ResourceMeters(const Scenario& scenario, const ClosedNetwork& network, const Platform& platform,
                 const InferenceService& service, const std::vector<PoolMeter>& pools);

  /// In the order of the network's resources; areas only, but of devices, hosts and cores.
  std::vector<StationMeter> read(double now) const;

  const ClosedNetwork& network() const { return network_; }
  const std::vector<ServerResources>& servers() const { return servers_; }
  /// By pool: the resource that its cores are, where streams share them.
  const std::vector<std::optional<std::size_t>>& cores() const { return cores_; }
  /// @param channel  one that a leg of the service crosses
  std::size_t resource_of_channel(std::size_t channel) const { return resource_of_channel_[channel]; }

 private:
  void match_channels(const std::vector<Channel>& channels);

  const Scenario& scenario_;
  const ClosedNetwork& network_;
  const InferenceService& service_;
  const std::vector<PoolMeter>& pools_;
  std::vector<ServerResources> servers_;
  std::vector<std::optional<std::size_t>> cores_;
  static constexpr std::size_t unlisted = static_cast<std::size_t>(-1);
  std::vector<std::size_t> resource_of_channel_;
  std::vector<double> unit_rate_;  // what one unit of each resource of the network carries [byte/s]
};

/// What a window tells of the streams of a closed pool.
struct LoopTimes {
  double event_time_s = 0.0;
  double events_per_s = 0.0;
  std::vector<StageOutcome> stages;  ///< they add up to the event time where none is asynchronous
  Check check;                       ///< Little's law of the whole loop
};

/// Where computing times are drawn, the event time is response_time_s(), the rate follows from it by Little's law of
/// the whole loop, and what that moves is shared by what events wait for. Where some events never end,
/// the time is that of the rate, too. Else both are as they were counted.
/// @param from, to  at the window's edges, between which events of the pool have ended
/// @param pool      number of the closed pool
LoopTimes loop_times(const JobPool& description, const JobClass& job_class, const Reading& from, const Reading& to,
                     std::size_t pool);

/// Samples the use of every resource, and the number of requests that wait for every model, at equal intervals of a
/// tracer's window.
class TraceTimeline final : private Source {
 public:
  /// To be made after every other source of the calendar, whose order among each other then stays as it is.
  TraceTimeline(Calendar& calendar, const ResourceMeters& resources, const RunTracer& tracer, std::size_t samples);

  /// The run has ended; the tracer has not finished yet.
  void end(double now);
  /// Adds what was sampled.
  void add_to(RunTrace& trace, const Scenario& scenario) const;

  /// Events of the calendar that were the timeline's.
  std::uint64_t handled() const { return handled_; }

 private:
  void fire(double now) override;
  void sample(double now);
  double date(std::size_t boundary) const;

  Calendar& calendar_;
  const ResourceMeters& resources_;
  const RunTracer& tracer_;
  std::size_t samples_;
  std::size_t source_;
  std::uint64_t handled_ = 0;
  std::vector<double> dates_;               // of the samples' boundaries [s]
  std::vector<std::vector<double>> areas_;  // at each boundary: busy areas, then waiting areas [s]
};

}  // namespace saturn
