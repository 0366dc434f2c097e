#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/results/run_checks.hpp"
#include "models/serving/service_order.hpp"
#include "models/statistics/histogram.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/timers.hpp"

namespace saturn {

/// What is counted at a station from date 0 on; the difference of two copies is what happened between them.
struct StationMeter {
  double present_area = 0.0;  ///< integral of the number present, waiting ones included [s]
  double busy_area = 0.0;     ///< integral of the units in use [s]
  double sojourn_sum = 0.0;   ///< time present of those that left, by their own stamps [s]
  double work_sum = 0.0;      ///< service of those that left [s]
  std::uint64_t arrivals = 0;
  std::uint64_t departures = 0;
  std::uint64_t idle_while_waiting = 0;  ///< times that a request waited although a unit was free

  /// Of those present now, filled when the meter is read.
  std::uint64_t present = 0;
  double age_sum = 0.0;      ///< time present so far [s]
  double work_so_far = 0.0;  ///< service received so far [s]

  StationMeter& operator+=(const StationMeter& other);

  void left(double sojourn_s) {
    ++departures;
    sojourn_sum += sojourn_s;
  }
};

/// What happened at the station between two readings.
StationCounts counts_between(const StationMeter& from, const StationMeter& to, std::string name);

/// Counts who comes to a station and goes, and how long they are there.
class PresenceMeter {
 public:
  /// @param now  [s], not before any earlier date, as in the others
  void came(double now) {
    count_to(now);
    ++present_;
    ++meter_.arrivals;
  }
  /// @param since  date at which the one who leaves came [s]
  void left(double since, double now) {
    count_to(now);
    --present_;
    meter_.left(now - since);
  }

  /// What was counted up to `now` [s]. `age_sum` is left to whoever knows those present.
  StationMeter read(double now) const {
    StationMeter meter = meter_;
    meter.present = present_;
    meter.present_area += area_since(now);
    return meter;
  }

 private:
  double area_since(double now) const { return static_cast<double>(present_) * (now - updated_); }
  void count_to(double now) {
    meter_.present_area += area_since(now);
    updated_ = now;
  }

  StationMeter meter_;
  std::uint32_t present_ = 0;
  double updated_ = 0.0;
};

/// What is counted of the cores of a pool's jobs from date 0 on, of those that wait for one and of those that have one.
struct CoresMeter {
  StationMeter counted;        ///< what is over
  std::uint64_t present = 0;   ///< streams that hold a core or wait for one
  std::uint64_t holding = 0;   ///< of them, with a core
  double present_since = 0.0;  ///< sum of the dates at which they asked [s]
  double holding_since = 0.0;  ///< sum of the dates at which those with a core got it [s]
  double last_change = 0.0;    ///< date [s]

  StationMeter read(double now) const;
};

class CoreHold;

/// The cores of one job, which its streams take in the order in which they ask. A stream that has to wait wakes by
/// the timers, at the date at which it got its core.
class Cores {
 public:
  Cores(std::uint32_t cores, Timers& timers, CoresMeter& meter) : free_(cores), timers_(&timers), meter_(&meter) {}

 private:
  friend class CoreHold;
  void count(double now);
  /// @returns false when the stream has to wait for its turn
  bool ask(CoreHold& stream, double now);
  void grant(CoreHold& stream, double now);
  void give_back(CoreHold& stream, double now);

  std::uint32_t free_;
  Timers* timers_;
  CoresMeter* meter_;
  CoreHold* first_ = nullptr;  // that waits
  CoreHold* last_ = nullptr;
};

/// A stream's claim to a core of its job. A stream without Cores has a core of its own all the time.
class CoreHold {
 public:
  /// @param cores  null: the stream has a core of its own
  CoreHold(Cores* cores, Client& stream) : cores_(cores), stream_(&stream) {}

  /// @returns whether the stream holds a core; when not, it is woken once it does
  bool take(double now) { return cores_ == nullptr || held_ || cores_->ask(*this, now); }

  /// Leaves the core to the stream that has waited longest; nothing happens without one.
  void give_back(double now) {
    if (held_) cores_->give_back(*this, now);
  }

 private:
  friend class Cores;

  Cores* cores_;
  Client* stream_;
  CoreHold* next_ = nullptr;  // that waits
  double asked_ = 0.0;
  double granted_ = 0.0;
  bool held_ = false;
};

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

/// What is counted of a model from date 0 on, beside its latencies. A step of an ensemble counts as a request without
/// network.
struct ModelCounts {
  std::uint64_t sent = 0;          ///< by clients
  std::uint64_t answered = 0;      ///< to clients
  std::uint64_t rejected = 0;      ///< by this model's queue, whoever sent them
  std::uint64_t refused = 0;       ///< rejections that reached clients of this model, and errors of what has failed
  std::uint64_t lost = 0;          ///< that no client was told of
  std::uint64_t found_nobody = 0;  ///< that no node in service could take; refused at once
  std::uint64_t served = 0;        ///< answered, or passed as a step
  std::uint64_t items = 0;         ///< of those
  std::uint64_t sent_items = 0;    ///< of the answered ones, which clients sent
  double send_sum = 0.0;           ///< [s], as the next: of all requests that have passed that phase
  double host_sum = 0.0;
  double queue_sum = 0.0;
  double fill_sum = 0.0;
  double compute_sum = 0.0;
  double device_wait_sum = 0.0;
  double receive_sum = 0.0;
  BatchSizes batches;
  std::array<std::uint64_t, send_reasons> sent_because{};
};

struct ModelMeter : ModelCounts {
  LogHistogram latency;  ///< of all that are served
};

/// What is counted of the calls of a stage that has rules, from date 0 on.
struct CallMeter {
  std::uint64_t calls = 0;                ///< that have come to an end, one way or another
  std::uint64_t retried = 0;              ///< of them, those that were tried more than once
  std::uint64_t fell_back = 0;            ///< of them, those whose work the fallback server or the job itself does
  std::uint64_t failed = 0;               ///< of them, those whose work nobody does
  std::uint64_t tries = 0;                ///< sent to servers, those of the fallback server apart
  std::uint64_t sent_to_fallback = 0;     ///< to the fallback server
  std::uint64_t late = 0;                 ///< tries that were given up at their deadline
  std::uint64_t refused = 0;              ///< tries that were answered with an error
  std::uint64_t answers_thrown_away = 0;  ///< of tries that had been given up
  std::uint64_t items_in_vain = 0;        ///< that servers computed for them
};

/// What is counted of the nodes of a server from date 0 on.
struct FleetMeter {
  std::uint64_t in_service = 0;  ///< nodes that take requests
  std::uint64_t paid = 0;        ///< nodes that are there: also those that start, are repaired, or are about to go
  double in_service_area = 0.0;  ///< integral of nodes in service, up to `counted_to` [s]
  double paid_area = 0.0;        ///< integral of nodes that are there [s]
  double counted_to = 0.0;       ///< [s]
  std::uint64_t failures = 0;    ///< of nodes

  void count_to(double now) {
    in_service_area += static_cast<double>(in_service) * (now - counted_to);
    paid_area += static_cast<double>(paid) * (now - counted_to);
    counted_to = now;
  }
};

/// What is counted of the events that arrive at a pool from outside, from date 0 on. Those present wait or are
/// processed.
struct ArrivalMeter {
  std::uint64_t arrived = 0;
  std::uint64_t lost = 0;          ///< of them, since the buffer was full
  std::uint64_t begun = 0;         ///< taken by a stream
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

/// What is counted of a pool of jobs from date 0 on, beside its events' times.
struct PoolCounts {
  std::vector<double> stage_sums;  ///< time in each stage, of the stages that were passed [s]
  std::vector<std::uint64_t> stage_passes;
  std::vector<double> stage_surplus;  ///< drawn computing times beyond their known means, of the stages passed [s]
  double surplus_sum = 0.0;           ///< of the events that ended, drawn computing times beyond their means [s]
  double slowness_sum = 0.0;          ///< of them, 1 over the speed of the job's node, where times are drawn [1]
  std::uint64_t open = 0;             ///< events under way, those in the buffer included
  double open_starts = 0.0;           ///< sum of the dates at which they began, or arrived [s]
  std::uint64_t paused = 0;           ///< streams that are in no event: not begun yet, or setting a job up
  double paused_since = 0.0;          ///< sum of the dates since when they are [s]
  double paused_sum = 0.0;            ///< time that pauses took which are over [s]
  double set_up_sum = 0.0;            ///< of it, for setting jobs up [s]
  std::uint64_t streams_ended = 0;    ///< streams whose job has ended
  std::uint64_t events_failed = 0;    ///< that ended their job, since nobody did the work of a call
  double failed_sum = 0.0;            ///< time from their beginnings to their ends [s]
  double computed_sum = 0.0;          ///< time that streams have computed, set-ups and what has just begun included [s]
  std::vector<CallMeter> calls{};     ///< by stage; empty where no stage has rules
  CoresMeter cores{};                 ///< where streams share them
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
  /// Time that the pauses, and events that came to nothing, have taken so far, pauses under way included, all together
  /// [s].
  double paused_time(double now) const {
    return paused_sum + failed_sum + static_cast<double>(paused) * now - paused_since;
  }
  /// Time that the events under way have taken so far, all together [s].
  double open_age(double now) const { return static_cast<double>(open) * now - open_starts; }
};

struct PoolMeter : PoolCounts {
  LogHistogram event_times;  ///< of all events that have ended
};

}  // namespace saturn
