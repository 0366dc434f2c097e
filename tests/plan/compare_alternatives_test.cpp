#include "sim/plan/compare_alternatives.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "models/bounds.hpp"
#include "scenarios/demands.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

using Where = BreakEvenPoint::Where;

/// A simulator that is exactly at the bound.
Evaluate at_the_bound(double half_width = 0.0) {
  return evaluate_by({.slowdown =
                          [](const Scenario& scenario) {
                            const Bounds bounds = asymptotic_bounds(closed_network(scenario));
                            return bounds.event_time_s / bounds.ideal_event_time_s;
                          },
                      .half_width = half_width});
}

/// CPU only against the scenario as it stands.
std::vector<AlternativeScenario> cpu_and_service(const Scenario& scenario) {
  std::vector<AlternativeScenario> all;
  for (const Alternative& one : alternatives(scenario, {})) {
    if (one.cpu_only) all.push_back({.about = one, .scenario = cpu_only_scenario(scenario)});
    if (one.service) all.push_back({.about = one, .scenario = scenario});
  }
  return all;
}

Scenario with_cpu_alternative(Scenario scenario, double seconds) {
  std::get<InferStage>(scenario.jobs[0].event[2]).cpu_alternative = Seconds{seconds};
  return scenario;
}

const BreakEven& found(const AlternativesComparison& comparison, BreakEvenOf of) {
  for (const BreakEven& one : comparison.break_evens) {
    if (one.of == of) return one;
  }
  throw std::logic_error("no such break-even");
}

// An event of protodune() less its round trips: transfers at 2 Gb/s of requests and answers, 32.2 µs an item.
constexpr double transfers_s = 55000.0 * (9216 + 16) * 8 / 2e9;
constexpr double device_s = 55000.0 * 32.2e-6;

}  // namespace

TEST_CASE("below saturation the break-even round trip is what is left of the CPU's time over the number of requests") {
  CHECK(rc::check([] {
    const double cpu_s = 12.0 + *rc::gen::inRange(0, 200) * 0.1;
    const Scenario listed = with_cpu_alternative(protodune(20, 4), cpu_s);
    const Scenario scenario = *rc::gen::arbitrary<bool>() ? on_platform(listed) : listed;
    const AlternativesComparison comparison =
        compare_alternatives(cpu_and_service(scenario), std::nullopt, at_the_bound());
    const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
    const double expected = (110 + cpu_s - 117 - transfers_s - device_s) / 32;
    RC_ASSERT(one.formula.where == Where::at);
    RC_ASSERT(std::abs(one.formula.value.mean - expected) < 1e-9);
    RC_ASSERT(one.simulated.where == Where::at);
    RC_ASSERT(std::abs(one.simulated.value.mean - expected) < 1e-6);
    RC_ASSERT(one.simulations <= 12u);
  }));
}

TEST_CASE("past saturation the round trip is free until the event without waiting is as long") {
  // 400 jobs on four T4: 177.1 s an event by the GPUs; 330 s on CPU leaves (330 - 120.8) / 32 for each round trip.
  const AlternativesComparison comparison =
      compare_alternatives(cpu_and_service(with_cpu_alternative(protodune(400, 4), 80)), std::nullopt, at_the_bound());
  const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
  const double expected = (190 - 117 - transfers_s - device_s) / 32;
  CHECK(one.lowest == 0.0);
  CHECK(one.highest == 1.0);
  CHECK(one.formula.where == Where::never);
  CHECK(one.simulated.where == Where::never);
  CHECK(expected > 1.0);
}

TEST_CASE("where saturation alone costs more than the CPU, the service loses at any round trip") {
  // 177.1 s by the GPUs against 110 + 60 s on CPU.
  const AlternativesComparison comparison =
      compare_alternatives(cpu_and_service(with_cpu_alternative(protodune(400, 4), 60)), std::nullopt, at_the_bound());
  const BreakEven& one = found(comparison, BreakEvenOf::round_trip_time);
  CHECK(one.formula.where == Where::always);
  CHECK(one.simulated.where == Where::always);
  CHECK(*comparison.fastest == 0u);
}

TEST_CASE("the service loses once N / G times the device time of an event is longer than the event on CPU") {
  const AlternativesComparison comparison =
      compare_alternatives(cpu_and_service(protodune(268, 4)), std::nullopt, at_the_bound());
  const BreakEven& one = found(comparison, BreakEvenOf::jobs_per_device);
  CHECK(one.present == 67.0);
  CHECK(one.formula.value.mean == doctest::Approx(330 / device_s));
  CHECK(one.simulated.where == Where::at);
  CHECK(one.simulated.value.mean == doctest::Approx(330 / device_s).epsilon(1e-3));
  CHECK(*comparison.fastest == 1u);
}

TEST_CASE("the interval of a break-even is that of the event times over the slope") {
  // Each side's half-width is 1 % of its ideal event time; a round trip more costs 32 of it.
  const Scenario scenario = with_cpu_alternative(protodune(20, 4), 20);
  const AlternativesComparison comparison =
      compare_alternatives(cpu_and_service(scenario), std::nullopt, at_the_bound(0.01));
  const Estimate& value = found(comparison, BreakEvenOf::round_trip_time).simulated.value;
  CHECK(value.half_width() == doctest::Approx(std::hypot(1.30, 1.30) / 32).epsilon(0.02));
  CHECK(value.low < value.mean);
}

TEST_CASE("costs count devices, and cores where their price is known; alternatives without either have none") {
  const AlternativesComparison bare =
      compare_alternatives(cpu_and_service(protodune(268, 4)), std::nullopt, at_the_bound());
  CHECK(!bare.alternatives[0].outcome->cost_usd_per_million_events);
  const double events_per_s = bare.alternatives[1].outcome->events_per_s.mean;
  CHECK(*bare.alternatives[1].outcome->cost_usd_per_million_events ==
        doctest::Approx(4 * 0.35 / 3600 / events_per_s * 1e6));
  CHECK(bare.alternatives[1].outcome->device_hours_per_million_events ==
        doctest::Approx(4 / 3600.0 / events_per_s * 1e6));
  const AlternativesComparison priced =
      compare_alternatives(cpu_and_service(protodune(268, 4)), UsdPerHour{0.03}, at_the_bound());
  // On CPU an event takes 330 s of a core.
  CHECK(*priced.alternatives[0].outcome->cost_usd_per_million_events == doctest::Approx(0.03 * 330 / 3600 * 1e6));
  CHECK(*priced.alternatives[1].outcome->cost_usd_per_million_events ==
        doctest::Approx((4 * 0.35 + 268 * 0.03) / 3600 / events_per_s * 1e6));
  CHECK(*priced.cheapest == 1u);
}

TEST_CASE("an alternative that cannot be made has a row and takes no part") {
  std::vector<AlternativeScenario> all = cpu_and_service(protodune(268, 4));
  all[0].scenario.reset();
  all[0].about.why_not = "no time on CPU";
  const AlternativesComparison comparison = compare_alternatives(all, std::nullopt, at_the_bound());
  CHECK(!comparison.alternatives[0].outcome);
  CHECK(comparison.alternatives[0].about.why_not == "no time on CPU");
  CHECK(*comparison.fastest == 1u);
  CHECK(comparison.break_evens.empty());
}
