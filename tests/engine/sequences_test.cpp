#include <doctest/doctest.h>

#include <cstdint>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

/// Stateful models: sequences that hold a slot of one instance.

namespace {

void keep_state(Scenario& scenario, std::uint64_t slots, SequenceStrategy strategy = SequenceStrategy::oldest) {
  Model& model = model_of(scenario);
  model.sequence_batching = SequenceBatching{.strategy = strategy, .candidates = {}, .max_idle = Seconds{1e6}};
  if (strategy == SequenceStrategy::oldest)
    model.sequence_batching->candidates = slots;
  else
    model.max_batch_size = slots;
}

/// Sequences of so many requests an event.
void of_events(Scenario& scenario, std::uint64_t requests) {
  call_of(scenario).items = requests;
  call_of(scenario).request_batch = 1;
  call_of(scenario).sequence = SequenceScope::event;
}

double bound_per_s(const Scenario& scenario) {
  return asymptotic_bounds(closed_network(scenario)).events_per_s;
}

}  // namespace

TEST_CASE("sequences of one request at instances with one slot are an ordinary queue, to the last bit") {
  Scenario scenario = simple_loop({.clients = 12,
                                   .devices = 3,
                                   .think = ExponentialTime{Seconds{2.0}},
                                   .service = ExponentialTime{Seconds{1.0}},
                                   .start = JobStart::random});
  const RunOutcome plain = lawful_run(scenario);
  keep_state(scenario, 1);
  of_events(scenario, 1);
  const RunOutcome kept = lawful_run(scenario);
  CHECK(event_time_of(kept) == event_time_of(plain));
  CHECK(kept.models.front().latency.mean_s == plain.models.front().latency.mean_s);
}

TEST_CASE("an instance waits for its sequences: the way between their requests is lost where slots are few") {
  Scenario scenario = busy_clients(10, affine(1.0, 0.0));
  const std::string site = server_of(scenario).site;
  scenario.links = {{site, site, Bandwidth{1e12}, Seconds{0.5}, {}}};
  of_events(scenario, 3);
  keep_state(scenario, 1);
  // Three executions and two ways there and back: 4 s, during which the slot is nobody else's.
  CHECK(bound_per_s(scenario) == doctest::Approx(1.0 / 4.0).epsilon(1e-6));
  CHECK(lawful_run(scenario).jobs.front().events_per_s == doctest::Approx(1.0 / 4.0).epsilon(1e-3));
  // What the client takes for each request it takes before it sends it: 6 s between the executions, 9 s in all.
  call_of(scenario).client_cost.per_request = Seconds{2.5};
  CHECK(bound_per_s(scenario) == doctest::Approx(1.0 / 9.0).epsilon(1e-6));
  CHECK(lawful_run(scenario).jobs.front().events_per_s == doctest::Approx(1.0 / 9.0).epsilon(1e-3));
  call_of(scenario).client_cost.per_request = Seconds{};
  keep_state(scenario, 2);
  CHECK(lawful_run(scenario).jobs.front().events_per_s == doctest::Approx(1.0 / 3.0).epsilon(1e-3));
}

TEST_CASE(
    "with a node for each sequence, a node that comes back gets its share, which kept connections never give it") {
  Scenario scenario = busy_clients(6, affine(0.1, 0.0));
  server_of(scenario).nodes = 2;
  server_of(scenario).dispatch = Dispatch::least_outstanding;
  keep_state(scenario, 2);
  of_events(scenario, 3);
  scenario.run.horizon = Seconds{100.0};
  const auto rate = [&](Balancing balancing) {
    server_of(scenario).balancing = balancing;
    return lawful_run(scenario).jobs.front().events_per_s;
  };
  // All slots of both nodes are always held: whoever chooses, two devices work without a pause.
  const double whole = rate(Balancing::per_sequence);
  CHECK(whole == doctest::Approx(2.0 / 0.3).epsilon(0.01));
  CHECK(rate(Balancing::per_connection) == doctest::Approx(whole).epsilon(0.01));
  scenario.outages = {{.server = server_of(scenario).name, .nodes = 1, .from = Seconds{20.0}, .length = Seconds{20.0}}};
  CHECK(rate(Balancing::per_sequence) == doctest::Approx(0.9 * whole).epsilon(0.02));
  CHECK(rate(Balancing::per_connection) == doctest::Approx(0.6 * whole).epsilon(0.02));
}

TEST_CASE("a job holds its slot from its first request to its end, and the next sequence waits so long") {
  Scenario scenario = simple_loop({.clients = 2, .think = ConstantTime{Seconds{1.0}}});
  scenario.jobs.front().events_per_job = 5;
  keep_state(scenario, 1);
  // One execution, four events of 2 s: while the next job waits, it has computed its first event already.
  CHECK(bound_per_s(scenario) == doctest::Approx(5.0 / 9.0).epsilon(1e-9));
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(outcome.jobs.front().events_per_s == doctest::Approx(5.0 / 9.0).epsilon(1e-3));
  const ResourceOutcome& slots = resource_of(outcome, "server sequence slots of model");
  CHECK(slots.busy_fraction == doctest::Approx(1.0).epsilon(1e-3));
}

TEST_CASE("sequences keep to their devices, each of which is a queue of its own: exact mean value analysis") {
  Scenario scenario = simple_loop({.clients = 12,
                                   .devices = 2,
                                   .think = ExponentialTime{Seconds{6.0}},
                                   .service = ExponentialTime{Seconds{1.0}},
                                   .start = JobStart::random,
                                   .cycles = 2000});
  keep_state(scenario, 8);
  const MvaPoint exact = exact_mva({{1.0, 1.0}}, 6.0, 6);
  check_intervals(scenario, 8, exact.event_time_s, 2.0 * exact.events_per_s);
}

TEST_CASE("by the direct strategy empty rows are executed up to the last one in use, by the oldest none is") {
  // The first stream holds the first row and computes; the second one's requests have the second row.
  for (const bool direct : {true, false}) {
    CAPTURE(direct);
    Scenario scenario = busy_clients(1, affine(1.0, 0.5));
    scenario.jobs.push_back(scenario.jobs.front());
    scenario.jobs.front().name = "rare";
    scenario.jobs.front().event.insert(scenario.jobs.front().event.begin() + 1,
                                       CpuStage{"cpu", ConstantTime{Seconds{400.0}}, {}});
    keep_state(scenario, 4, direct ? SequenceStrategy::direct : SequenceStrategy::oldest);
    model_of(scenario).max_batch_size = 4;
    const RunOutcome outcome = lawful_run(scenario);
    CHECK(outcome.jobs.back().event_time.mean_s == doctest::Approx(direct ? 2.0 : 1.5).epsilon(0.01));
  }
}

TEST_CASE("requests of several sequences share a batch, and never two of one") {
  Scenario scenario = busy_clients(6, affine(1.0, 0.0));
  keep_state(scenario, 4);
  model_of(scenario).max_batch_size = 8;
  model_of(scenario).preferred_batch_size = {4};
  model_of(scenario).max_queue_delay = Seconds{10.0};
  of_events(scenario, 2);
  const RunOutcome outcome = lawful_run(scenario);
  // Four sequences hold the slots, each with one request in every batch.
  CHECK(outcome.models.front().requests_per_s == doctest::Approx(4.0).epsilon(0.01));
  CHECK(outcome.models.front().batches.rbegin()->first == 4);
}

TEST_CASE("jobs keep their slots also beside streams whose sequences end with every event") {
  Scenario scenario = simple_loop({.clients = 2, .think = ConstantTime{Seconds{1.0}}});
  scenario.jobs.front().events_per_job = 5;
  keep_state(scenario, 1);
  scenario.models["other"] = model_of(scenario);
  scenario.servers.push_back(server_of(scenario));
  scenario.servers.back().name = "other server";
  scenario.servers.back().models = {"other"};
  scenario.jobs.push_back(scenario.jobs.front());
  scenario.jobs.back().name = "of events";
  scenario.jobs.back().events_per_job.reset();
  call_of(scenario, 1).model = "other";
  call_of(scenario, 1).sequence = SequenceScope::event;
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(outcome.jobs.front().events_per_s == doctest::Approx(5.0 / 9.0).epsilon(1e-3));
  CHECK(outcome.jobs.back().events_per_s == doctest::Approx(1.0).epsilon(1e-3));
}

TEST_CASE("streams that never get a slot are in the event time: it is that of all, over the rate of those that have") {
  Scenario scenario = simple_loop({.clients = 5, .think = ConstantTime{Seconds{3.0}}});
  keep_state(scenario, 2);
  // Two streams of 4 s an event, or a little more while they meet; the other three wait for ever.
  const RunOutcome outcome = lawful_run(scenario);
  CHECK(outcome.jobs.front().events_per_s == doctest::Approx(0.5).epsilon(0.02));
  CHECK(event_time_of(outcome) == doctest::Approx(5.0 / outcome.jobs.front().events_per_s).epsilon(1e-6));
}

TEST_CASE("where some streams never end an event, the stages still add up to its time, whatever is drawn") {
  Scenario scenario = simple_loop({.clients = 5,
                                   .think = ExponentialTime{Seconds{3.0}},
                                   .service = ExponentialTime{Seconds{1.0}},
                                   .start = JobStart::random,
                                   .cycles = 200});
  keep_state(scenario, 2);
  const JobsOutcome jobs = lawful_run(scenario).jobs.front();
  double stages_s = 0.0;
  for (const StageOutcome& stage : jobs.stages) stages_s += stage.mean_s;
  CHECK(jobs.event_time.mean_s == doctest::Approx(5.0 / jobs.events_per_s).epsilon(1e-6));
  CHECK(stages_s == doctest::Approx(jobs.event_time.mean_s).epsilon(1e-6));
  CHECK(jobs.stages.front().mean_s == doctest::Approx(3.0).epsilon(0.05));
}

TEST_CASE("sequences of a lost node begin anew elsewhere, and those that waited for its slots are answered") {
  Scenario scenario = busy_clients(6, affine(0.1, 0.0));
  server_of(scenario).nodes = 2;
  server_of(scenario).balancing = Balancing::per_connection;
  keep_state(scenario, 2);
  of_events(scenario, 3);
  scenario.run.horizon = Seconds{20.0};
  const double whole = lawful_run(scenario).jobs.front().events_per_s;
  scenario.outages = {{.server = server_of(scenario).name, .nodes = 1, .from = Seconds{5.0}, .length = Seconds{3.0}}};
  // Both slots of each node are always held, and all connections stay with the node that was left.
  CHECK(lawful_run(scenario).jobs.front().events_per_s == doctest::Approx(0.625 * whole).epsilon(0.03));
}
