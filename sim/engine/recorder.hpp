#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/closed_network.hpp"
#include "models/run_outcome.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/inference_service.hpp"
#include "sim/engine/meters.hpp"
#include "sim/engine/platform.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/engine/station_meter.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

/// What stands on the meters of a whole run at one date. Two of them, subtracted, say what happened between their
/// dates.
struct Reading {
  double date = 0.0;
  std::vector<PoolMeter> pools;
  std::vector<ModelMeter> models;
  std::vector<StationMeter> resources;  ///< in the order of the network's; areas only, but of devices and hosts
  std::vector<StationMeter> legs;       ///< in the order of the service's ways
};

/// Reads the meters at the end of every period, and the event times of every slice, while a run goes on.
class Recorder final : private Source {
 public:
  Recorder(Calendar& calendar, const Timers& timers, const Scenario& scenario, const ClosedNetwork& network,
           const Platform& platform, const InferenceService& service, const std::vector<PoolMeter>& pools,
           const RunLength& length);

  /// What the run comes to once its warm-up is cut off.
  /// @throws NoAnswer  a pool has not ended one event in the window
  RunOutcome outcome() const;

 private:
  void fire(double now) override;
  double slice_end(std::uint32_t slice) const;
  Reading read(double now) const;
  std::vector<Check> checks(const Reading& from, const Reading& to) const;
  JobsOutcome jobs(std::size_t pool, const Reading& from, const Reading& to) const;
  ModelOutcome model(std::size_t model, const std::string& name, const Reading& from, const Reading& to) const;
  ResourceOutcome resource(std::size_t resource, const Reading& from, const Reading& to, double events) const;

  void match_channels(const std::vector<Channel>& channels);

  Calendar& calendar_;
  const Timers& timers_;
  const Scenario& scenario_;
  const ClosedNetwork& network_;
  const InferenceService& service_;
  const std::vector<PoolMeter>& pools_;
  RunLength length_;
  std::vector<ServerResources> servers_;
  static constexpr std::size_t unlisted = static_cast<std::size_t>(-1);
  std::vector<std::size_t> resource_of_channel_;
  std::vector<double> unit_rate_;  // what one unit of each resource of the network carries [byte/s]
  std::size_t source_;

  std::uint32_t slice_ = 0;  // slices that are over
  std::vector<Reading> readings_;
  std::vector<double> series_;     // mean event time of each slice [s]
  std::uint64_t seen_events_ = 0;  // of all pools, up to the last slice
  double seen_time_ = 0.0;         // their event times [s]
};

}  // namespace saturn
