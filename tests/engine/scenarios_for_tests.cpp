#include "tests/engine/scenarios_for_tests.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <variant>

#include "models/statistics/intervals.hpp"
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
  Scenario scenario;
  scenario.title = "ProtoDUNE";
  InferStage infer;
  infer.label = "inference";
  infer.model = "emtrk";
  infer.items = 55000;
  infer.request_batch = request_batch;
  scenario.jobs.push_back({.name = "reco",
                           .site = "fnal",
                           .count = jobs,
                           .threads = 1,
                           .start = JobStart::staggered,
                           .event = {CpuStage{"non-ML", ConstantTime{Seconds{110.0}}, {}},
                                     CpuStage{"preprocessing", ConstantTime{Seconds{7.0}}, "emtrk"}, infer}});
  Model model;
  model.input = Bytes{9216.0};
  model.output = Bytes{16.0};
  model.max_batch_size = 65536;
  model.service["t4"] = {ConstantTime{Seconds{0.0}}, ConstantTime{Seconds{gpu_seconds_per_event / 55000.0}}};
  scenario.models["emtrk"] = model;
  Server server;
  server.name = "gke";
  server.site = "iowa";
  server.devices = {"t4", 4};
  server.models = {"emtrk"};
  scenario.servers.push_back(server);
  scenario.devices["t4"] = {};
  scenario.links.push_back({"fnal", "iowa", Bandwidth{12.5e9}, Seconds{0.0118}, Bandwidth{0.25e9}});
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

void check_all_laws(const RunOutcome& outcome) {
  for (const Check& check : outcome.checks) CHECK_MESSAGE(check.passed, check.name, ": ", check.detail);
}

Estimate measured(const Scenario& scenario, const Measure& what, std::uint32_t replications) {
  std::vector<double> values;
  for (std::uint32_t replica = 0; replica < replications; ++replica) {
    const RunOutcome outcome = simulate_forked(scenario, replica);
    check_all_laws(outcome);
    values.push_back(what(outcome));
  }
  return student_interval(values, 0.999);
}

void check_contains(const Estimate& estimate, double expected, double relative_width) {
  CAPTURE(expected);
  CAPTURE(estimate.mean);
  CHECK(estimate.low <= expected * 1.001);
  CHECK(estimate.high >= expected * 0.999);
  CHECK(estimate.half_width() <= relative_width * expected);
}

}  // namespace saturn::tests
