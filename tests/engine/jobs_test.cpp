#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/queueing/mva.hpp"
#include "models/results/results.hpp"
#include "scenarios/demands/demands.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// Jobs as they really are: cores that streams share, asynchronous stages, client cost, numbers of items, speeds of
/// nodes, jobs that end.
using namespace saturn;
using namespace saturn::tests;

namespace {

CpuStage computing(double seconds, std::vector<std::string> needs = {}) {
  return {.label = "cpu", .time = ConstantTime{Seconds{seconds}}, .part_of = {}, .needs = std::move(needs)};
}

/// A server for each model, with enough devices for everybody, which answers a call in a constant time.
Scenario one_job(const std::vector<Stage>& event, const std::map<std::string, double>& services = {{"a", 1.0}}) {
  Scenario scenario = simple_loop({.clients = 1, .devices = 64});
  scenario.models.clear();
  const Server server = server_of(scenario);
  scenario.servers.clear();
  for (const auto& [name, seconds] : services) {
    scenario.models[name].service["device"] = affine(seconds, 0.0);
    scenario.models[name].max_batch_size = 1000;
    scenario.servers.push_back(server);
    scenario.servers.back().name = "server of " + name;
    scenario.servers.back().models = {name};
  }
  scenario.jobs.front().event = event;
  return scenario;
}

InferStage calling(const std::string& model, bool asynchronous, std::vector<std::string> needs = {}) {
  InferStage stage;
  stage.label = stage.model = model;
  stage.asynchronous = asynchronous;
  stage.needs = std::move(needs);
  return stage;
}

JobsOutcome first_jobs_of(const Scenario& scenario) {
  return lawful_run(scenario).jobs.front();
}

doctest::Approx to_the_last_digit(double value) {
  return doctest::Approx(value).epsilon(1e-9);
}

}  // namespace

TEST_CASE("an event with asynchronous stages takes as long as its longest chain of stages" *
          doctest::test_suite("release")) {
  CHECK(rc::check("longest chain", [] {
    std::vector<Stage> event{computing(0.01)};
    std::map<std::string, double> services{{"z", 1.0}};
    // The dates at which stages end, by hand: a stage begins when the one before lets it and all it needs is there.
    std::map<std::string, double> ends;
    double now = 0.01;
    double last = 0.0;
    const int stages = *rc::gen::inRange(1, 8);
    for (int s = 0; s < stages; ++s) {
      const double seconds = *rc::gen::inRange(1, 400) / 100.0;
      std::vector<std::string> needs;
      for (const auto& [label, end] : ends) {
        if (*rc::gen::inRange(0, 3) > 0) continue;
        needs.push_back(label);
        now = std::max(now, end);
      }
      const std::string name(1, static_cast<char>('a' + s));
      switch (*rc::gen::inRange(0, 4)) {
        case 0:
          event.emplace_back(computing(seconds, needs));
          now += seconds;
          break;
        case 1:
          event.emplace_back(calling(name, false, needs));
          services[name] = seconds;
          now += seconds;
          break;
        default:
          event.emplace_back(calling(name, true, needs));
          services[name] = seconds;
          ends[name] = now + seconds;
          last = std::max(last, ends[name]);
      }
    }
    const double expected = std::max(now, last);
    const Scenario scenario = one_job(event, services);
    const JobsOutcome jobs = first_jobs_of(scenario);
    double sum = 0.0;
    for (const StageOutcome& stage : jobs.stages) sum += stage.mean_s;
    double parts = 0.0;
    for (const EventPart& part : ideal_event_parts(scenario, scenario.jobs.front())) parts += part.seconds;
    RC_LOG() << "expected " << expected << " simulated " << jobs.event_time.mean_s << " stages " << sum << " parts "
             << parts << std::endl;
    RC_ASSERT(std::abs(jobs.event_time.mean_s - expected) <= 1e-9 * expected);
    RC_ASSERT(std::abs(jobs.ideal_event_time_s - expected) <= 1e-9 * expected);
    RC_ASSERT(std::abs(parts - expected) <= 1e-9 * expected);
    RC_ASSERT(std::abs(sum - expected) <= 0.02 * expected);
  }));
}

TEST_CASE("asynchronous calls hide the round trip that blocking calls pay") {
  const auto time_at = [](bool asynchronous, double round_trip_s) {
    Scenario scenario = one_job({calling("a", asynchronous), computing(2.0)});
    scenario.jobs.front().count = 8;
    server_of(scenario).site = "there";
    scenario.links.push_back({"here", "there", Bandwidth{1e9}, Seconds{round_trip_s}, {}});
    return event_time_of(lawful_run(scenario));
  };
  CHECK(time_at(true, 0.0) == to_the_last_digit(2.0));
  CHECK(time_at(true, 0.05) == to_the_last_digit(2.0));
  CHECK(time_at(false, 0.0) == to_the_last_digit(3.0));
  CHECK(time_at(false, 0.05) == to_the_last_digit(3.05));
}

TEST_CASE("more streams than cores end events at the rate at which the cores compute") {
  Scenario scenario = one_job({computing(1.0)});
  JobPool& pool = scenario.jobs.front();
  pool.count = 3;
  pool.threads = 4;
  pool.streams = 7;
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(outcome.jobs.front().events_per_s == doctest::Approx(12.0).epsilon(1e-6));
  CHECK(event_time_of(outcome) == doctest::Approx(7.0 / 4.0).epsilon(1e-3));
  CHECK(outcome.resources.back().name == "clients cores");
  CHECK(outcome.resources.back().busy_fraction == to_the_last_digit(1.0));
}

TEST_CASE("a blocking call keeps its core, an asynchronous one leaves it to another event") {
  const auto rate = [](bool asynchronous) {
    Scenario scenario = one_job({computing(1.0), calling("a", asynchronous)});
    scenario.jobs.front().threads = 4;
    scenario.jobs.front().streams = 8;
    return first_jobs_of(scenario).events_per_s;
  };
  CHECK(rate(false) == doctest::Approx(4.0 / 2.0).epsilon(1e-6));
  CHECK(rate(true) == doctest::Approx(4.0 / 1.0).epsilon(1e-6));
}

TEST_CASE("streams that share cores are the machine-repairman problem with several repairmen") {
  // Three cores, eight events that compute and then wait for an answer which nobody delays: four numbers at 99.9 %.
  Scenario scenario = one_job({CpuStage{"cpu", ExponentialTime{Seconds{1.0}}, {}}, calling("a", true)});
  scenario.models["a"].service["device"] = exponential(2.0);
  scenario.jobs.front().threads = 3;
  scenario.jobs.front().streams = 8;
  scenario.jobs.front().start = JobStart::random;
  scenario.run.cycles = 1000;
  const MvaPoint exact = exact_mva({{1.0, 3.0}}, 2.0, 8);
  check_intervals(scenario, 10, exact.event_time_s, exact.events_per_s);
}

TEST_CASE("requests of a window are serialised one after the other on the job's core") {
  // Four requests, two in flight, 1 s to serialise and 1.5 s to answer each: sent at 1, 2, 3.5 and 4.5 s.
  InferStage calls = calling("a", false);
  calls.items = 4;
  calls.in_flight = 2;
  calls.client_cost.per_request = Seconds{1.0};
  CHECK(event_time_of(lawful_run(one_job({calls}, {{"a", 1.5}}))) == to_the_last_digit(6.0));
  calls.asynchronous = true;
  CHECK(event_time_of(lawful_run(one_job({calls}, {{"a", 1.5}}))) == to_the_last_digit(6.0));
  // The event goes on after the first two; on a node of double speed serialisations take half a second.
  CHECK(event_time_of(lawful_run(one_job({calls, computing(4.5)}, {{"a", 1.5}}))) == to_the_last_digit(6.5));
  Scenario fast = one_job({calls}, {{"a", 1.5}});
  fast.jobs.front().speed = ConstantSpeed{2.0};
  CHECK(event_time_of(lawful_run(fast)) == to_the_last_digit(4.5));
  calls.asynchronous = false;
  calls.in_flight = 1;
  calls.client_cost.per_item = Seconds{0.25};
  CHECK(event_time_of(lawful_run(one_job({calls}, {{"a", 1.5}}))) == to_the_last_digit(4 * 2.75));
}

TEST_CASE("jobs that end cost each event its share of the set-up, and the next job follows") {
  Scenario scenario = one_job({computing(1.5), calling("a", false)});
  JobPool& pool = scenario.jobs.front();
  pool.count = 6;
  pool.speed = ConstantSpeed{2.0};
  pool.events_per_job = 20;
  pool.job_setup = Seconds{14.0};
  const JobsOutcome jobs = first_jobs_of(scenario);
  const double cycle_s = 1.75 + 7.0 / 20;
  CHECK(jobs.event_time.mean_s == to_the_last_digit(1.75));
  CHECK(jobs.events_per_s == doctest::Approx(6 / cycle_s).epsilon(1e-6));
  CHECK(jobs.set_up_s == doctest::Approx(7.0 / 20).epsilon(1e-6));
  CHECK(jobs.jobs_per_s == doctest::Approx(6 / cycle_s / 20).epsilon(1e-6));
}

TEST_CASE("the next job of a slot opens connections of its own") {
  Scenario scenario = one_job({calling("a", false)});
  scenario.models["a"].service["slow"] = affine(3.0, 0.0);
  scenario.devices["slow"] = {};
  server_of(scenario).balancing = Balancing::per_connection;
  scenario.servers.push_back(server_of(scenario));
  scenario.servers[1].name = "slow";
  scenario.servers[1].devices.type = "slow";
  CHECK(event_time_of(lawful_run(scenario)) == to_the_last_digit(1.0));
  scenario.jobs.front().events_per_job = 1;
  CHECK(event_time_of(lawful_run(scenario)) == doctest::Approx(2.0).epsilon(0.02));
}

TEST_CASE("jobs on nodes of different speed end events at the sum of their rates") {
  Scenario scenario = one_job({computing(1.0)});
  JobPool& pool = scenario.jobs.front();
  pool.count = 6;
  pool.speed = ListedSpeeds{{0.5, 1.0, 2.0}};
  const JobsOutcome jobs = first_jobs_of(scenario);
  CHECK(jobs.ideal_event_time_s == to_the_last_digit(3.0 / 3.5));
  CHECK(jobs.events_per_s == doctest::Approx(7.0).epsilon(1e-3));
  CHECK(jobs.event_time.mean_s == doctest::Approx(3.0 / 3.5).epsilon(1e-3));
}

TEST_CASE("with drawn numbers of items a lone job's event takes what the formula says, at 99.9 %" *
          doctest::test_suite("release")) {
  InferStage calls = calling("a", false);
  for (const CountDistribution& items :
       {CountDistribution::poisson(3.5), CountDistribution::geometric(2.0), CountDistribution::values({0, 2, 7})}) {
    calls.items = items;
    calls.request_batch = 3;
    Scenario scenario = one_job({computing(0.5), calls});
    scenario.models["a"].service["device"] = affine(1.0, 0.2);
    scenario.run.cycles = 2000;
    check_intervals(scenario, 10, closed_network(scenario).classes.front().ideal_event_time.value);
  }
}

TEST_CASE("jobs may begin over longer than an event, which the warm-up covers") {
  Scenario scenario = simple_loop({.clients = 10, .think = ConstantTime{Seconds{9.0}}});
  scenario.jobs.front().start_over = Seconds{1000.0};
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(outcome.warm_up.removed_s >= 1000.0);
  CHECK(event_time_of(outcome) == to_the_last_digit(10.0));
}

TEST_CASE("quantiles of several pools are those of all their events, of which the quick ones are most") {
  // 50 jobs of 1 s and 50 of 20 s on average, which share nothing: of 21 events 20 are quick.
  Scenario scenario = simple_loop({.clients = 50});
  scenario.jobs.front().event = {CpuStage{"quick", ExponentialTime{Seconds{1.0}}, {}}};
  scenario.jobs.push_back(scenario.jobs.front());
  scenario.jobs.back().name = "slow";
  scenario.jobs.back().event = {CpuStage{"slow", ExponentialTime{Seconds{20.0}}, {}}};
  scenario.run.cycles = 200;
  const auto ended_by = [](double t) { return (20.0 * -std::expm1(-t) + -std::expm1(-t / 20.0)) / 21.0; };
  const auto quantile = [&](double q) {
    double low = 0.0;
    double high = 400.0;
    while (high - low > 1e-9 * high) ((ended_by((low + high) / 2) < q) ? low : high) = (low + high) / 2;
    return high;
  };
  check_contains(measured(scenario, [](const RunOutcome& run) { return together(run).event_time.p50_s; }),
                 quantile(0.5), 0.05);
  check_contains(measured(scenario, [](const RunOutcome& run) { return together(run).event_time.p95_s; }),
                 quantile(0.95), 0.1);
  check_contains(measured(scenario, [](const RunOutcome& run) { return together(run).event_time.p99_s; }),
                 quantile(0.99), 0.2);
}
