#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "models/results/run_outcome.hpp"
#include "models/statistics/histogram.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/recording/readings.hpp"
#include "sim/engine/serving/inference_service.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

struct Bounds;
struct LivingParts;

/// Reads the meters at the end of every period, and the event times of every slice, while a run goes on.
class Recorder final : private Source {
 public:
  Recorder(Calendar& calendar, const Timers& timers, const DelayedSends& delayed, const Scenario& scenario,
           const ResourceMeters& resources, const InferenceService& service, std::vector<PoolMeter>& pools,
           const LivingParts& living, const RunLength& length);

  /// What the run comes to once its warm-up is cut off.
  /// @throws NoAnswer  a pool has not ended one event in the window
  RunOutcome outcome() const;

 private:
  void fire(double now) override;
  Reading read(double now);
  std::vector<Check> checks(const Reading& from, const Reading& to) const;
  void check_pool(std::size_t pool, const Reading& from, const Reading& to, const Bounds& bounds, bool refuses,
                  std::vector<Check>& checks) const;
  /// @param first, last  numbers of the readings at the window's edges
  JobsOutcome jobs(std::size_t pool, std::size_t first, std::size_t last) const;
  /// Mean and quantiles of the durations between two readings. @param histories  of all that count together
  TimeStatistics times_between(std::span<const HistogramHistory> histories, std::size_t first, std::size_t last) const;
  /// Number of the reading that parts the window for window_times().
  std::size_t middle(std::size_t first, std::size_t last) const;
  ModelOutcome model(std::size_t model, const std::string& name, std::size_t first, std::size_t last) const;
  ResourceOutcome resource(std::size_t resource, const Reading& from, const Reading& to, double events) const;

  Calendar& calendar_;
  const Timers& timers_;
  const DelayedSends& delayed_;
  const Scenario& scenario_;
  const ResourceMeters& resources_;
  const ClosedNetwork& network_;
  const InferenceService& service_;
  const LivingParts& living_;
  std::vector<PoolMeter>& pools_;  // only their peaks are reset, at every reading
  RunLength length_;
  std::size_t source_;

  std::uint32_t slice_ = 0;  // slices that are over
  std::vector<Reading> readings_;
  std::vector<HistogramHistory> event_times_;  // by pool, as the next: at the readings
  std::vector<HistogramHistory> latencies_;    // by model
  // Mean event time of each slice [s]. One in which no event ended repeats the one before it.
  std::vector<double> series_;
  std::vector<double> ended_;      // events that ended in it
  std::uint64_t seen_events_ = 0;  // of all pools, up to the last slice
  double seen_time_ = 0.0;         // their event times [s]
};

}  // namespace saturn
