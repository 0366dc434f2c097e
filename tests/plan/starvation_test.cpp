#include "sim/formula/starvation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "models/queueing/closed_formulas.hpp"
#include "tests/plan/plan_scenarios.hpp"

using namespace saturn;

namespace {

/// Jobs of 10 s that send one item each to four devices, which take 1 s for an item and join any number of requests.
Scenario joining(std::uint64_t jobs) {
  Scenario scenario = closed_loop(jobs, 4, ConstantTime{Seconds{10}}, ConstantTime{Seconds{0}});
  Model& model = scenario.models.begin()->second;
  model.service.begin()->second.per_item = ConstantTime{Seconds{1}};
  model.dynamic_batching = true;
  model.max_batch_size = 1000;
  return scenario;
}

Model& its_model(Scenario& scenario) {
  return scenario.models.begin()->second;
}

}  // namespace

TEST_CASE("devices that share a queue may starve where one of them can take twice its share of what is in flight") {
  const std::vector<SharedQueue> found = starving_queues(joining(40));
  REQUIRE(found.size() == 1);
  CHECK(found.front().devices == 4);
  CHECK(found.front().requests == 40);
  CHECK(found.front().taken == 40);
  // The law is in proportion, so that a batch gains nothing.
  CHECK(found.front().enough == 1);
  // 40 in flight are 10 for each of four: a limit of 19 is below twice that, one of 20 is not.
  Scenario limited = joining(40);
  its_model(limited).max_batch_size = 19;
  CHECK(starving_queues(limited).empty());
  its_model(limited).max_batch_size = 20;
  CHECK(starving_queues(limited).size() == 1);
}

TEST_CASE("each of the three ways out that are named keeps devices from starving") {
  Scenario preferred = joining(40);
  its_model(preferred).preferred_batch_size = {starving_queues(preferred).front().enough};
  CHECK(starving_queues(preferred).empty());
  Scenario ahead = joining(40);
  its_model(ahead).forming = BatchForming::ahead;
  CHECK(starving_queues(ahead).empty());
  Scenario apart = joining(40);
  apart.servers.front().devices.dispatch = DeviceDispatch::per_device_queue;
  CHECK(starving_queues(apart).empty());
}

TEST_CASE("devices do not starve where one alone would do, where none share, and where batches cost nothing more") {
  // One device serves a request a second, and an event takes 11 s: ten jobs keep it from being busy all the time.
  CHECK(starving_queues(joining(10)).empty());
  CHECK(starving_queues(joining(12)).size() == 1);
  Scenario alone = joining(40);
  alone.servers.front().devices.count = 1;
  CHECK(starving_queues(alone).empty());
  Scenario flat = joining(400);
  its_model(flat).service.begin()->second.per_batch = ConstantTime{Seconds{1000}};
  CHECK(starving_queues(flat).empty());
}

namespace {

/// A run of it whose devices were busy for such a share, with batches of so many requests.
Results run_of(const System& system, double busy, std::uint32_t batch) {
  Results results;
  results.all_jobs["slowdown"] = {.mean = 1.5, .low = 1.4, .high = 1.6};
  results.resources.emplace_back();
  results.resources.back().name = system.network.resources.front().name;
  results.resources.back()["busy_fraction"] = {.mean = busy, .low = busy, .high = busy};
  results.models.emplace_back();
  results.models.back().name = system.scenario.models.begin()->first;
  results.models.back().batches = {{1, 100}, {batch, 100}};
  return results;
}

}  // namespace

TEST_CASE("a run names devices that were idle while items lay in batches of a request for each device") {
  const System system(joining(40));
  // Of 100 batches of one item and 100 of 20, an item is in one of (100 + 100·20²)/(100 + 2000) = 19.1 on average.
  CHECK(starved_queues(system, run_of(system, 0.5, 20)).size() == 1);
  CHECK(starved_queues(system, run_of(system, 0.95, 20)).empty());
  // (100 + 100·9)/(100 + 300) = 2.5, less than the four devices.
  CHECK(starved_queues(system, run_of(system, 0.5, 3)).empty());
}

TEST_CASE("a plan of devices that can starve tries a burst, and answers by the worse of two regimes") {
  // Orderly, the bound; after a burst three devices starve, as if there were one.
  const auto starts_of = [](bool bistable) {
    const Evaluate evaluate = evaluate_by({.slowdown = [bistable](const Scenario& scenario) {
      const bool burst = scenario.jobs.front().start == JobStart::random && scenario.jobs.front().start_over;
      Scenario asked = scenario;
      if (bistable && burst) asked.servers.front().devices.count = 1;
      return bound_slowdown(asked);
    }});
    PlanQuestion question;
    question.how_many_gpus = false;
    return make_plan(joining(40), question, evaluate).answer;
  };
  const PlanAnswer one = starts_of(false);
  REQUIRE(one.starts);
  CHECK_FALSE(one.starts->differ);
  // Four devices of 1 s and a cycle of 11 s: 44 jobs.
  CHECK(one.streams_per_gpu == 11);
  CHECK(one.starts->clients == 44);
  const PlanAnswer two = starts_of(true);
  REQUIRE(two.starts);
  CHECK(two.starts->differ);
  CHECK(two.starts->burst_s.mean == doctest::Approx(4.0 * two.starts->orderly_s.mean).epsilon(0.02));
  // 1.01·11 jobs for all four.
  CHECK(two.within_slowdown == doctest::Approx(1.01 * 11.0 / 4.0).epsilon(0.02));
  CHECK(two.streams_per_gpu == 2);
}
