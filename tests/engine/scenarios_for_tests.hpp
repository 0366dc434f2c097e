#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/results/estimate.hpp"
#include "models/results/run_outcome.hpp"
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
  std::optional<std::uint64_t> cycles{};
};
Scenario simple_loop(const SimpleLoop& loop);

/// ProtoDUNE with four T4 as the slides describe it. @param request_batch 1719: 32 requests an event, 235: 235
Scenario protodune(std::uint64_t jobs, std::uint64_t request_batch, double gpu_seconds_per_event);

/// Clients at the server's own site that do nothing but call one model, one item a call. The model is "model" on
/// "server", one node with one device of the type "device".
Scenario busy_clients(std::uint64_t clients, const ServiceLaw& law);

/// The same with so many rare callers that they make a Poisson stream. @param rate  of their calls [1/s]
Scenario poisson_calls(double rate, const ServiceLaw& law);

/// T(b) = t0 + b·t1, nothing drawn.
ServiceLaw affine(double t0_s, double t1_s);
/// T(1) exponential, for batches of one item.
ServiceLaw exponential(double mean_s);
/// Straight lines between measured points (items, T in seconds).
ServiceLaw through(const std::vector<std::pair<double, double>>& points);

/// The model, server and call of a scenario that has just one.
inline Model& model_of(Scenario& scenario) {
  return scenario.models.begin()->second;
}
inline Server& server_of(Scenario& scenario) {
  return scenario.servers.front();
}
inline InferStage& call_of(Scenario& scenario, std::size_t pool = 0) {
  return std::get<InferStage>(scenario.jobs[pool].event.back());
}

/// Simulates in a forked child, as SimGrid's engine exists once a process.
RunOutcome simulate_forked(const Scenario& scenario, std::uint32_t replica = 0, bool drain = true);
RunOutcome simulate_forked(const Scenario& scenario, const Replica& replica);

/// Simulates, and fails the test for every law that the run has broken.
RunOutcome lawful_run(const Scenario& scenario, std::uint32_t replica = 0);

/// The mean event time of the first jobs [s].
inline double event_time_of(const RunOutcome& outcome) {
  return outcome.jobs.front().event_time.mean_s;
}

/// The resource of a name. @throws std::out_of_range  none has it
const ResourceOutcome& resource_of(const RunOutcome& outcome, const std::string& name);

/// What a test reads off a run.
using Reading = std::function<double(const RunOutcome&)>;

/// The 99.9 % interval of a measure over replications, each of which keeps all laws.
Estimate measured(const Scenario& scenario, const Reading& what, std::uint32_t replications = 8);

/// Fails the test unless the 99.9 % intervals of event time and throughput, of all jobs over replications that keep all
/// laws, hold what is expected. @param expected_s  [s]  @param per_s  [1/s]; absent: not asked
void check_intervals(const Scenario& scenario, std::uint32_t replications, double expected_s,
                     std::optional<double> per_s = {});

/// Fails the test unless the interval holds the expected value and is narrow against it.
void check_contains(const Estimate& estimate, double expected, double relative_width);

}  // namespace saturn::tests
