#pragma once

#include <cstdint>

#include "models/run_outcome.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn::tests {

/// One pool of clients that compute for `think`, then send one request to a pool of devices.
struct SimpleLoop {
  std::uint64_t clients = 1;
  std::uint64_t nodes = 1;
  std::uint64_t devices = 1;
  TimeDistribution think = ConstantTime{Seconds{10.0}};
  TimeDistribution service = ConstantTime{Seconds{1.0}};
  JobStart start = JobStart::staggered;
  std::uint64_t cycles = 24;
};
Scenario simple_loop(const SimpleLoop& loop);

/// ProtoDUNE with four T4 as the slides describe it. @param request_batch 1719: 32 requests an event, 235: 235
Scenario protodune(std::uint64_t jobs, std::uint64_t request_batch, double gpu_seconds_per_event);

/// Simulates in a forked child, as SimGrid's engine exists once a process.
RunOutcome simulate_forked(const Scenario& scenario, std::uint32_t replica = 0, bool drain = true);

}  // namespace saturn::tests
