#include "sim/plan/compare_two.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

/// Replications of a made-up simulation: event times of 2 s and a little more, events at 1/s.
std::vector<RunOutcome> outcomes_of(const Scenario& scenario, double event_time_s) {
  std::vector<RunOutcome> outcomes;
  for (int i = 0; i < 4; ++i) {
    RunOutcome run;
    for (const JobPool& pool : scenario.jobs) {
      JobsOutcome jobs;
      jobs.name = pool.name;
      jobs.event_time = {.count = 100, .mean_s = event_time_s + 0.01 * i, .p50_s = event_time_s, .p99_s = event_time_s};
      jobs.events_per_s = 1.0;
      jobs.ideal_event_time_s = event_time_s;
      jobs.stages.assign(pool.event.size(), {.label = "stage", .mean_s = 1.0});
      run.jobs.push_back(jobs);
    }
    for (const auto& [name, model] : scenario.models) {
      ModelOutcome one;
      one.name = name;
      one.latency = {.count = 100, .mean_s = 0.1, .p50_s = 0.1, .p99_s = 0.2};
      run.models.push_back(one);
    }
    outcomes.push_back(run);
  }
  return outcomes;
}

/// Jobs with exponential times on one priced GPU.
Scenario priced_loop() {
  Scenario scenario = closed_loop(10, 1, ExponentialTime{Seconds{9}}, ExponentialTime{Seconds{1}});
  scenario.devices["gpu"] = {.price = UsdPerHour{0.35}};
  return scenario;
}

TwoScenarios compared(const Scenario& a, const Scenario& b) {
  const std::vector<RunOutcome> of_a = outcomes_of(a, 2.0);
  const std::vector<RunOutcome> of_b = outcomes_of(b, 3.0);
  return compare_two({a, of_a}, {b, of_b}, 0.95, Stopping::by_number);
}

bool has_cost(const TwoScenarios& two) {
  return std::any_of(two.numbers.begin(), two.numbers.end(),
                     [](const ComparedNumber& one) { return one.name == "cost of a million events"; });
}

}  // namespace

TEST_CASE("costs stand beside each other only where both count the same parts, and what differs is said") {
  const Scenario plain = priced_loop();
  Scenario with_cores = plain;
  with_cores.costs.core = UsdPerHour{0.05};
  CHECK(has_cost(compared(plain, plain)));
  CHECK(compared(plain, plain).left_out.empty());
  CHECK(has_cost(compared(with_cores, with_cores)));

  const TwoScenarios one_way = compared(with_cores, plain);
  CHECK_FALSE(has_cost(one_way));
  CHECK(one_way.left_out == std::vector<std::string>{"cost: A counts GPUs and cores, B GPUs alone"});
  CHECK(compared(plain, with_cores).left_out ==
        std::vector<std::string>{"cost: A counts GPUs alone, B GPUs and cores"});

  Scenario with_all = with_cores;
  with_all.servers.front().host_price = UsdPerHour{0.76};
  with_all.devices["gpu"].kind = ResourceKind::cpu;
  CHECK(compared(with_all, plain).left_out ==
        std::vector<std::string>{"cost: A counts devices, hosts and cores, B GPUs alone"});
}

TEST_CASE("jobs on their own cores have no devices to price: their cost stands beside that of a service with both") {
  Scenario service = priced_loop();
  service.costs.core = UsdPerHour{0.05};
  Scenario alone = service;
  alone.servers.clear();
  alone.models.clear();
  alone.jobs.front().event.pop_back();
  CHECK(has_cost(compared(alone, service)));
  alone.costs.core.reset();
  CHECK_FALSE(has_cost(compared(alone, service)));
}

TEST_CASE("who is better is decided where jobs or a model stand in both, and else by nobody") {
  const Scenario a = priced_loop();
  Scenario b = a;
  CHECK(compared(a, b).in_common);
  CHECK(decision_of(compared(a, b).numbers.front(), 0.01) == Decision::a_better);
  b.jobs.front().name = "other";
  CHECK(compared(a, b).in_common);
  CHECK(decision_of(compared(a, b).numbers.front(), 0.01) == Decision::a_better);

  b.models["another"] = b.models.at("model");
  b.models.erase("model");
  std::get<InferStage>(b.jobs.front().event.back()).model = "another";
  b.servers.front().models = {"another"};
  const TwoScenarios strangers = compared(a, b);
  CHECK_FALSE(strangers.in_common);
  REQUIRE(!strangers.numbers.empty());
  for (const ComparedNumber& number : strangers.numbers) {
    CHECK_FALSE(number.paired.a_better);
    CHECK(decision_of(number, 0.01) == Decision::undecided);
  }
  CHECK(strangers.left_out.back() ==
        "who is better: no jobs and no model of A are in B by name, so the two do different work");
}
