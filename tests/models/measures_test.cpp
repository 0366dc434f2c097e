#include "models/results/measures.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>

#include "models/results/results.hpp"

using namespace saturn;

TEST_CASE("every number has a key of its own among those of its subject, words, and a way to be taken from a run") {
  std::set<std::pair<Subject, std::string>> keys;
  std::set<std::string_view> required;
  for (const Measure& one : measures::table) {
    CAPTURE(one.key());
    CHECK(keys.emplace(one.subject, one.key()).second);
    CHECK(one.has_key(one.key()));
    CHECK_FALSE(one.words.empty());
    if (one.required) CHECK(required.insert(one.name).second);
    if (one.required) CHECK(one.better != Better::neither);
    CHECK((one.of != nullptr) == (one.subject != Subject::candidate));
    CHECK((one.objective > 0) == !one.objective_name.empty());
  }
}

TEST_CASE("a quantity is found by its key at compile time, in the slot that the table gives it") {
  constexpr Key<Subject::model> queue("queue_s");
  static_assert(queue.id()->name == "queue");
  static_assert(queue.id()->subject == Subject::model);
  static_assert(measure("latency_p99")->has_key("latency_p99_s"));
  static_assert(!find_measure("queue"));
  ModelResults model;
  model.set("queue_s", {.mean = 3.0});
  int found = 0;
  model.each([&](const Measure& one, const Estimate& estimate) {
    if (estimate.mean == 3.0) CHECK(one.has_key("queue_s"));
    if (estimate.mean == 3.0) ++found;
  });
  CHECK(found == 1);
  CHECK(std::as_const(model).find("batch_items") == nullptr);
  CHECK_THROWS_AS(std::as_const(model)["batch_items"], std::logic_error);
}

TEST_CASE("the energy of an event is the power over the rate of all pools, and there is none of an unknown power") {
  RunOutcome run;
  run.jobs.resize(2);
  run.jobs[0].events_per_s = 0.9;
  run.jobs[1].events_per_s = 0.1;
  const std::vector<RunOutcome> unknown{run, run};
  CHECK(summarise(unknown, 0.95).run.find("energy_per_event_j") == nullptr);
  run.power_w = 700.0;
  const std::vector<RunOutcome> known{run, run};
  CHECK(summarise(known, 0.95).run["energy_per_event_j"].mean == doctest::Approx(700.0));
}

TEST_CASE("the energy of an event is known as well as the rate of events, which the streams give, too") {
  RunOutcome run;
  run.warm_up.window_s = 1000.0;
  run.jobs.resize(1);
  run.jobs[0].clients = 10.0;
  run.jobs[0].events_per_s = 1.0;
  run.jobs[0].event_time = {.count = 1000, .mean_s = 10.05};
  run.power_w = 700.0;
  std::vector<RunOutcome> runs{run, run};
  runs[0].jobs[0].events_per_s = 1.00001;
  runs[1].jobs[0].events_per_s = 0.99999;
  const Results results = summarise(runs, 0.95);
  const Estimate rate = results.all_jobs["events_per_s"];
  const Estimate energy = results.run["energy_per_event_j"];
  CHECK(rate.low == doctest::Approx(10.0 / 10.05));
  CHECK(energy.high == doctest::Approx(700.0 / rate.low).epsilon(1e-3));
  CHECK(energy.low == doctest::Approx(700.0 / rate.high).epsilon(1e-3));
}
