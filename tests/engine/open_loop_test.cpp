#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/intervals.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// Event loops fed from outside, against the textbooks' queues. Each 99.9 % interval with its fixed seed would miss a
/// right value once in a thousand.
using namespace saturn;
using namespace saturn::tests;

namespace {

/// So many event loops that compute, and do nothing else: a queue with so many servers.
Scenario queue_of(const ArrivalLaw& arrivals, std::uint64_t loops, const TimeDistribution& service,
                  std::optional<std::uint64_t> buffer = {}) {
  Scenario scenario = simple_loop({.clients = loops});
  JobPool& pool = scenario.jobs.front();
  pool.arrivals = arrivals;
  pool.buffer = buffer;
  pool.event = {CpuStage{"work", service, {}}};
  return scenario;
}

const OpenOutcome& open_of(const RunOutcome& outcome) {
  return *outcome.jobs.front().open;
}
double wait(const RunOutcome& outcome) {
  CHECK(outcome.jobs.front().stages.front().label == "buffer");
  return outcome.jobs.front().stages.front().mean_s;
}
double lost_share(const RunOutcome& outcome) {
  return static_cast<double>(open_of(outcome).lost) / static_cast<double>(open_of(outcome).arrived);
}

/// Chance that M/M/c/K is full, by detailed balance.
double full_chance(double load, std::size_t servers, std::size_t places) {
  double p = 1.0;
  double sum = 1.0;
  for (std::size_t n = 1; n <= places; ++n) {
    p *= load / static_cast<double>(std::min(n, servers));
    sum += p;
  }
  return p / sum;
}

/// Mean wait of G/M/1 with gamma gaps, service 1 s: σ/(1 − σ), with σ = (1 + (1 − σ)·cv²/λ)^(−1/cv²), by iteration.
double gamma_wait(double rate, double cv) {
  double sigma = 0.5;
  for (int i = 0; i < 10'000; ++i) sigma = std::pow(1.0 + (1.0 - sigma) * cv * cv / rate, -1.0 / (cv * cv));
  return sigma / (1.0 - sigma);
}

const TimeDistribution second = ConstantTime{Seconds{1.0}};
const TimeDistribution drawn_second = ExponentialTime{Seconds{1.0}};

}  // namespace

TEST_CASE("a finite buffer loses what M/M/c/K loses, below and above saturation") {
  for (const auto& [rate, loops, buffer] :
       std::vector<std::tuple<double, std::uint64_t, std::uint64_t>>{{0.8, 1, 3}, {3.0, 3, 2}, {5.0, 2, 4}}) {
    const Scenario scenario = queue_of(PoissonArrivals{Rate{rate}}, loops, drawn_second, buffer);
    check_contains(measured(scenario, lost_share), full_chance(rate, loops, loops + buffer), 0.08);
  }
}

TEST_CASE("events wait in the buffer as Pollaczek and Khinchine say, and Erlang for several loops") {
  check_contains(measured(queue_of(PoissonArrivals{Rate{0.7}}, 1, second), wait), 0.7 / (2 * 0.3), 0.08);
  const TimeDistribution lognormal = LognormalTime{Seconds{1.0}, 0.5};
  check_contains(measured(queue_of(PoissonArrivals{Rate{0.7}}, 1, lognormal), wait), 0.7 * 1.25 / (2 * 0.3), 0.11);
  // M/M/4 at load 0.8: 59.64 % wait, 1/(4 − 3.2) s each.
  check_contains(measured(queue_of(PoissonArrivals{Rate{3.2}}, 4, drawn_second), wait), 0.59643 / 0.8, 0.11);
}

TEST_CASE("bursts make G/M/1 wait by the root of its equation") {
  check_contains(measured(queue_of(GammaArrivals{Rate{0.7}, 2.0}, 1, drawn_second), wait), gamma_wait(0.7, 2.0), 0.15);
  check_contains(measured(queue_of(GammaArrivals{Rate{0.7}, 0.5}, 1, drawn_second), wait), gamma_wait(0.7, 0.5), 0.15);
}

TEST_CASE(
    "even arrivals and constant service never wait as long as the loops suffice, and lose the exact rest when not") {
  const RunOutcome enough = simulate_forked(queue_of(ConstantArrivals{Rate{2.9}}, 3, second));
  check_all_laws(enough);
  CHECK(wait(enough) == 0.0);
  CHECK(enough.jobs.front().event_time.mean_s == doctest::Approx(1.0).epsilon(1e-9));
  CHECK(open_of(enough).verdict == OpenVerdict::stable);
  CHECK(open_of(enough).present_mean == doctest::Approx(2.9).epsilon(1e-3));
  const RunOutcome few = simulate_forked(queue_of(ConstantArrivals{Rate{4.0}}, 3, second, 10));
  check_all_laws(few);
  CHECK(lost_share(few) == doctest::Approx(0.25).epsilon(1e-3));
  CHECK(open_of(few).verdict == OpenVerdict::overloaded);
  CHECK_FALSE(open_of(few).times_grow);
  CHECK(open_of(few).waiting_max == 10.0);
}

TEST_CASE("above capacity and without a limit the backlog grows by the excess, and longer windows are not asked for") {
  const RunOutcome outcome = simulate_forked(queue_of(PoissonArrivals{Rate{1.5}}, 1, second));
  check_all_laws(outcome);
  CHECK(open_of(outcome).verdict == OpenVerdict::overloaded);
  CHECK(open_of(outcome).times_grow);
  CHECK(open_of(outcome).lost == 0);
  CHECK(open_of(outcome).growth_per_s == doctest::Approx(0.5).epsilon(0.1));
  CHECK(outcome.warm_up.steady);
}

TEST_CASE("a profile's window is whole periods, so that its rate is the profile's mean") {
  const ArrivalLaw law =
      ProfileArrivals{.points = {{Seconds{0.0}, Rate{0.0}}, {Seconds{500.0}, Rate{1.6}}}, .period = Seconds{1000.0}};
  const Scenario scenario = queue_of(law, 1, second);
  check_contains(
      measured(scenario,
               [](const RunOutcome& o) { return static_cast<double>(open_of(o).arrived) / o.warm_up.window_s; }),
      0.8, 0.02);
  // At the peak 1.6 of 1 events a second arrive: what waits then is served before the period is over.
  const RunOutcome outcome = simulate_forked(scenario);
  CHECK(outcome.warm_up.window_s == doctest::Approx(1000.0 * std::round(outcome.warm_up.window_s / 1000.0)));
  CHECK(open_of(outcome).waiting_max > 20.0);
}

TEST_CASE("a recorded trace is replayed event by event, the same in every replication") {
  auto recorded = std::make_shared<RecordedDates>();
  // Three at once, then two alone: with one loop of 1 s they wait 0, 1, 2, 0, 0 s.
  recorded->dates_s = {0.0, 0.0, 0.0, 5.0, 8.0};
  const Scenario scenario = queue_of(TraceArrivals{.file = "t.csv", .recorded = recorded}, 1, second);
  const RunOutcome outcome = simulate_forked(scenario);
  check_all_laws(outcome);
  CHECK(wait(outcome) == doctest::Approx(0.6).epsilon(1e-3));
  CHECK(open_of(outcome).recorded);
  CHECK(open_of(outcome).repeats_after_s == 10.0);
}

TEST_CASE("open and closed jobs share a server: the open ones keep their rate, the closed ones take the rest") {
  Scenario scenario = simple_loop({.clients = 5, .think = ConstantTime{Seconds{0.0}}});
  scenario.jobs.front().event.erase(scenario.jobs.front().event.begin());
  JobPool arriving = scenario.jobs.front();
  arriving.name = "arriving";
  arriving.count = 50;
  arriving.arrivals = PoissonArrivals{Rate{0.4}};
  scenario.jobs.push_back(arriving);
  const RunOutcome outcome = simulate_forked(scenario);
  check_all_laws(outcome);
  CHECK(outcome.jobs[1].open->verdict == OpenVerdict::stable);
  CHECK(outcome.jobs[1].events_per_s == doctest::Approx(0.4).epsilon(0.03));
  // The device is never idle.
  CHECK(outcome.jobs[0].events_per_s + outcome.jobs[1].events_per_s == doctest::Approx(1.0).epsilon(1e-3));
}
