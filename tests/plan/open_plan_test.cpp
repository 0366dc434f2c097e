#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <variant>
#include <vector>

#include "sim/plan/jobs_and_devices.hpp"
#include "sim/run/replications.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

/// Eight events a second, of which a node carries two, and a node that is out for 300 of 1000 s.
Scenario farm_that_loses_a_node(std::uint64_t nodes) {
  Scenario scenario = closed_loop(100, 1, ConstantTime{Seconds{0.5}}, ConstantTime{Seconds{0.5}});
  scenario.jobs[0].arrivals = ConstantArrivals{Rate{8.0}};
  scenario.jobs[0].buffer = 10;
  scenario.servers[0].nodes = nodes;
  scenario.outages = {{.server = "server", .nodes = 1, .from = Seconds{100}, .length = Seconds{300}}};
  scenario.run.horizon = Seconds{1000};
  return scenario;
}

OpenPlan by_formulas(const Scenario& scenario, double loss) {
  return plan_open(scenario, loss, {}, Methods{Method::bounds});
}

}  // namespace

TEST_CASE("with nodes out, the bound knows what neither the others serve nor buffer and streams keep") {
  // Three of four carry 6/s: 2·300 come too many, of which 10 + 2·100 are kept: 390 of 8000 are lost.
  const Scenario scenario = farm_that_loses_a_node(4);
  const OpenPlan strict = by_formulas(scenario, 0.04);
  CHECK(strict.gpus_by_bound == 5);
  CHECK(strict.outages_bind);
  const OpenPlan lax = by_formulas(scenario, 0.05);
  CHECK(lax.gpus_by_bound == 4);
  CHECK_FALSE(lax.outages_bind);

  // Loading and a start-up of 100 s keep the node away for 200 s more: 790 of 8000.
  Scenario slow = scenario;
  slow.servers[0].start_up = ConstantTime{Seconds{100}};
  slow.models["model"].load_time = Seconds{100};
  CHECK(by_formulas(slow, 0.05).gpus_by_bound == 5);

  // Where calls end without their work, nobody knows what is lost.
  std::get<InferStage>(slow.jobs[0].event[1]).rules.deadline = Seconds{10};
  CHECK(by_formulas(slow, 0.05).gpus_by_bound == 4);
}

TEST_CASE("fleets that lose far too many in one replication get no other, and the bound is below what is lost") {
  Scenario scenario = farm_that_loses_a_node(4);
  scenario.jobs[0].arrivals = PoissonArrivals{Rate{8.0}};
  scenario.run.min_replications = 3;
  scenario.run.max_replications = 3;
  std::map<std::uint64_t, std::uint64_t> replications;  // by devices
  const Evaluate simulate = [&](std::span<const Scenario> scenarios) {
    std::vector<Results> found;
    for (const auto& result : replicate(scenarios, {})) {
      const Scenario& one = scenarios[found.size()];
      replications[one.servers[0].nodes] += one.run.max_replications;
      found.push_back(std::get<Replicated>(result).summary);
    }
    return found;
  };
  // What one of three may lose at most is thrice 1 %; four nodes lose 4.9 % at least.
  const OpenPlan plan = plan_open(scenario, 0.01, simulate);
  CHECK(plan.gpus_by_bound == 5);
  CHECK(plan.gpus >= 5);
  const auto lost_with = [&](std::uint64_t nodes) {
    return std::find_if(plan.candidates.begin(), plan.candidates.end(),
                        [&](const OpenCandidate& one) { return one.gpus == nodes; })
        ->lost_fraction.mean;
  };
  CHECK(lost_with(4) >= 390.0 / 8000.0);
  CHECK(replications[4] == 1);
  // The bound's own gets all of them at once.
  CHECK(replications[5] == 3);
}
