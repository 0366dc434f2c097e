#include "tests/engine/scenarios_for_tests.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <variant>

#include "models/results/results.hpp"
#include "models/statistics/intervals.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "sim/run/process_pool.hpp"

namespace saturn::tests {

Scenario simple_loop(const SimpleLoop& loop) {
  Scenario scenario;
  scenario.title = "simple loop";
  InferStage infer;
  infer.label = "inference";
  infer.model = "model";
  scenario.jobs.push_back({.name = "clients",
                           .site = "here",
                           .count = loop.clients,
                           .threads = 1,
                           .start = loop.start,
                           .event = {CpuStage{"think", loop.think, {}}, infer}});
  Model model;
  model.service["device"] = {loop.service, ConstantTime{Seconds{0.0}}};
  scenario.models["model"] = model;
  Server server;
  server.name = "server";
  server.site = "here";
  server.nodes = loop.nodes;
  server.devices = {"device", loop.devices};
  server.models = {"model"};
  scenario.servers.push_back(server);
  scenario.devices["device"] = {};
  scenario.run.cycles = loop.cycles;
  return scenario;
}

Scenario protodune(std::uint64_t jobs, std::uint64_t request_batch, double gpu_seconds_per_event) {
  Scenario scenario = read_scenario_file("protodune-big-batch", {}).scenario;
  scenario.jobs.front().count = jobs;
  scenario.jobs.front().start = JobStart::staggered;
  call_of(scenario).request_batch = request_batch;
  model_of(scenario).service["t4"].per_batch = ConstantTime{};
  model_of(scenario).service["t4"].per_item = ConstantTime{Seconds{gpu_seconds_per_event / 55000.0}};
  server_of(scenario).nic.reset();
  return scenario;
}

Scenario busy_clients(std::uint64_t clients, const ServiceLaw& law) {
  Scenario scenario = simple_loop({.clients = clients});
  scenario.jobs.front().event.erase(scenario.jobs.front().event.begin());
  model_of(scenario).service["device"] = law;
  return scenario;
}

Scenario poisson_calls(double rate, const ServiceLaw& law) {
  constexpr std::uint64_t callers = 10000;
  Scenario scenario = simple_loop({.clients = callers,
                                   .think = ExponentialTime{Seconds{static_cast<double>(callers) / rate}},
                                   .start = JobStart::random,
                                   .cycles = 4});
  model_of(scenario).service["device"] = law;
  return scenario;
}

ServiceLaw affine(double t0_s, double t1_s) {
  return {.per_batch = ConstantTime{Seconds{t0_s}}, .per_item = ConstantTime{Seconds{t1_s}}};
}

ServiceLaw exponential(double mean_s) {
  return {.per_batch = ExponentialTime{Seconds{mean_s}}, .per_item = ConstantTime{Seconds{0.0}}};
}

ServiceLaw through(const std::vector<std::pair<double, double>>& points) {
  ServiceLaw law = affine(0.0, 0.0);
  for (const auto& [items, time_s] : points) law.points.push_back({.items = items, .time = Seconds{time_s}});
  return law;
}

RunOutcome simulate_forked(const Scenario& scenario, const Replica& replica) {
  ProcessPool pool(1, {});
  pool.submit([&] { return to_bytes(simulate(scenario, replica)); });
  const auto ended = pool.wait();
  if (const auto* failure = std::get_if<TaskFailure>(&ended->result)) throw std::runtime_error(failure->message);
  return outcome_from_bytes(std::get<std::string>(ended->result));
}

RunOutcome simulate_forked(const Scenario& scenario, std::uint32_t replica, bool drain) {
  return simulate_forked(
      scenario, {.seed = scenario.run.seed, .index = replica, .length = run_length_for(scenario), .drain = drain});
}

RunOutcome lawful_run(const Scenario& scenario, std::uint32_t replica) {
  RunOutcome outcome = simulate_forked(scenario, replica);
  for (const Check& check : outcome.checks) CHECK_MESSAGE(check.passed, check.name, ": ", check.detail);
  return outcome;
}

const ResourceOutcome& resource_of(const RunOutcome& outcome, const std::string& name) {
  for (const ResourceOutcome& one : outcome.resources)
    if (one.name == name) return one;
  throw std::out_of_range("no resource " + name);
}

Estimate measured(const Scenario& scenario, const Reading& what, std::uint32_t replications) {
  std::vector<double> values;
  for (std::uint32_t replica = 0; replica < replications; ++replica) {
    values.push_back(what(lawful_run(scenario, replica)));
  }
  return student_interval(values, 0.999);
}

void check_intervals(const Scenario& scenario, std::uint32_t replications, double expected_s,
                     std::optional<double> per_s) {
  std::vector<RunOutcome> outcomes;
  for (std::uint32_t replica = 0; replica < replications; ++replica) outcomes.push_back(lawful_run(scenario, replica));
  const JobsResults jobs = summarise(outcomes, 0.999).all_jobs;
  const auto holds = [](const Estimate& estimate, double expected) {
    CHECK(estimate.low <= expected);
    CHECK(estimate.high >= expected);
  };
  holds(jobs["event_time_s"], expected_s);
  if (per_s) holds(jobs["events_per_s"], *per_s);
}

void check_contains(const Estimate& estimate, double expected, double relative_width) {
  CAPTURE(expected);
  CAPTURE(estimate.mean);
  CHECK(estimate.low <= expected * 1.001);
  CHECK(estimate.high >= expected * 0.999);
  CHECK(estimate.half_width() <= relative_width * expected);
}

}  // namespace saturn::tests
