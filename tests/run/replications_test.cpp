#include "sim/run/replications.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "models/laws/random_stream.hpp"
#include "sim/formula/system.hpp"
#include "sim/run/outcome_bytes.hpp"

using namespace saturn;

namespace {

/// An outcome whose mean event time is 100 s with a relative noise of the given size, drawn by seed and replica.
RunOutcome noisy_outcome(const Scenario& scenario, const Replica& replica, double noise) {
  RandomStream stream(replica.seed, replica.index, 0, Purpose::service);
  const double time = 100 * (1 + noise * (stream.uniform() - 0.5));
  RunOutcome outcome;
  outcome.jobs = {
      {.name = scenario.jobs[0].name,
       .clients = 1,
       .ideal_event_time_s = 100,
       .events_per_s = 1 / time,
       .event_time = {.count = 50, .mean_s = time, .p50_s = time, .p95_s = time, .p99_s = time, .max_s = time},
       .stages = {{"all", time}}}};
  outcome.warm_up = {.removed_s = 1, .window_s = 5000};
  outcome.event_times = in_batches(std::vector<double>(50, time));
  outcome.requests = replica.index;
  return outcome;
}

Simulator simulator(double noise) {
  return {.run = [noise](const System& s, const Replica& r) { return noisy_outcome(s.scenario, r, noise); },
          .length = [](const System&) { return RunLength{}; }};
}

Scenario scenario(std::string title, std::uint64_t seed, RunControl run = {}) {
  Scenario one;
  one.title = std::move(title);
  one.jobs = {{.name = "reco",
               .site = "fnal",
               .start = JobStart::random,
               .event = {CpuStage{"all", ConstantTime{Seconds{100}}, {}}}}};
  one.run = run;
  one.run.seed = seed;
  return one;
}

Results summary_of(const std::variant<Replicated, RunFailure>& answer) {
  REQUIRE(std::holds_alternative<Replicated>(answer));
  return std::get<Replicated>(answer).summary;
}

}  // namespace

namespace {

Deadline in_milliseconds(int milliseconds) {
  return deadline_after(Seconds{milliseconds / 1000.0});
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Noise, and some milliseconds or for ever for each replication, as its number says.
Simulator slow_simulator(const std::function<int(std::uint32_t)>& milliseconds_of) {
  return {.run =
              [milliseconds_of](const System& s, const Replica& r) {
                std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds_of(r.index)));
                return noisy_outcome(s.scenario, r, 0.1);
              },
          .length = [](const System&) { return RunLength{}; }};
}

constexpr int for_ever = 3'600'000;

}  // namespace

TEST_CASE(
    "a run that its limits cannot hold is refused before it begins, with what it would need, beside others that run") {
  Simulator sized = simulator(0.0);
  sized.size = [](const System& one, const RunLength&) {
    if (one.scenario.title == "long") return RunSize{.requests = 1e13, .least_time_s = 1e6};
    if (one.scenario.title == "wide") return RunSize{.clients = 1e9, .least_bytes = 2.5e11};
    return RunSize{.clients = 1e6, .requests = 1e9, .least_time_s = 100.0, .least_bytes = 2.5e8};
  };
  const std::vector<Scenario> scenarios{scenario("long", 1), scenario("wide", 1), scenario("fits", 1)};
  const auto answers = replicate_with(sized, scenarios, {.processes = 1, .command = "run it"});
  REQUIRE(std::holds_alternative<RunFailure>(answers[0]));
  const RunFailure& late = std::get<RunFailure>(answers[0]);
  CHECK(late.kind == FailureKind::out_of_time);
  CHECK(
      late.message ==
      "not begun: it would simulate about 1e+13 requests, which takes more than 1e+06 s, and a simulation may take 600 "
      "s");
  REQUIRE(std::holds_alternative<RunFailure>(answers[1]));
  CHECK(std::get<RunFailure>(answers[1]).kind == FailureKind::out_of_memory);
  CHECK(std::holds_alternative<Replicated>(answers[2]));
}

TEST_CASE("a thousand million jobs, and windows of thousands of years, are refused at once, but not what is usual") {
  Scenario wide = scenario("wide", 1);
  wide.jobs[0].event = {CpuStage{"reconstruction", ConstantTime{Seconds{10.0}}, {}}};
  const RunLength length = run_length_for(wide);
  CHECK(run_size(wide, length).least_time_s < 1.0);
  wide.jobs[0].count = 1'000'000'000;
  Scenario long_window = wide;
  long_window.jobs[0].count = 1'000'000;
  long_window.run.window = Seconds{1e11};
  const auto answers = replicate(std::vector<Scenario>{wide, long_window}, {.processes = 1});
  REQUIRE(std::holds_alternative<RunFailure>(answers[0]));
  CHECK(std::get<RunFailure>(answers[0]).kind == FailureKind::out_of_memory);
  REQUIRE(std::holds_alternative<RunFailure>(answers[1]));
  CHECK(std::get<RunFailure>(answers[1]).kind == FailureKind::out_of_time);
}

TEST_CASE("when time is out, the row of replications from the first on is the result of asking for just so many") {
  const RunControl control{.precision = 1e-6, .min_replications = 3, .max_replications = 1000};
  const Simulator noisy = slow_simulator([](std::uint32_t) { return 5; });
  for (const int milliseconds : {200, 400}) {
    const auto ended = replicate_with(noisy, std::vector{scenario("slow", 5, control), scenario("other", 6, control)},
                                      {.processes = 3, .deadline = in_milliseconds(milliseconds)});
    for (std::size_t s = 0; s < 2; ++s) {
      REQUIRE(std::holds_alternative<Replicated>(ended[s]));
      const auto& early = std::get<Replicated>(ended[s]);
      CAPTURE(early.summary.replications);
      CHECK(early.out_of_time);
      CHECK(early.summary.replications >= 1);
      CHECK(early.summary.replications < control.max_replications);
      RunControl same = control;
      same.max_replications = early.summary.replications;
      same.min_replications = std::min(same.min_replications, same.max_replications);
      const auto again = replicate_with(simulator(0.1), std::vector{scenario("again", 5 + s, same)}, {});
      const Results expected = summary_of(again[0]);
      CHECK(expected.replications == early.summary.replications);
      CHECK(expected.all_jobs["event_time_s"].mean == early.summary.all_jobs["event_time_s"].mean);
      CHECK(expected.all_jobs["event_time_s"].low == early.summary.all_jobs["event_time_s"].low);
      CHECK(expected.requests == early.summary.requests);
    }
  }
}

TEST_CASE("a simulation that never ends is given up at the deadline, and what is complete beside it counts") {
  const auto begin = std::chrono::steady_clock::now();
  const RunControl control{.precision = 1e-6, .min_replications = 4, .max_replications = 1000};
  const Simulator stuck = slow_simulator([](std::uint32_t index) { return index == 2 ? for_ever : 1; });
  const Simulator never = slow_simulator([](std::uint32_t) { return for_ever; });
  const RunOptions options{.processes = 2, .command = "saturn run slow", .deadline = in_milliseconds(300)};
  // Later replications that overtook the stuck one are not representative.
  CHECK(summary_of(replicate_with(stuck, std::vector{scenario("stuck", 5, control)}, options)[0]).replications == 2);
  CHECK(seconds_since(begin) < 0.3 + 0.5);

  const auto none = replicate_with(never, std::vector{scenario("never", 5, control)},
                                   {.processes = 2, .command = "saturn run slow", .deadline = in_milliseconds(100)});
  REQUIRE(std::holds_alternative<RunFailure>(none[0]));
  CHECK(std::get<RunFailure>(none[0]).kind == FailureKind::out_of_budget);
  CHECK(seconds_since(begin) < 0.3 + 0.5 + 0.1 + 0.5);
}

TEST_CASE("time that runs out after the precision is reached changes nothing") {
  const RunControl easy{.precision = 0.01, .min_replications = 4, .max_replications = 30};
  const Simulator exact{.run =
                            [](const System& s, const Replica& r) {
                              if (s.scenario.title == "stuck")
                                std::this_thread::sleep_for(std::chrono::milliseconds(for_ever));
                              return noisy_outcome(s.scenario, r, 0.0);
                            },
                        .length = [](const System&) { return RunLength{}; }};
  const auto both = replicate_with(exact, std::vector{scenario("exact", 1, easy), scenario("stuck", 1, easy)},
                                   {.processes = 8, .deadline = in_milliseconds(300)});
  CHECK(summary_of(both[0]).replications == 4);
  CHECK_FALSE(std::get<Replicated>(both[0]).out_of_time);
  CHECK(std::holds_alternative<RunFailure>(both[1]));
}

TEST_CASE("where the deadline cuts off longer windows, the shorter ones that drift are what is known") {
  const RunControl control{.precision = 1e-6, .min_replications = 3, .max_replications = 3, .cycles = 24};
  const Simulator drifting{.run =
                               [](const System& s, const Replica& r) {
                                 if (s.scenario.run.cycles > 24)
                                   std::this_thread::sleep_for(std::chrono::milliseconds(for_ever));
                                 RunOutcome outcome = noisy_outcome(s.scenario, r, 0.1);
                                 outcome.warm_up.steady = false;
                                 return outcome;
                               },
                           .length = [](const System&) { return RunLength{}; }};
  const auto ended = replicate_with(drifting, std::vector{scenario("drifts", 5, control)},
                                    {.processes = 3, .deadline = in_milliseconds(500)});
  const Results known = summary_of(ended[0]);
  CHECK(known.replications == 3);
  CHECK(known.unsteady_replications == 3);
  CHECK(std::get<Replicated>(ended[0]).out_of_time);
  CHECK(std::get<Replicated>(ended[0]).cycles == 24);
}

TEST_CASE("replications may begin with any number, and a failure names it") {
  const auto all = replicate_with(simulator(0.1),
                                  std::vector{scenario("all", 5, {.min_replications = 6, .max_replications = 6})}, {});
  const auto rest =
      replicate_with(simulator(0.1), std::vector{scenario("rest", 5, {.min_replications = 2, .max_replications = 2})},
                     {.first_replica = 4});
  const auto& last = std::get<Replicated>(all[0]).outcomes;
  const auto& same = std::get<Replicated>(rest[0]).outcomes;
  CHECK(same[0].jobs[0].event_time.mean_s == last[4].jobs[0].event_time.mean_s);
  CHECK(same[1].jobs[0].event_time.mean_s == last[5].jobs[0].event_time.mean_s);
  const Simulator breaks = {
      .run = [](const System&, const Replica&) -> RunOutcome { throw std::logic_error("broken"); },
      .length = [](const System&) { return RunLength{}; }};
  const auto failed =
      replicate_with(breaks, std::vector{scenario("bad", 5)}, {.first_replica = 4, .command = "saturn run bad"});
  CHECK(std::get<RunFailure>(failed[0]).command == "saturn run bad --seed 5 --replica 4");
}

TEST_CASE(
    "the wanted replications follow the squared width, at most double, and stop at precision or at the largest "
    "number") {
  CHECK(rc::check([] {
    RunControl control;
    control.precision = *rc::gen::inRange(1, 100) * 1e-3;
    control.max_replications = *rc::gen::inRange<std::uint64_t>(1, 200);
    const auto have = *rc::gen::inRange<std::uint64_t>(1, control.max_replications + 1);
    const double width = *rc::gen::inRange(0, 1000) * 1e-3;
    const std::uint64_t wanted = replications_wanted(control, have, width);
    RC_ASSERT(wanted >= have);
    RC_ASSERT(wanted <= std::max<std::uint64_t>(8, 2 * have));
    RC_ASSERT(wanted <= control.max_replications);
    const bool stops = width <= control.precision || have == control.max_replications;
    RC_ASSERT((wanted == have) == stops);
    if (!stops && wanted < 2 * have && wanted < control.max_replications && have >= 8) {
      RC_ASSERT(width * std::sqrt(static_cast<double>(have) / static_cast<double>(wanted)) <=
                control.precision * (1 + 1e-12));
    }
  }));
  const RunControl control{.precision = 0.01, .max_replications = 32};
  CHECK(replications_wanted(control, 8, 0.0125) == 13);
  CHECK(replications_wanted(control, 8, 0.1) == 16);
  CHECK(replications_wanted(control, 9, std::nan("")) == 18);
  // A few replications do not tell how many are needed.
  CHECK(replications_wanted(control, 3, 0.0101) == 8);
}

TEST_CASE("a scenario gives the same summary for any number of processes and beside any other scenarios") {
  const RunControl run{.precision = 0.002, .min_replications = 3, .max_replications = 20};
  const std::vector<Scenario> together = {scenario("a", 1, run), scenario("b", 2, run), scenario("c", 3, run)};
  const Simulator noisy = simulator(0.05);
  const auto serial = replicate_with(noisy, together, {.processes = 1});
  const auto parallel = replicate_with(noisy, together, {.processes = 5});
  REQUIRE(serial.size() == together.size());
  for (std::size_t i = 0; i < together.size(); ++i) {
    const auto alone = replicate_with(noisy, std::span(together).subspan(i, 1), {.processes = 2});
    const Results expected = summary_of(alone[0]);
    CHECK(expected.replications > 3);
    for (const Results& other : {summary_of(serial[i]), summary_of(parallel[i])}) {
      CHECK(other.replications == expected.replications);
      CHECK(other.requests == expected.requests);
      CHECK(other.all_jobs["event_time_s"].mean == expected.all_jobs["event_time_s"].mean);
      CHECK(other.all_jobs["event_time_s"].low == expected.all_jobs["event_time_s"].low);
      CHECK(other.relative_half_width == expected.relative_half_width);
    }
  }
}

TEST_CASE("replications are the ones from 0 on, as many as the precision needs") {
  const RunControl easy{.precision = 0.01, .min_replications = 4, .max_replications = 30};
  const auto exact = replicate_with(simulator(0.0), std::vector{scenario("exact", 1, easy)}, {});
  CHECK(summary_of(exact[0]).replications == 4);
  CHECK(summary_of(exact[0]).requests == 0 + 1 + 2 + 3);
  CHECK(std::get<Replicated>(exact[0]).precision_reached);

  const RunControl hopeless{.precision = 1e-6, .min_replications = 2, .max_replications = 7};
  std::uint32_t last_done = 0;
  std::uint32_t last_expected = 0;
  const RunOptions options{.progress = [&](std::uint32_t done, std::uint32_t expected) {
    CHECK(done == last_done + 1);
    CHECK(expected >= last_expected);
    last_done = done;
    last_expected = expected;
  }};
  const auto rough = replicate_with(simulator(0.1), std::vector{scenario("rough", 1, hopeless)}, options);
  CHECK(summary_of(rough[0]).replications == 7);
  CHECK_FALSE(std::get<Replicated>(rough[0]).precision_reached);
  CHECK(std::get<Replicated>(rough[0]).asked_precision == 1e-6);
  CHECK(last_done == 7);
  CHECK(last_expected == 7);
}

TEST_CASE("where nothing is drawn there is one replication, as a second would be the same run") {
  Scenario staggered = scenario("staggered", 1, {.min_replications = 4, .max_replications = 30});
  staggered.jobs[0].start = JobStart::staggered;
  const auto once = replicate_with(simulator(0.0), std::vector{staggered}, {});
  CHECK(summary_of(once[0]).replications == 1);
}

TEST_CASE("a failed replica is reported with its scenario, seed, number and command, and harms no other scenario") {
  const Simulator partly = {.run =
                                [](const System& s, const Replica& r) {
                                  if (s.scenario.title == "bad" && r.index >= 1) {
                                    throw std::logic_error("broken in replica " + std::to_string(r.index));
                                  }
                                  return noisy_outcome(s.scenario, r, 0.01);
                                },
                            .length = [](const System&) { return RunLength{}; }};
  const std::vector<Scenario> both = {scenario("bad", 77), scenario("good", 78)};
  const auto answers = replicate_with(partly, both, {.processes = 3, .command = "run protodune.json"});
  REQUIRE(answers.size() == 2);
  REQUIRE(std::holds_alternative<RunFailure>(answers[0]));
  const RunFailure& failure = std::get<RunFailure>(answers[0]);
  CHECK(failure.kind == FailureKind::broken_law);
  CHECK(failure.scenario == "bad");
  CHECK(failure.seed == 77);
  CHECK(failure.replica == 1);
  CHECK(failure.message == "broken in replica 1");
  CHECK(failure.command == "run protodune.json --seed 77 --replica 1");
  CHECK(summary_of(answers[1]).replications == 3);
}

TEST_CASE("windows are doubled while most replications drift, and the failure of such a run names its cycles") {
  RunControl run{.min_replications = 2, .max_replications = 2, .cycles = 10};
  const Simulator settles = {.run =
                                 [](const System& s, const Replica& r) {
                                   RunOutcome outcome = noisy_outcome(s.scenario, r, 0.0);
                                   outcome.warm_up.steady = r.length.slices >= 40;
                                   return outcome;
                                 },
                             .length =
                                 [](const System& s) {
                                   return RunLength{.slice = Seconds{1.0},
                                                    .slices = static_cast<std::uint32_t>(*s.scenario.run.cycles)};
                                 }};
  const auto answer = replicate_with(settles, std::vector{scenario("slow", 1, run)}, {});
  CHECK(std::get<Replicated>(answer[0]).cycles == 40);
  CHECK(summary_of(answer[0]).unsteady_replications == 0);

  run.cycles.reset();
  const Simulator never = {.run = settles.run, .length = [](const System&) { return RunLength{}; }};
  const auto unasked = replicate_with(never, std::vector{scenario("slow", 1, run)}, {});
  CHECK(std::get<Replicated>(unasked[0]).cycles == 8 * usual_cycles);
  run.cycles = 10;

  const auto little = replicate_with(settles, std::vector{scenario("slow", 1, run)}, {.most_extensions = 1});
  CHECK(std::get<Replicated>(little[0]).cycles == 20);
  CHECK(summary_of(little[0]).unsteady_replications == 2);

  const Simulator breaks = {.run = [&](const System& s, const Replica& r) -> RunOutcome {
                              if (r.length.slices > 10) throw std::logic_error("broken");
                              return settles.run(s, r);
                            },
                            .length = settles.length};
  const auto failure = replicate_with(breaks, std::vector{scenario("slow", 1, run)}, {.command = "saturn run slow"});
  CHECK(std::get<RunFailure>(failure[0]).command == "saturn run slow --set /run/cycles=20 --seed 1 --replica 0");
}
