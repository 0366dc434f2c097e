#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/closed_network.hpp"
#include "scenarios/demands.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// What holds for every server there can be, on short runs of drawn ones.
using namespace saturn;
using namespace saturn::tests;

namespace {

/// A run of some hundred events.
Replica short_run(const Scenario& scenario, bool drain = true) {
  RunLength length = run_length_for(scenario);
  constexpr std::uint32_t slices_per_cycle = 8;
  const auto cycles = static_cast<std::uint32_t>(std::max(12.0, 400.0 / client_count(scenario)));
  length.aligned_slices = 2 * slices_per_cycle;
  length.least_warm_up = 2 * slices_per_cycle;
  length.slices = std::min(length.slices / length.aligned_slices, cycles / 2) * length.aligned_slices;
  return {.seed = scenario.run.seed, .index = 0, .length = length, .drain = drain};
}

/// Nothing when a pool ended no event in so short a run: one whose requests everybody else overtakes.
std::optional<RunOutcome> outcome_of(const Scenario& scenario, bool drain = true) {
  try {
    return simulate_forked(scenario, short_run(scenario, drain));
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).find("no event of the jobs") == std::string::npos) throw;
    return std::nullopt;
  }
}

void expect_lawful(const RunOutcome& outcome) {
  for (const Check& check : outcome.checks)
    if (!check.passed) RC_FAIL(check.name + ": " + check.detail);
}

void expect_sound(const Scenario& scenario, const ModelOutcome& outcome) {
  const Model& model = scenario.models.at(outcome.name);
  std::uint64_t batches = 0;
  for (const auto& [items, number] : outcome.batches) {
    RC_ASSERT(items >= 1u);
    RC_ASSERT(items <= model.max_batch_size);
    batches += number;
  }
  std::uint64_t reasons = 0;
  for (const std::uint64_t number : outcome.sent_because) reasons += number;
  RC_ASSERT(reasons == batches);
  if (!model.dynamic_batching) RC_ASSERT(outcome.sent_because[0] == batches);
  if (outcome.latency.count == 0) return;
  const double parts = outcome.send_s + outcome.host_s + outcome.queue_s + outcome.compute_s + outcome.receive_s;
  RC_ASSERT(std::abs(parts - outcome.latency.mean_s) <= 1e-9 * outcome.latency.mean_s);
  const double rounding = 1e-9 * outcome.latency.mean_s;
  RC_ASSERT(outcome.fill_s >= -rounding);
  RC_ASSERT(outcome.fill_s <= outcome.queue_s + rounding);
  RC_ASSERT(outcome.device_wait_s >= 0.0);
  RC_ASSERT(outcome.device_wait_s <= outcome.compute_s + rounding);
  RC_ASSERT(outcome.latency.p50_s <= outcome.latency.p99_s + rounding);
  RC_ASSERT(outcome.latency.p99_s <= outcome.latency.max_s + rounding);
}

}  // namespace

TEST_CASE("every drawn server obeys the laws of every run, and its times and batches add up") {
  CHECK(rc::check("laws", [] {
    const Scenario scenario = any_serving_scenario();
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> outcome = outcome_of(scenario);
    RC_PRE(outcome.has_value());
    expect_lawful(*outcome);
    for (const ModelOutcome& model : outcome->models) expect_sound(scenario, model);
  }));
}

TEST_CASE("a drawn server gives the same bytes again, also handed event by event through SimGrid's engine") {
  CHECK(rc::check("same bytes", [] {
    const Scenario scenario = any_serving_scenario();
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> drained = outcome_of(scenario);
    RC_PRE(drained.has_value());
    RC_ASSERT(to_bytes(*outcome_of(scenario, false)) == to_bytes(*drained));
  }));
}

TEST_CASE("no event costs a resource less than the bounds assume, whatever batches the server forms") {
  CHECK(rc::check("demands", [] {
    Scenario scenario = any_serving_scenario({.random_times = false, .refusals = false, .several_pools = false});
    // With interference the demand is that of devices which are all busy; fewer cost less.
    server_of(scenario).devices.interference = 0.0;
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> run = outcome_of(scenario);
    RC_PRE(run.has_value());
    const RunOutcome& outcome = *run;
    expect_lawful(outcome);
    // Several servers share the requests by a rule; the demand is then an average that a balancer need not keep to.
    if (scenario.servers.size() > 1) return;
    const ClosedNetwork network = closed_network(scenario);
    const Matrix least = demands(network);
    const auto events = static_cast<double>(outcome.jobs.front().event_time.count);
    const double edges = 2.0 * network.classes.front().clients / events;
    for (std::size_t r = 0; r < outcome.resources.size(); ++r) {
      RC_LOG() << outcome.resources[r].name << " " << outcome.resources[r].demand_s_per_event << " least "
               << least(0, r) << std::endl;
      RC_ASSERT(outcome.resources[r].demand_s_per_event >= least(0, r) * (1 - edges - 1e-6));
    }
  }));
}
