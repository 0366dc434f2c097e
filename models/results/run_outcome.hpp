#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "models/queueing/open_capacity.hpp"
#include "models/serving/service_order.hpp"
#include "models/statistics/intervals.hpp"
#include "models/values/units.hpp"

namespace saturn {

/// A run that went well but has nothing to say, because the scenario lets nothing happen that could be measured: the
/// input's fault, with the way out in its text.
class NoAnswer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Plain results of one simulated run. Everything is measured in the window that is left once the warm-up is removed.

/// Mean and quantiles of a measured duration [s].
struct TimeStatistics {
  std::uint64_t count = 0;
  double mean_s = 0.0;
  double p50_s = 0.0;
  double p95_s = 0.0;
  double p99_s = 0.0;
  double max_s = 0.0;
};

/// What became of calls that may come late, fail or be tried again, in the window.
struct CallOutcome {
  double calls = 0.0;        ///< that came to an end, one way or another
  double retried = 0.0;      ///< of them, tried more than once
  double fell_back = 0.0;    ///< of them, done by the fallback server or by the job itself
  double failed = 0.0;       ///< of them, done by nobody
  double tries = 0.0;        ///< sent to servers, without those of the fallback server
  double late = 0.0;         ///< of them, given up at their deadline
  double refused = 0.0;      ///< tries that were answered with an error
  double thrown_away = 0.0;  ///< answers that came when their try had been given up

  CallOutcome& operator+=(const CallOutcome& other) {
    calls += other.calls;
    retried += other.retried;
    fell_back += other.fell_back;
    failed += other.failed;
    tries += other.tries;
    late += other.late;
    refused += other.refused;
    thrown_away += other.thrown_away;
    return *this;
  }
};

/// The nodes behind a resource, where they break, come or go.
struct FleetOutcome {
  double in_service = 0.0;    ///< nodes that take requests, on average [1]
  double paid = 0.0;          ///< nodes that are there, those included that start, are repaired or are about to go [1]
  double device_hours = 0.0;  ///< of the nodes that are there, within the window [h]
  double most_device_hours = 0.0;         ///< were all nodes there all the time [h]
  std::optional<double> rent_usd{};       ///< of the nodes that are there, within the window; absent: not known [USD]
  std::optional<double> most_rent_usd{};  ///< were all nodes there all the time [USD]
  double failures = 0.0;                  ///< of nodes, within the window
};

/// Cores of jobs within the window.
struct CoreHours {
  double held = 0.0;    ///< by jobs [h]
  double waited = 0.0;  ///< of them, by streams that waited for answers and for retries [h]
};

/// Where an event's time goes: one entry a stage of the event, in the order of the scenario.
struct StageOutcome {
  std::string label;
  double mean_s = 0.0;                 ///< mean time an event spends in this stage [s]
  std::optional<CallOutcome> calls{};  ///< of a stage with calls, where something can happen to them
};

/// What is measured of a pool that events reach from outside. Offered = accepted + lost.
struct OpenOutcome {
  double rate_per_s = 0.0;                ///< long-run rate of arrivals, as the scenario has it [1/s]
  double capacity_per_s = 0.0;            ///< bound of what can be served, see open_capacity() [1/s]
  std::string limit{};                    ///< what sets it
  std::optional<std::uint64_t> buffer{};  ///< events that may wait for a stream; absent: no limit
  double repeats_after_s = 0.0;           ///< arrivals begin again after so long; 0: they do not [s]
  bool recorded = false;                  ///< they come from a trace
  std::uint64_t arrived = 0;              ///< in the window
  std::uint64_t lost = 0;                 ///< of them, since the buffer was full
  double waiting_mean = 0.0;              ///< events that wait for a stream [1]
  double waiting_max = 0.0;
  double present_mean = 0.0;  ///< events waiting or being processed [1]
  double growth_per_s = 0.0;  ///< slope of the number present over the window [1/s]
  OpenVerdict verdict = OpenVerdict::stable;
  /// Overloaded, and no buffer keeps the number present from growing: event times depend on how long was simulated.
  bool times_grow = false;
};

/// One pool of jobs.
struct JobsOutcome {
  std::string name;
  double clients = 0.0;             ///< streams [1]
  double ideal_event_time_s = 0.0;  ///< t_ideal [s]
  double events_per_s = 0.0;        ///< completed events over the window [1/s]
  TimeStatistics event_time;        ///< of the events that completed in the window
  std::vector<StageOutcome> stages;
  double set_up_s = 0.0;               ///< time in which streams set jobs up, per event; no part of the event time [s]
  double jobs_per_s = 0.0;             ///< jobs that ended [1/s]
  std::optional<CallOutcome> calls{};  ///< of all stages together
  double events_failed = 0.0;          ///< in the window, that ended their job
  CoreHours cores{};
  std::optional<OpenOutcome> open{};  ///< present: events arrive from outside, and their times begin at arrival
};

/// One model, over all pools and servers. send, host, queue, compute and receive add up to the mean latency. Of a model
/// that is only a step of an ensemble, requests come from within the server: send, host and receive are 0, and the
/// latency is that of the step. An ensemble's queue and compute are those of all its steps.
struct ModelOutcome {
  std::string name;
  double requests_per_s = 0.0;  ///< answered ones
  double items_per_s = 0.0;
  double rejected_per_s = 0.0;       ///< requests that a queue policy refused [1/s]
  double ingress_bytes_per_s = 0.0;  ///< input data of answered requests that clients sent [byte/s]
  TimeStatistics latency;            ///< from the client's call to the client's answer, of answered requests
  double send_s = 0.0;               ///< request on the network: half a round trip and the transfer [s]
  double host_s = 0.0;               ///< handling of the request's input by the server's host [s]
  double queue_s = 0.0;              ///< waiting in the server [s]
  double fill_s = 0.0;               ///< of it, held back by the batcher while an instance was free [s]
  double compute_s = 0.0;            ///< in the instance [s]
  double device_wait_s = 0.0;        ///< of it, for the device, which other instances used [s]
  double receive_s = 0.0;            ///< answer on the network [s]
  std::map<std::uint32_t, std::uint64_t> batches;          ///< executed batches by their number of items
  std::array<std::uint64_t, send_reasons> sent_because{};  ///< executed batches by SendReason
};

/// One resource.
struct ResourceOutcome {
  std::string name;
  ResourceKind kind = ResourceKind::gpu;
  double units = 1.0;
  double busy_fraction = 0.0;       ///< busy unit-time over the window, over the units [1]
  double demand_s_per_event = 0.0;  ///< busy time over units that one completed event caused, all pools together [s]
  double mean_in_use = 0.0;         ///< requests or flows present, waiting ones included [1]
  std::optional<FleetOutcome> fleet{};  ///< of a server's devices, where its nodes break, come or go
};

/// One law that the run must satisfy.
struct Check {
  std::string name;  ///< e.g. "conservation", "little gke/emtrk"
  bool passed = true;
  std::string detail;  ///< the two sides that should agree, with their values
};

/// What goes on within a short time of a run whose length is fixed, of everything together.
struct Moment {
  double until_s = 0.0;           ///< date at which it ends [s]
  double events_per_s = 0.0;      ///< that end [1/s]
  double event_time_s = 0.0;      ///< of those; 0 where none ends [s]
  double tries_per_s = 0.0;       ///< tries of calls that end, one way or another [1/s]
  double late = 0.0;              ///< share of them that is given up at their deadline [1]
  double calls_per_s = 0.0;       ///< calls that end [1/s]
  double unserved = 0.0;          ///< share of them that servers do not answer in time: they fall back, or fail [1]
  double present = 0.0;           ///< requests at servers, on average [1]
  double nodes_in_service = 0.0;  ///< of all servers, on average [1]
  double nodes_paid = 0.0;        ///< the same of those that are there [1]
  double nodes_least = 0.0;       ///< as few as could have done what was done, had they been known beforehand [1]
};

/// What was cut from the run's beginning.
struct WarmUp {
  double removed_s = 0.0;  ///< [s]
  double window_s = 0.0;   ///< what is left [s]
  bool steady = true;      ///< false: the series still drifts at the cut that MSER-5 would like best
};

/// One simulated run.
struct RunOutcome {
  std::vector<JobsOutcome> jobs;
  /// Of the events of all pools, each of which counts once, where there are several pools; its mean alone is that of
  /// the jobs.
  std::optional<TimeStatistics> event_time_of_all{};
  std::vector<ModelOutcome> models;
  std::vector<ResourceOutcome> resources;
  std::vector<Check> checks;
  WarmUp warm_up;
  BatchMeans event_times{};            ///< mean event times of the window's slices, all pools together [s]
  std::vector<Moment> over_time{};     ///< of a run whose length is fixed, one after the other
  std::optional<double> power_w{};     ///< of everything whose power is known, busy or not [W]; see known_power()
  std::uint64_t requests = 0;          ///< answered requests, warm-up included
  std::uint64_t simulated_events = 0;  ///< timed events that the engine handled
};

}  // namespace saturn
