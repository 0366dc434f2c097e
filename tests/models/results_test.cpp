#include "models/results/results.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace saturn {

namespace {

JobsOutcome pool(const std::string& name, double ideal_s, double mean_s, std::uint64_t events) {
  JobsOutcome jobs;
  jobs.name = name;
  // As many as N = X·R makes them.
  jobs.clients = static_cast<double>(events) / 1000.0 * mean_s;
  jobs.ideal_event_time_s = ideal_s;
  jobs.events_per_s = static_cast<double>(events) / 1000.0;
  jobs.event_time = {.count = events,
                     .mean_s = mean_s,
                     .p50_s = mean_s,
                     .p95_s = 2 * mean_s,
                     .p99_s = 3 * mean_s,
                     .max_s = 4 * mean_s};
  jobs.stages = {{.label = "inference", .mean_s = mean_s / 10}};
  return jobs;
}

RunOutcome outcome(double mean_s) {
  RunOutcome run;
  run.jobs = {pool("reco", 100.0, mean_s, 900)};
  ModelOutcome model;
  model.name = "emtrk";
  model.requests_per_s = 10.0;
  model.batches = {{100, 3}, {50, 1}};
  run.models = {model};
  run.resources = {{.name = "gke/t4", .kind = ResourceKind::gpu, .units = 4.0, .busy_fraction = 0.5}};
  run.checks = {{.name = "conservation", .passed = true, .detail = "5 = 5"}};
  run.warm_up = {.removed_s = mean_s, .window_s = 1000.0};
  run.requests = 10;
  return run;
}

}  // namespace

TEST_CASE("after an outage all is as before once few requests wait, none is late and none goes without servers") {
  // Moments of 10 s: one request at the servers, none from 100 s to 200 s, and forty then, until 250 s.
  std::vector<MomentResults> moments;
  for (int i = 1; i <= 40; ++i) {
    MomentResults& moment = moments.emplace_back();
    moment.until_s = 10.0 * i;
    moment.present.mean = i <= 10 ? 1.0 : i <= 20 ? 0.0 : i <= 25 ? 40.0 : 1.0;
  }
  CHECK(recovered_at(moments, 100.0, 200.0) == std::optional(260.0));
  moments[29].late.mean = 0.01;
  CHECK(recovered_at(moments, 100.0, 200.0) == std::optional(310.0));
  // Four quiet moments at the end may be chance.
  moments[35].unserved.mean = 0.01;
  CHECK(recovered_at(moments, 100.0, 200.0) == std::nullopt);
}

TEST_CASE("times and shares of a moment are those of all that ended then, in whichever replication") {
  std::vector<RunOutcome> runs = {outcome(109.0), outcome(110.0), outcome(111.0)};
  for (RunOutcome& run : runs) run.over_time = {{.until_s = 10.0, .present = 1.0}, {.until_s = 20.0}};
  Moment& first = runs[0].over_time[0];
  first.events_per_s = first.calls_per_s = 2.0;
  first.event_time_s = 0.7;
  first.unserved = 1.0;
  const auto moment = [&] { return summarise(runs, 0.95).over_time; };
  CHECK(moment()[0].event_time_s.mean == doctest::Approx(0.7));
  CHECK(std::isinf(moment()[0].event_time_s.high));  // of one alone nothing tells the error
  CHECK(moment()[0].unserved.mean == doctest::Approx(1.0));
  CHECK(moment()[0].events_per_s.mean == doctest::Approx(2.0 / 3));
  CHECK(moment()[1].event_time_s.mean == 0.0);
  // Two events of 0.7 s for one of 1.0 s.
  runs[1].over_time[0].events_per_s = 1.0;
  runs[1].over_time[0].event_time_s = 1.0;
  CHECK(moment()[0].event_time_s.mean == doctest::Approx(0.8));
  CHECK(std::isfinite(moment()[0].event_time_s.high));
}

TEST_CASE("the summary of three replications carries Student intervals, and slowdown is time over ideal time") {
  const std::vector<RunOutcome> runs = {outcome(109.0), outcome(110.0), outcome(111.0)};
  const Results s = summarise(runs, 0.95);
  const double half = 4.302652730 / std::sqrt(3.0);
  CHECK(s.jobs[0]["event_time_s"].mean == doctest::Approx(110.0));
  CHECK(s.jobs[0]["event_time_s"].half_width() == doctest::Approx(half).epsilon(1e-9));
  CHECK(s.jobs[0]["event_time_p95_s"].low == doctest::Approx(220.0 * std::exp(-2 * half / 220.0)).epsilon(1e-9));
  CHECK(s.jobs[0]["event_time_p95_s"].high == doctest::Approx(220.0 * std::exp(2 * half / 220.0)).epsilon(1e-9));
  CHECK(s.jobs[0]["slowdown"].mean == doctest::Approx(1.1));
  CHECK(s.jobs[0]["slowdown"].high == doctest::Approx(1.1 + half / 100).epsilon(1e-9));
  CHECK(s.jobs[0].stages[0]["time_s"].mean == doctest::Approx(11.0));
  CHECK(s.relative_half_width == doctest::Approx(half / 110).epsilon(1e-9));
  CHECK(s.resources[0]["busy_fraction"].half_width() == 0.0);
  CHECK(s.warm_up_removed_s == 111.0);
  CHECK(s.window_s == doctest::Approx(1000.0));
  CHECK(s.replications == 3);
  CHECK(s.requests == 30);
  CHECK(s.all_jobs.name == "reco");
  CHECK(s.all_jobs["event_time_s"].high == s.jobs[0]["event_time_s"].high);
  CHECK(s.all_jobs.stages.size() == 1);
}

TEST_CASE("batches of all replications are counted together, and their mean size is that of all of them") {
  std::vector<RunOutcome> runs = {outcome(109.0), outcome(110.0)};
  runs[0].models[0].sent_because = {0, 2, 1, 0, 1};
  runs[1].models[0].batches = {{100, 10}, {7, 10}};
  runs[1].models[0].sent_because = {0, 10, 0, 10, 0};
  const Results s = summarise(runs, 0.95);
  CHECK(s.models[0].batches == std::map<std::uint32_t, std::uint64_t>{{7, 10}, {50, 1}, {100, 13}});
  CHECK(s.models[0].sent_because == std::array<std::uint64_t, send_reasons>{0, 12, 1, 10, 1});
  REQUIRE(s.models[0].find("batch_items") != nullptr);
  CHECK(s.models[0]["batch_items"].mean == doctest::Approx((70.0 + 50.0 + 1300.0) / 24.0));
  CHECK(s.models[0]["batch_items"].low < 53.5);
  CHECK(s.models[0]["batch_items"].high > 87.5);
}

TEST_CASE("a model that executed nothing has no mean size of batches") {
  RunOutcome run = outcome(110.0);
  run.models[0].batches.clear();
  const std::vector<RunOutcome> runs = {run, run};
  CHECK(summarise(runs, 0.95).models[0].find("batch_items") == nullptr);
}

TEST_CASE("waiting for an instance and executing are what filling and the device leave of queue and compute") {
  std::vector<RunOutcome> runs = {outcome(110.0), outcome(110.0)};
  for (std::size_t i = 0; i < 2; ++i) {
    ModelOutcome& model = runs[i].models[0];
    const double noise = i == 0 ? -0.25 : 0.25;
    model.rejected_per_s = 3.0;
    model.queue_s = 5.0 + noise;
    model.fill_s = 2.0 + noise;
    model.compute_s = 7.0;
    model.device_wait_s = 4.0 + noise;
  }
  const ModelResults model = summarise(runs, 0.95).models[0];
  CHECK(model["rejected_per_s"].mean == 3.0);
  CHECK(model["fill_s"].half_width() > 1.0);
  CHECK(model["instance_wait_s"].mean == doctest::Approx(3.0));
  // The noise is in both and drops out of each replication's difference.
  CHECK(model["instance_wait_s"].half_width() == doctest::Approx(0.0));
  CHECK(model["execute_s"].mean == doctest::Approx(3.0));
  CHECK(model["execute_s"].half_width() > 1.0);
}

TEST_CASE("several pools together weigh their times by their events and add their rates") {
  RunOutcome run = outcome(120.0);
  run.jobs.push_back(pool("trigger", 10.0, 20.0, 100));
  const std::vector<RunOutcome> runs = {run, run};
  const Results s = summarise(runs, 0.9);
  CHECK(s.all_jobs.name == "all jobs");
  CHECK(s.all_jobs["streams"].mean == doctest::Approx(110.0));
  CHECK(s.all_jobs["events_per_s"].mean == doctest::Approx(1.0));
  CHECK(s.all_jobs["event_time_s"].mean == doctest::Approx(0.9 * 120 + 0.1 * 20));
  CHECK(s.all_jobs["ideal_event_time_s"].mean == doctest::Approx(0.9 * 100 + 0.1 * 10));
  CHECK(s.all_jobs["slowdown"].mean == doctest::Approx(110.0 / 91.0));
}

TEST_CASE("a check that failed in any replication is failed, with the first failure's detail") {
  std::vector<RunOutcome> runs = {outcome(110.0), outcome(110.0), outcome(110.0)};
  runs[1].checks[0] = {.name = "conservation", .passed = false, .detail = "5 is not 4"};
  runs[2].checks[0] = {.name = "conservation", .passed = false, .detail = "5 is not 3"};
  runs[2].checks.push_back({.name = "little gke/emtrk", .passed = true, .detail = "1 = 1"});
  const Results s = summarise(runs, 0.95);
  REQUIRE(s.checks.size() == 2);
  CHECK_FALSE(s.checks[0].passed);
  CHECK(s.checks[0].detail == "5 is not 4");
  CHECK(s.checks[1].passed);
}

TEST_CASE(
    "one replication takes its interval from 20 batch means of its series, and only of what follows event times") {
  RunOutcome run = outcome(110.0);
  std::vector<double> series;
  for (int i = 0; i < 40; ++i) series.push_back(i % 4 < 2 ? 109.0 : 111.0);
  run.event_times = in_batches(series);
  const Results s = summarise({&run, 1}, 0.95);
  // Ten batches of 109 and ten of 111, in turn: standard error sqrt(20/19)/sqrt(20), t(19; 0.975) = 2.093024.
  const double relative = 2.093024054 / std::sqrt(19.0) / 110.0;
  CHECK(s.relative_half_width == doctest::Approx(relative).epsilon(1e-9));
  CHECK(s.jobs[0]["event_time_s"].high == doctest::Approx(110.0 * (1 + relative)).epsilon(1e-9));
  CHECK(s.jobs[0]["events_per_s"].low == doctest::Approx(0.9 * (1 - relative)).epsilon(1e-9));
  CHECK(std::isinf(s.jobs[0]["event_time_p99_s"].high));
  CHECK(std::isinf(s.models[0]["requests_per_s"].high));
  const Results certain = summarise({&run, 1}, 0.95, Stopping::nothing_drawn);
  CHECK(certain.models[0]["requests_per_s"].low == doctest::Approx(10.0 * (1 - relative)).epsilon(1e-9));
  CHECK(certain.models[0]["queue_s"].low == 0.0);
}

TEST_CASE("replications that ended by their width take the factor of the confidence that leaves 95 %") {
  const std::vector<RunOutcome> runs = {outcome(109.0), outcome(110.0), outcome(111.0)};
  const Results s = summarise(runs, 0.95, Stopping::by_width);
  // t(2; 0.9825) = 5.2039 in place of 4.3027.
  CHECK(s.jobs[0]["event_time_s"].half_width() == doctest::Approx(5.2039 / std::sqrt(3.0)).epsilon(1e-3));
  CHECK(s.jobs[0]["event_time_s"].confidence == 0.95);
}

TEST_CASE("one replication without a series has no interval") {
  const RunOutcome run = outcome(110.0);
  const Results s = summarise({&run, 1}, 0.95);
  CHECK(std::isinf(s.relative_half_width));
  CHECK(std::isinf(s.jobs[0]["event_time_s"].high));
}

TEST_CASE("no interval of a time, a rate or a share reaches below 0, but that of a growth does") {
  std::vector<RunOutcome> runs = {outcome(1.0), outcome(2.0), outcome(30.0)};
  for (std::size_t i = 0; i < runs.size(); ++i) {
    OpenOutcome open;
    open.growth_per_s = static_cast<double>(i * i);
    runs[i].jobs[0].open = open;
    runs[i].resources[0].busy_fraction = i == 2 ? 0.9 : 0.1;
  }
  const Results s = summarise(runs, 0.95);
  CHECK(s.jobs[0]["event_time_s"].low == 0.0);
  CHECK(s.jobs[0]["event_time_p99_s"].low > 0.0);
  CHECK(s.jobs[0]["slowdown"].low == 0.0);
  CHECK(s.resources[0]["busy_fraction"].low == 0.0);
  CHECK(s.jobs[0]["growth_per_s"].low < 0.0);
}

TEST_CASE("a quantile with fewer than five events beyond it in a replication is withheld") {
  const auto with_events = [](std::uint64_t events) {
    std::vector<RunOutcome> runs = {outcome(109.0), outcome(110.0), outcome(111.0)};
    for (RunOutcome& run : runs) run.jobs[0].event_time.count = events;
    return summarise(runs, 0.95).all_jobs;
  };
  // 499 events have 4.99 beyond the p99, 99 have 4.95 beyond the p95, 9 have 4.5 beyond the median.
  CHECK(with_events(499)["event_time_p99_s"].caveat == Caveat::too_few_events);
  CHECK(with_events(501)["event_time_p99_s"].caveat == Caveat::none);
  CHECK(with_events(99)["event_time_p95_s"].caveat == Caveat::too_few_events);
  CHECK(with_events(101)["event_time_p95_s"].caveat == Caveat::none);
  CHECK(with_events(9)["event_time_p50_s"].caveat == Caveat::too_few_events);
  CHECK(words_of(Caveat::too_few_events) == "too few events");
  // Where nothing is drawn, what was seen is what there is.
  const RunOutcome alone = outcome(110.0);
  CHECK(summarise({&alone, 1}, 0.95, Stopping::nothing_drawn).all_jobs["event_time_p99_s"].caveat == Caveat::none);
}

TEST_CASE("the numbers of a lone run in which events only queue up are not stationary") {
  RunOutcome run = outcome(110.0);
  run.jobs[0].open = OpenOutcome{.verdict = OpenVerdict::overloaded, .times_grow = true};
  std::vector<double> series(40);
  std::iota(series.begin(), series.end(), 1.0);
  run.event_times = in_batches(series);
  const Results s = summarise({&run, 1}, 0.95, Stopping::nothing_drawn);
  CHECK(s.all_jobs["events_per_s"].mean == doctest::Approx(0.9));
  CHECK(s.all_jobs["events_per_s"].caveat == Caveat::not_stationary);
  CHECK(std::isinf(s.all_jobs["events_per_s"].half_width()));
  CHECK(s.resources[0]["busy_fraction"].caveat == Caveat::not_stationary);
  CHECK(s.relative_half_width == std::numeric_limits<double>::infinity());
}

TEST_CASE("the interval of a nearly periodic rate holds clients over event time, up to an event of each client") {
  // 5 clients, 4.575 events/s by N/R; 458 events were counted in 100 s, as the window cuts two more than on average.
  RunOutcome run = outcome(5.0 / 4.575);
  run.jobs[0].clients = 5.0;
  run.jobs[0].events_per_s = 4.58;
  run.warm_up.window_s = 100.0;
  run.event_times = in_batches(std::vector<double>(40, 5.0 / 4.575));
  const Estimate rate = summarise({&run, 1}, 0.95, Stopping::nothing_drawn).all_jobs["events_per_s"];
  CHECK(rate.mean == 4.58);
  CHECK(rate.low <= 4.575);
  CHECK(rate.half_width() == doctest::Approx(0.005));
  // Events that never end are in no event time: more than one of each client is not what the edges cut.
  run.jobs[0].event_time.mean_s = 0.1;
  CHECK(summarise({&run, 1}, 0.95, Stopping::nothing_drawn).all_jobs["events_per_s"].high == doctest::Approx(4.63));
  // Whole periods: exact to the last bit.
  run.jobs[0].event_time.mean_s = 5.0 / 4.58;
  CHECK(summarise({&run, 1}, 0.95, Stopping::nothing_drawn).all_jobs["events_per_s"].high == 4.58);
}

TEST_CASE("replications of different scenarios are refused") {
  std::vector<RunOutcome> runs = {outcome(110.0), outcome(110.0)};
  runs[1].resources.clear();
  CHECK_THROWS_WITH_AS(summarise(runs, 0.95), "summarise: the replications are not of one scenario",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(summarise({}, 0.95), "summarise: no replications", std::invalid_argument);
}

}  // namespace saturn
