#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

/// Chains of models, several nodes, and how requests reach them.
using namespace saturn;
using namespace saturn::tests;

namespace {

double event_time(const RunOutcome& outcome) {
  return outcome.jobs.front().event_time.mean_s;
}

/// Exa.TrkX's shape: steps of 0.5, 1.25 and 0.25 s that one device executes one after the other.
Scenario chain(std::uint64_t clients) {
  Scenario scenario = busy_clients(clients, affine(0.5, 0.0));
  scenario.models["a"] = model_of(scenario);
  scenario.models.erase("model");
  scenario.models["b"] = scenario.models["a"];
  scenario.models["b"].service["device"] = affine(1.25, 0.0);
  scenario.models["c"] = scenario.models["a"];
  scenario.models["c"].service["device"] = affine(0.25, 0.0);
  scenario.models["pipeline"].ensemble = {"a", "b", "c"};
  server_of(scenario).models = {"a", "b", "c", "pipeline"};
  call_of(scenario).model = "pipeline";
  return scenario;
}

/// The same work as three calls of the client.
Scenario separate(Scenario scenario) {
  std::vector<Stage> calls;
  for (const char* step : {"a", "b", "c"}) {
    calls.push_back(call_of(scenario));
    std::get<InferStage>(calls.back()).model = step;
  }
  scenario.jobs.front().event = calls;
  return scenario;
}

const ModelOutcome& model_named(const RunOutcome& outcome, const std::string& name) {
  return *std::find_if(outcome.models.begin(), outcome.models.end(),
                       [&](const ModelOutcome& model) { return model.name == name; });
}

}  // namespace

TEST_CASE("a chain of constant steps takes the sum of its steps alone, and their rate together when saturated") {
  const RunOutcome alone = simulate_forked(chain(1));
  check_all_laws(alone);
  CHECK(event_time(alone) == doctest::Approx(2.0).epsilon(1e-12));
  CHECK(model_named(alone, "pipeline").compute_s == doctest::Approx(2.0).epsilon(1e-12));
  CHECK(model_named(alone, "b").latency.mean_s == doctest::Approx(1.25).epsilon(1e-12));
  const RunOutcome saturated = simulate_forked(chain(6));
  check_all_laws(saturated);
  CHECK(event_time(saturated) == doctest::Approx(6 * 2.0).epsilon(1e-6));
}

TEST_CASE("a chain on instances that only their host parts keep busy has the rate of its slowest step") {
  Scenario scenario = chain(8);
  scenario.run.cycles = 200;
  for (auto& [name, model] : scenario.models)
    for (auto& [type, law] : model.service) law.host.per_batch = mean(law, 1.0) - Seconds{1e-6};
  const RunOutcome outcome = simulate_forked(scenario);
  check_all_laws(outcome);
  CHECK(event_time(outcome) == doctest::Approx(8 * 1.25).epsilon(1e-4));
}

TEST_CASE("an ensemble equals its steps called one by one when the network costs nothing") {
  for (const std::uint64_t clients : {1u, 2u, 5u}) {
    CAPTURE(clients);
    for (const bool random : {false, true}) {
      Scenario scenario = chain(clients);
      if (random) scenario.models["b"].service["device"] = exponential(1.25);
      const RunOutcome chained = simulate_forked(scenario);
      const RunOutcome one_by_one = simulate_forked(separate(scenario));
      CHECK(event_time(chained) == event_time(one_by_one));
      for (const char* step : {"a", "b", "c"})
        CHECK(model_named(chained, step).latency.mean_s ==
              doctest::Approx(model_named(one_by_one, step).latency.mean_s).epsilon(1e-12));
    }
  }
}

TEST_CASE("an ensemble of one step counts the step's requests") {
  Scenario scenario = chain(3);
  scenario.models["pipeline"].ensemble = {"b"};
  const RunOutcome outcome = simulate_forked(scenario);
  CHECK(model_named(outcome, "b").requests_per_s == doctest::Approx(1 / 1.25).epsilon(0.02));
  CHECK(model_named(outcome, "pipeline").requests_per_s == doctest::Approx(1 / 1.25).epsilon(0.02));
  CHECK(model_named(outcome, "b").latency.mean_s == model_named(outcome, "pipeline").latency.mean_s);
}

TEST_CASE("jobs that are pinned to nodes at random get an equal part of their own node, round robin pins evenly") {
  for (const Dispatch dispatch : {Dispatch::random, Dispatch::round_robin}) {
    std::uint64_t uneven = 0;
    for (std::uint32_t replica = 0; replica < 6; ++replica) {
      Scenario scenario = busy_clients(1, affine(1.0, 0.0));
      scenario.run.cycles = 400;
      for (int job = 1; job < 6; ++job) {
        scenario.jobs.push_back(scenario.jobs.front());
        scenario.jobs.back().name = "job" + std::to_string(job);
      }
      server_of(scenario).nodes = 2;
      server_of(scenario).balancing = Balancing::per_connection;
      server_of(scenario).dispatch = dispatch;
      const RunOutcome outcome = simulate_forked(scenario, replica);
      check_all_laws(outcome);
      // A job on a node of n jobs has a share of 1/n; so n of them have it, or all six when both nodes have three.
      std::vector<std::uint64_t> jobs_of_share(7, 0);
      for (const JobsOutcome& job : outcome.jobs) {
        const double sharing = 1.0 / job.events_per_s;
        CHECK(sharing == doctest::Approx(std::round(sharing)).epsilon(0.02));
        ++jobs_of_share.at(static_cast<std::size_t>(std::round(sharing)));
      }
      for (std::uint64_t n = 1; n <= 6; ++n)
        if (jobs_of_share[n] > 0) CHECK(jobs_of_share[n] == (n == 3 ? 6 : n));
      if (jobs_of_share[3] == 0) ++uneven;
    }
    CHECK((uneven > 0) == (dispatch == Dispatch::random));
  }
}

TEST_CASE("nodes with a central queue equal one node with all their devices to the last bit") {
  Scenario scenario = simple_loop({.clients = 20, .think = ExponentialTime{Seconds{3.0}}, .start = JobStart::random});
  model_of(scenario).service["device"] = exponential(1.0);
  model_of(scenario).dynamic_batching = true;
  model_of(scenario).max_batch_size = 2;
  server_of(scenario).host = HostStage{.per_request = Seconds{0.1}, .per_item = Seconds{0.0}, .workers = 3.0};
  server_of(scenario).devices.count = 6;
  const std::string together = to_bytes(simulate_forked(scenario));
  server_of(scenario).host->workers = 1.0;
  server_of(scenario).devices.count = 2;
  server_of(scenario).nodes = 3;
  CHECK(to_bytes(simulate_forked(scenario)) != together);
  server_of(scenario).balancing = Balancing::central_queue;
  CHECK(to_bytes(simulate_forked(scenario)) == together);
}

TEST_CASE("the network of a node is used by the requests that go there, also from a central queue's side") {
  Scenario scenario = busy_clients(4, affine(1.0, 0.0));
  server_of(scenario).site = "there";
  server_of(scenario).nodes = 2;
  scenario.links.push_back({"here", "there", Bandwidth{1e9}, Seconds{0.5}, {}});
  for (const Balancing balancing : {Balancing::per_request, Balancing::per_connection, Balancing::central_queue}) {
    server_of(scenario).balancing = balancing;
    const RunOutcome outcome = simulate_forked(scenario);
    check_all_laws(outcome);
    // Two clients a node that takes 1 s each: the round trip of one hides behind the other's service.
    CHECK(event_time(outcome) == doctest::Approx(2.0).epsilon(1e-6));
    const ModelOutcome& model = outcome.models.front();
    CHECK(model.send_s + model.receive_s == doctest::Approx(0.5).epsilon(1e-9));
    CHECK(model.queue_s == doctest::Approx(0.5).epsilon(1e-6));
  }
}

TEST_CASE("drawn times of whole batches, and a host's, do not set off the check of the bounds") {
  for (std::uint32_t replica = 0; replica < 12; ++replica) {
    Scenario scenario = busy_clients(128, exponential(1.0));
    model_of(scenario).dynamic_batching = true;
    model_of(scenario).max_batch_size = 64;
    check_all_laws(simulate_forked(scenario, replica));
    scenario = busy_clients(1, affine(0.01, 0.0));
    server_of(scenario).host =
        HostStage{.per_request = Seconds{1.0}, .per_item = Seconds{0.0}, .workers = 1.0, .scatter = 1.0};
    check_all_laws(simulate_forked(scenario, replica));
  }
}
