#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/bounds.hpp"
#include "models/erlang.hpp"
#include "models/intervals.hpp"
#include "models/mva.hpp"
#include "models/results.hpp"
#include "models/saturation_formula.hpp"
#include "scenarios/demands.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

double event_time_of(const Scenario& scenario) {
  return simulate_forked(scenario).jobs.front().event_time.mean_s;
}

}  // namespace

TEST_CASE("with constant times the event time is the slides' formula at every N and G") {
  for (const std::uint64_t devices : {1u, 2u, 3u, 4u, 7u}) {
    for (const std::uint64_t clients : {1u, 2u, 5u, 10u, 11u, 12u, 23u, 33u, 44u, 45u, 80u}) {
      const Scenario scenario = simple_loop({.clients = clients, .devices = devices});
      const SaturationFormula formula{.cpu_s = 10.0,
                                      .gpu_s = 1.0,
                                      .latency_s = 0.0,
                                      .clients = static_cast<double>(clients),
                                      .gpus = static_cast<double>(devices)};
      CAPTURE(devices);
      CAPTURE(clients);
      CHECK(event_time_of(scenario) == doctest::Approx(formula.event_time_s()).epsilon(1e-6));
    }
  }
}

TEST_CASE("ProtoDUNE with many requests an event stays within 0.3 % of the bound away from the knee") {
  struct Case {
    std::uint64_t request_batch;
    double gpu_s;
    std::uint64_t jobs;
  };
  // Knees: 273.9 jobs for the big batch, 179.7 for the small one.
  for (const Case& c : {Case{1719, 1.77, 40}, Case{1719, 1.77, 200}, Case{1719, 1.77, 350}, Case{1719, 1.77, 500},
                        Case{235, 2.75, 40}, Case{235, 2.75, 120}, Case{235, 2.75, 250}}) {
    const Scenario scenario = protodune(c.jobs, c.request_batch, c.gpu_s);
    const Bounds bounds = asymptotic_bounds(closed_network(scenario));
    const double bound = bounds.event_time_s;
    const double ideal = bounds.ideal_event_time_s;
    const double simulated = event_time_of(scenario);
    CAPTURE(c.jobs);
    // Below saturation requests can only wait, so the bound is met from above; beyond it the order of the requests
    // sorts itself out for hundreds of events, and a window of events misses by some of those under way.
    if (bound == ideal) CHECK(simulated >= bound * (1 - 1e-9));
    CHECK(std::abs(simulated - bound) <= 0.003 * bound);
  }
}

TEST_CASE("ProtoDUNE just below the knee is at most 1 % above the bound with staggered starts") {
  const Scenario scenario = protodune(273, 1719, 1.77);
  const double bound = asymptotic_bounds(closed_network(scenario)).event_time_s;
  const double simulated = event_time_of(scenario);
  CHECK(simulated > bound);
  CHECK(simulated < 1.01 * bound);
}

TEST_CASE("with exponential times the 99.9 % interval of throughput and event time contains exact MVA's value") {
  // Ten intervals at 99.9 % and a fixed seed: the chance that sound code fails here was 1 %.
  struct Case {
    std::uint64_t clients;
    std::uint64_t devices;
    double think_s;
  };
  for (const Case& c : {Case{1, 1, 5.0}, Case{6, 1, 5.0}, Case{20, 1, 5.0}, Case{12, 3, 4.0}, Case{40, 8, 6.0}}) {
    const Scenario scenario = simple_loop({.clients = c.clients,
                                           .devices = c.devices,
                                           .think = ExponentialTime{Seconds{c.think_s}},
                                           .service = ExponentialTime{Seconds{1.0}},
                                           .start = JobStart::random,
                                           .cycles = 1000});
    std::vector<RunOutcome> outcomes;
    for (std::uint32_t replica = 0; replica < 12; ++replica) {
      outcomes.push_back(simulate_forked(scenario, replica));
      check_all_laws(outcomes.back());
    }
    const Results summary = summarise(outcomes, 0.999);
    const MvaPoint exact =
        exact_mva({{1.0, static_cast<double>(c.devices)}}, c.think_s, static_cast<std::size_t>(c.clients));
    CAPTURE(c.clients);
    CAPTURE(c.devices);
    CHECK(summary.all_jobs["event_time_s"].low <= exact.event_time_s);
    CHECK(summary.all_jobs["event_time_s"].high >= exact.event_time_s);
    CHECK(summary.all_jobs["events_per_s"].low <= exact.events_per_s);
    CHECK(summary.all_jobs["events_per_s"].high >= exact.events_per_s);
  }
}

TEST_CASE("a run handed event by event through SimGrid's engine equals the drained run to the last bit") {
  Scenario scenario = protodune(60, 1719, 1.77);
  scenario.jobs.front().event.front() = CpuStage{"non-ML", LognormalTime{Seconds{110.0}, 0.2}, {}};
  CHECK(to_bytes(simulate_forked(scenario, 0, true)) == to_bytes(simulate_forked(scenario, 0, false)));
}

TEST_CASE("the same seed gives the same bytes and another replica gives others") {
  const Scenario scenario = simple_loop({.clients = 9, .devices = 2, .service = ExponentialTime{Seconds{1.0}}});
  CHECK(to_bytes(simulate_forked(scenario, 3)) == to_bytes(simulate_forked(scenario, 3)));
  CHECK(to_bytes(simulate_forked(scenario, 3)) != to_bytes(simulate_forked(scenario, 4)));
}

TEST_CASE("a window of calls in flight hides the round trip until the device is busy all the time") {
  Scenario scenario = protodune(1, 1719, 1.77);
  auto& infer = std::get<InferStage>(scenario.jobs.front().event.back());
  const double blocking = event_time_of(scenario);
  infer.in_flight = 32;
  const double together = event_time_of(scenario);
  // 32 transfers at once, each at its own 2 Gb/s: half a round trip and one transfer out, eight batches on each of the
  // four devices, one transfer and half a round trip back. Batches differ in the last request only.
  const double transfer_s = 1719 * 9216 / 0.25e9;
  const double answer_s = 1719 * 16 / 0.25e9;
  const double batch_s = 1719 * 1.77 / 55000;
  CHECK(together == doctest::Approx(117.0 + 0.0118 + transfer_s + 8 * batch_s + answer_s).epsilon(1e-4));
  CHECK(blocking == doctest::Approx(117.0 + 32 * 0.0118 + 55000 * 9232 / 0.25e9 + 1.77).epsilon(1e-9));
}
