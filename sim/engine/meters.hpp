#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "models/batching_rules.hpp"
#include "models/log_histogram.hpp"
#include "sim/engine/cores.hpp"

namespace saturn {

/// Executed batches by their number of items.
class BatchSizes {
 public:
  void add(std::uint32_t items) {
    if (items >= dense) {
      ++others_[items];
      return;
    }
    if (items >= counts_.size()) counts_.resize(items + 1, 0);
    ++counts_[items];
  }
  std::map<std::uint32_t, std::uint64_t> since(const BatchSizes& earlier) const;

 private:
  // Copies of the counts are kept through a run, so the table stays small.
  static constexpr std::uint32_t dense = 1024;
  std::vector<std::uint64_t> counts_;
  std::unordered_map<std::uint32_t, std::uint64_t> others_;
};

/// What is counted of a model from date 0 on. A step of an ensemble counts as a request without network.
struct ModelMeter {
  std::uint64_t sent = 0;        ///< by clients
  std::uint64_t answered = 0;    ///< to clients
  std::uint64_t rejected = 0;    ///< by this model's queue, whoever sent them
  std::uint64_t refused = 0;     ///< rejections that reached clients of this model
  std::uint64_t served = 0;      ///< answered, or passed as a step
  std::uint64_t items = 0;       ///< of those
  std::uint64_t sent_items = 0;  ///< of the answered ones, which clients sent
  double send_sum = 0.0;         ///< [s], as the next: of all requests that have passed that phase
  double host_sum = 0.0;
  double queue_sum = 0.0;
  double fill_sum = 0.0;
  double compute_sum = 0.0;
  double device_wait_sum = 0.0;
  double receive_sum = 0.0;
  LogHistogram latency;
  BatchSizes batches;
  std::array<std::uint64_t, send_reasons> sent_because{};
};

/// What is counted of the events that arrive at a pool from outside, from date 0 on. Those present wait or are
/// processed.
struct ArrivalMeter {
  std::uint64_t arrived = 0;
  std::uint64_t lost = 0;          ///< of them, since the buffer was full
  std::uint64_t begun = 0;         ///< taken by an event loop
  std::uint64_t waiting = 0;       ///< in the buffer now
  std::uint64_t most_waiting = 0;  ///< since the last reading
  double wait_sum = 0.0;           ///< time in the buffer, of those taken [s]
  double present_area = 0.0;       ///< integral of the events present, up to `counted_to` [s]
  double waiting_area = 0.0;       ///< integral of the events waiting [s]
  double counted_to = 0.0;         ///< [s]

  /// Brings the integrals up to a date, before the numbers change. @param present  events waiting or being processed
  void count_to(double now, std::uint64_t present) {
    present_area += static_cast<double>(present) * (now - counted_to);
    waiting_area += static_cast<double>(waiting) * (now - counted_to);
    counted_to = now;
  }
};

/// What is counted of a pool of jobs from date 0 on.
struct PoolMeter {
  std::vector<double> stage_sums;  ///< time in each stage, of the stages that were passed [s]
  std::vector<std::uint64_t> stage_passes;
  std::vector<double> stage_surplus;  ///< drawn computing times beyond their known means, of the stages passed [s]
  LogHistogram event_times;           ///< of all events that have ended
  double surplus_sum = 0.0;           ///< of them, drawn computing times beyond their known means [s]
  double slowness_sum = 0.0;          ///< of them, 1 over the speed of the job's node, where times are drawn [1]
  std::uint64_t open = 0;             ///< events under way, those in the buffer included
  double open_starts = 0.0;           ///< sum of the dates at which they began, or arrived [s]
  std::uint64_t paused = 0;           ///< event loops that are in no event: not begun yet, or setting a job up
  double paused_since = 0.0;          ///< sum of the dates since when they are [s]
  double paused_sum = 0.0;            ///< time that pauses took which are over [s]
  double set_up_sum = 0.0;            ///< of it, for setting jobs up [s]
  std::uint64_t loops_ended = 0;      ///< event loops whose job has ended
  CoresMeter cores{};                 ///< where loops share them
  ArrivalMeter arrivals{};            ///< of a pool that events reach from outside

  void pause(double now) {
    ++paused;
    paused_since += now;
  }
  void go_on(double since, double now) {
    --paused;
    paused_since -= since;
    paused_sum += now - since;
  }
  /// Time that the pauses have taken so far, those under way included, all together [s].
  double paused_time(double now) const { return paused_sum + static_cast<double>(paused) * now - paused_since; }
  /// Time that the events under way have taken so far, all together [s].
  double open_age(double now) const { return static_cast<double>(open) * now - open_starts; }
};

}  // namespace saturn
