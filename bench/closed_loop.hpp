#pragma once

#include <cstdint>
#include <string>

#include "scenarios/scenario.hpp"

namespace saturn::bench {

/// How the server executes requests.
enum class Batching {
  off,    ///< each alone, as all engines can
  idle,   ///< an idle device takes all that waits: at half load mostly one request
  delay,  ///< batches are held back for up to a hundredth of the computing time, preferably 4 or 8 requests
};

/// The system that all engines simulate: clients that compute for an exponential time and then send one request over a
/// shared link to a node with eight devices, first come first served; the answer comes back over the same link.
struct ClosedLoop {
  std::uint64_t clients = 0;
  Batching batching = Batching::off;
  bool saturated = false;  ///< the link can carry half of what the clients would send; else a hundred times as much

  static constexpr std::uint64_t devices = 8;
  static constexpr double think_s = 1.0;  ///< mean of the exponential CPU time [s]
  static constexpr double request_bytes = 1e6;
  static constexpr double answer_bytes = 1e3;
  static constexpr double round_trip_s = 0.01;
  static constexpr double flow_bytes_per_s = 1e8;  ///< cap of one transfer

  /// Half of the devices' time is used when no client waits.
  double service_s() const { return 0.5 * devices * think_s / static_cast<double>(clients); }
  double bandwidth() const {
    return (saturated ? 0.5 : 100.0) * static_cast<double>(clients) * request_bytes / think_s;
  }
  /// When client i begins: uniform over the event time without waiting, as saturn starts random jobs.
  double start_s(std::uint32_t client) const;
};

/// Clients of several sites that share one saturated resource, the network card of the server node: each site reaches
/// it over a link of its own that is not binding. The card carries a tenth of what the clients would send, so that nine
/// in ten of them have a transfer under way.
struct SharedLoop {
  std::uint64_t clients = 0;  ///< >= sites
  std::uint64_t sites = 1;
};

/// What an engine reports of a run.
struct LoopResult {
  std::uint64_t requests = 0;     ///< answered, over the whole run
  double requests_per_s = 0.0;    ///< of simulated time, over its second half
  double wall_s = 0.0;            ///< wall time of the simulation itself
  double grown_bytes = 0.0;       ///< growth of resident memory over the run, at its peak [byte]
  double bytes_per_client = 0.0;  ///< what it grows beyond a run with one client, by clients [byte]
  bool finished = true;           ///< false: the time limit came first
};

/// The same as a scenario of saturn's.
Scenario scenario_of(const ClosedLoop& loop);

Scenario scenario_of(const SharedLoop& shared);

/// Simulates the scenario for `horizon_s` of simulated time; call once a process.
LoopResult run_scenario(const Scenario& scenario, double horizon_s);

/// Each simulates `horizon_s` of simulated time; call once a process. Randomness: the CPU times of client i are the
/// numbers of RandomStream(seed 1, replication 0, entity i, cpu_stage) in all three, its start that of purpose start.
LoopResult run_saturn(const ClosedLoop& loop, double horizon_s);
LoopResult run_actors(const ClosedLoop& loop, double horizon_s, double wall_limit_s);
LoopResult run_bare(const ClosedLoop& loop, double horizon_s);

/// Resident memory of this process, now and at its peak [byte].
double resident_bytes();
double peak_resident_bytes();

}  // namespace saturn::bench
