// saturn-count: small systems, each simulated twice, a short and a long run, in processes of their own. Under a tool
// that counts instructions the difference is what a request costs, whatever a run needs before its first one.
//   saturn-count [NAME...]   prints "name length requests process" for each run
// scripts/count-instructions.mjs runs it so and compares with bench/instructions.json.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "bench/closed_loop.hpp"
#include "scenarios/read_scenario.hpp"

namespace {

using namespace saturn;
using namespace saturn::bench;

/// A system with the simulated time of its short run [s]; the long one takes thrice that.
struct CountedCase {
  std::string name;
  Scenario scenario;
  double short_s;
};

/// Every client calls one model after the other, all on the same devices.
Scenario many_models(std::uint64_t clients, std::size_t models) {
  Scenario scenario = scenario_of(ClosedLoop{.clients = clients});
  const Model model = scenario.models.begin()->second;
  std::vector<Stage>& event = scenario.jobs.front().event;
  InferStage infer = std::get<InferStage>(event.back());
  event.pop_back();
  scenario.models.clear();
  scenario.servers.front().models.clear();
  for (std::size_t i = 0; i < models; ++i) {
    infer.label = infer.model = "model-" + std::to_string(i);
    event.emplace_back(infer);
    scenario.models[infer.model] = model;
    // Together they take the devices' time that the one takes elsewhere.
    scenario.models[infer.model].service["device"].per_batch =
        ConstantTime{Seconds{ClosedLoop{.clients = clients}.service_s() / static_cast<double>(models)}};
    scenario.servers.front().models.push_back(infer.model);
  }
  return scenario;
}

/// The clients of "idle link", half of whose devices' time is used, whose calls have deadlines and retries, on one node
/// for each device; nodes break now and then, and an autoscaler follows the load.
Scenario living(std::uint64_t clients) {
  Scenario scenario = scenario_of(ClosedLoop{.clients = clients});
  CallRules& rules = std::get<InferStage>(scenario.jobs.front().event.back()).rules;
  rules.deadline = Seconds{5.0};
  rules.retries = RetryRule{.count = 3, .first = ConstantTime{Seconds{0.1}}};
  Server& server = scenario.servers.front();
  server.nodes = server.devices.count;
  server.devices.count = 1;
  server.dispatch = Dispatch::least_outstanding;
  server.failures = FailureLaw{.every = ExponentialTime{Seconds{100.0}}, .repair = ExponentialTime{Seconds{1.0}}};
  server.autoscaler = Autoscaler{
      .least = 4, .most = server.nodes, .begin = server.nodes, .metric = ScalingMetric::utilisation, .target = 0.6};
  return scenario;
}

/// The same with nothing that breaks, comes or goes, and calls without rules.
Scenario still(std::uint64_t clients) {
  Scenario scenario = living(clients);
  std::get<InferStage>(scenario.jobs.front().event.back()).rules = {};
  scenario.servers.front().failures.reset();
  scenario.servers.front().autoscaler.reset();
  return scenario;
}

Scenario shipped(const std::string& name, std::vector<Override> overrides = {}) {
  return read_scenario_file(name, overrides).scenario;
}

std::vector<CountedCase> counted_cases() {
  return {
      {"idle link", scenario_of(ClosedLoop{.clients = 200}), 30.0},
      {"idle link, 10,000 clients", scenario_of(ClosedLoop{.clients = 10000}), 2.0},
      {"saturated link", scenario_of(ClosedLoop{.clients = 200, .saturated = true}), 60.0},
      {"batching without delay", scenario_of(ClosedLoop{.clients = 200, .batching = Batching::idle}), 30.0},
      {"batching with delay", scenario_of(ClosedLoop{.clients = 200, .batching = Batching::delay}), 30.0},
      {"sites that share a card", scenario_of(SharedLoop{.clients = 200, .sites = 20}), 300.0},
      {"many models", many_models(200, 16), 3.0},
      {"two sites", shipped("two-sites"), 16.0},
      {"asynchronous", shipped("cms-scale-out", {{"/jobs/0/count", "100"}}), 4.0},
      {"open arrivals", shipped("hlt-farm"), 1.0},
      {"nodes that stay", still(200), 30.0},
      {"nodes that live", living(200), 30.0},
      {"saturated devices", shipped("protodune-big-batch"), 240.0},
  };
}

/// Simulates in a process of its own, since SimGrid's engine exists once a process. @returns whether it succeeded
bool run_in_a_process(const CountedCase& one, const char* length, double horizon_s) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      const LoopResult result = run_scenario(one.scenario, horizon_s);
      std::printf("%s\t%s\t%llu\t%d\n", one.name.c_str(), length, static_cast<unsigned long long>(result.requests),
                  static_cast<int>(getpid()));
      std::fflush(stdout);
      _exit(0);
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "saturn-count: %s: %s\n", one.name.c_str(), failure.what());
      _exit(1);
    }
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  bool succeeded = true;
  for (const CountedCase& one : counted_cases()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), one.name) == wanted.end()) continue;
    succeeded = run_in_a_process(one, "short", one.short_s) && succeeded;
    succeeded = run_in_a_process(one, "long", 3.0 * one.short_s) && succeeded;
  }
  return succeeded ? 0 : 1;
}
