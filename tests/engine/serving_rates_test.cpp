#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"
#include "scenarios/demands/demands.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

/// What holds for every server there can be, on short runs of drawn ones.

namespace {

void expect_sound(const Scenario& scenario, const ModelOutcome& outcome) {
  const Model& model = scenario.models.at(outcome.name);
  std::uint64_t batches = 0;
  for (const auto& [items, number] : outcome.batches) {
    RC_ASSERT(items >= 1u);
    RC_ASSERT(items <= model.max_batch_size);
    batches += number;
  }
  std::uint64_t reasons = 0;
  for (const std::uint64_t number : outcome.sent_because) reasons += number;
  RC_ASSERT(reasons == batches);
  if (!joins_requests(model)) RC_ASSERT(outcome.sent_because[0] == batches);
  if (outcome.latency.count == 0) return;
  const double parts = outcome.send_s + outcome.host_s + outcome.queue_s + outcome.compute_s + outcome.receive_s;
  RC_ASSERT(std::abs(parts - outcome.latency.mean_s) <= 1e-9 * outcome.latency.mean_s);
  const double rounding_error = 1e-9 * outcome.latency.mean_s;
  RC_ASSERT(outcome.fill_s >= -rounding_error);
  RC_ASSERT(outcome.fill_s <= outcome.queue_s + rounding_error);
  RC_ASSERT(outcome.device_wait_s >= 0.0);
  RC_ASSERT(outcome.device_wait_s <= outcome.compute_s + rounding_error);
  RC_ASSERT(outcome.latency.p50_s <= outcome.latency.p95_s + rounding_error);
  RC_ASSERT(outcome.latency.p95_s <= outcome.latency.p99_s + rounding_error);
  RC_ASSERT(outcome.latency.p99_s <= outcome.latency.max_s + rounding_error);
}

}  // namespace

TEST_CASE("every drawn server obeys the laws of every run, and its times and batches add up" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check("laws", [] {
    const Scenario scenario = any_serving_scenario();
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> outcome = outcome_of(scenario, short_run(scenario));
    RC_PRE(outcome.has_value());
    expect_lawful(*outcome);
    for (const ModelOutcome& model : outcome->models) expect_sound(scenario, model);
  }));
}

TEST_CASE("a drawn server gives the same bytes again, also handed event by event through SimGrid's engine" *
          doctest::test_suite("release")) {
  CHECK(rc::check("same bytes", [] {
    const Scenario scenario = any_serving_scenario();
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> drained = outcome_of(scenario, short_run(scenario, 150.0));
    RC_PRE(drained.has_value());
    RC_ASSERT(to_bytes(*outcome_of(scenario, short_run(scenario, 150.0, false))) == to_bytes(*drained));
  }));
}

TEST_CASE("no event costs a resource less than the bounds assume, whatever batches the server forms" *
          doctest::test_suite("release")) {
  CHECK(rc::check("demands", [] {
    Scenario scenario = any_serving_scenario({.random_times = false, .refusals = false, .several_pools = false});
    // With interference the demand is that of devices which are all busy; fewer cost less.
    server_of(scenario).devices.interference = 0.0;
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> run = outcome_of(scenario, short_run(scenario));
    RC_PRE(run.has_value());
    const RunOutcome& outcome = *run;
    expect_lawful(outcome);
    // Several servers share the requests by a rule; the demand is then an average that a balancer need not keep to.
    if (scenario.servers.size() > 1) return;
    const ClosedNetwork network = closed_network(scenario);
    const Matrix least = demands(network);
    const auto events = static_cast<double>(outcome.jobs.front().event_time.count);
    const double edges = 2.0 * network.classes.front().clients / events;
    for (std::size_t r = 0; r < outcome.resources.size(); ++r) {
      RC_LOG() << outcome.resources[r].name << " " << outcome.resources[r].demand_s_per_event << " least "
               << least(0, r) << std::endl;
      RC_ASSERT(outcome.resources[r].demand_s_per_event >= least(0, r) * (1 - edges - 1e-6));
    }
  }));
}

/// Rates of servers that are always busy, against arithmetic by hand.

namespace {

/// All calls of the window, up to those that happen to be on either side of its edges.
void check_rate(const Scenario& scenario, double calls_per_s) {
  const RunOutcome outcome = lawful_run(scenario);
  double calls = 0.0;
  double clients = 0.0;
  for (const JobsOutcome& jobs : outcome.jobs) {
    calls += static_cast<double>(jobs.event_time.count);
    clients += jobs.clients;
  }
  const double expected = calls_per_s * outcome.warm_up.window_s;
  CAPTURE(calls);
  CAPTURE(expected);
  CHECK(expected > 100.0 * clients);
  CHECK(std::abs(calls - expected) <= clients + 1e-6 * expected);
}

Scenario busy(std::uint64_t clients, const ServiceLaw& law) {
  Scenario scenario = busy_clients(clients, law);
  scenario.run.cycles = 1000;
  return scenario;
}

Scenario batching(std::uint64_t clients, const ServiceLaw& law, std::uint64_t max_batch_size) {
  Scenario scenario = busy(clients, law);
  model_of(scenario).dynamic_batching = true;
  model_of(scenario).max_batch_size = max_batch_size;
  return scenario;
}

/// GPUNet's offline times on an A100 (NVIDIA DeepLearningExamples) [ms].
ServiceLaw gpunet() {
  return through({{1, 1.37e-3}, {2, 1.61e-3}, {4, 2.17e-3}, {8, 3.31e-3}});
}

}  // namespace

TEST_CASE("a saturated batcher's rate is the largest b/T(b) when the largest batch is the best, within 0.5 %") {
  struct Case {
    ServiceLaw law;
    double best_s_per_item;
  };
  const std::vector<Case> cases = {
      {affine(0.01, 0.001), (0.01 + 16 * 0.001) / 16},
      {affine(0.0, 0.002), 0.002},
      {through({{1, 0.010}, {4, 0.012}, {8, 0.020}, {16, 0.026}}), 0.026 / 16},
  };
  for (const Case& c : cases) {
    for (const double scatter : {0.0, 0.2}) {
      for (const double delay_s : {0.0, 0.004}) {
        CAPTURE(scatter);
        CAPTURE(delay_s);
        Scenario scenario = batching(100, c.law, 16);
        model_of(scenario).service["device"].scatter = scatter;
        model_of(scenario).max_queue_delay = Seconds{delay_s};
        // Drawn times need enough batches: 100 clients, 3000 events each, 16 a batch.
        scenario.run.cycles = scatter > 0.0 ? 3000 : 300;
        const double rate = simulate_forked(scenario).models.front().items_per_s;
        CHECK(rate == doctest::Approx(1.0 / c.best_s_per_item).epsilon(0.005));
      }
    }
  }
}

TEST_CASE("clients in a closed loop round one instance make two batches in turn, as nnU-Net's do") {
  // nnU-Net's offline times on an A100 (NVIDIA DeepLearningExamples), and batches of three between them.
  const double t[] = {0.0, 0.03829, 0.052859, (0.052859 + 0.081738) / 2, 0.081738};
  const ServiceLaw law = through({{1, t[1]}, {2, t[2]}, {4, t[4]}});
  for (std::uint64_t clients = 3; clients <= 8; ++clients) {
    CAPTURE(clients);
    // The first to come is taken alone. From then on all who wait are taken, four at most, and the rest wait on.
    const std::uint64_t one = std::min<std::uint64_t>(4, clients - 1);
    const std::uint64_t other = clients - one;
    check_rate(batching(clients, law, 4), static_cast<double>(clients) / (t[one] + t[other]));
  }
}

TEST_CASE("every request that joins a batch adds its time to it, the first of a batch none") {
  constexpr double joining_s = 0.004;
  ServiceLaw law = affine(0.02, 0.001);
  law.per_request = Seconds{joining_s};
  for (std::uint64_t clients = 3; clients <= 8; ++clients) {
    CAPTURE(clients);
    // Two batches in turn, one of them of a single request.
    const double pair_s = 2 * 0.02 + static_cast<double>(clients) * 0.001;
    check_rate(batching(clients, law, 16),
               static_cast<double>(clients) / (pair_s + static_cast<double>(clients - 2) * joining_s));
    // Without batches nobody joins.
    check_rate(busy(clients, law), 1 / 0.021);
    // Of two instances one copies while the other has the device: three groups of clients, and only the device counts.
    Scenario two = batching(3 * clients, law, 64);
    model_of(two).instances = 2;
    model_of(two).service["device"].per_request = Seconds{0.0005};
    check_rate(two, static_cast<double>(3 * clients) / (3 * 0.02 + static_cast<double>(3 * clients) * 0.001));
  }
}

TEST_CASE("where each request is one item, the time of a joining one is a part of the time per item" *
          doctest::test_suite("release")) {
  CHECK(rc::check("joining", [] {
    // Computing clients meet at random, so that no two events have one date.
    Scenario joining = batching(*rc::gen::inRange<std::uint64_t>(2, 20), affine(0.01, 0.002), 8);
    joining.run.cycles = 60;
    joining.jobs.front().event.insert(joining.jobs.front().event.begin(),
                                      CpuStage{.label = "cpu", .time = ExponentialTime{Seconds{0.05}}});
    model_of(joining).instances = *rc::gen::inRange<std::uint64_t>(1, 4);
    model_of(joining).service["device"].turns = *rc::gen::inRange<std::uint64_t>(1, 3);
    if (*rc::gen::arbitrary<bool>()) server_of(joining).batch_workers = 1.0;
    Scenario per_item = joining;
    constexpr double joining_s = 0.003;
    ServiceLaw& law = model_of(joining).service["device"];
    law.per_request = Seconds{joining_s};
    law.host.per_batch = Seconds{0.004};
    ServiceLaw& same = model_of(per_item).service["device"];
    same.per_batch = ConstantTime{Seconds{0.01 - joining_s}};
    same.per_item = ConstantTime{Seconds{0.002 + joining_s}};
    same.host = {.per_batch = Seconds{0.004 - joining_s}, .per_item = Seconds{joining_s}};
    const Matrix least = demands(closed_network(joining));
    const Matrix as_items = demands(closed_network(per_item));
    for (std::size_t r = 0; r < least.columns(); ++r) RC_ASSERT(std::abs(least(0, r) - as_items(0, r)) <= 1e-12);
    const RunOutcome with = lawful_run(joining);
    const RunOutcome without = lawful_run(per_item);
    RC_ASSERT(std::abs(with.models.front().latency.mean_s - without.models.front().latency.mean_s) <= 1e-9);
    RC_ASSERT(std::abs(with.models.front().compute_s - without.models.front().compute_s) <= 1e-9);
  }));
}

TEST_CASE(
    "batches formed ahead stay as small as they came, batches for idle instances do not: GPUNet with few clients") {
  const double t1 = 1.37e-3;
  const double t2 = 1.61e-3;
  const double t5 = (3 * 2.17e-3 + 3.31e-3) / 4;
  const double t6 = (2.17e-3 + 3.31e-3) / 2;
  struct Case {
    std::uint64_t clients;
    BatchForming forming;
    double rate;
  };
  // The device takes one batch after the other. Two instances and four places for batches formed ahead hold seven
  // groups of clients, one of them in nobody's hands: seven singles, and with an eighth client a group of two. For idle
  // instances there are three groups, and those who found both instances in use stay together.
  for (const Case& c :
       {Case{7, BatchForming::ahead, 1 / t1}, Case{8, BatchForming::ahead, 8 / (6 * t1 + t2)},
        Case{7, BatchForming::when_idle, 7 / (2 * t1 + t5)}, Case{8, BatchForming::when_idle, 8 / (2 * t1 + t6)}}) {
    CAPTURE(c.clients);
    Scenario scenario = batching(c.clients, gpunet(), 64);
    model_of(scenario).instances = 2;
    model_of(scenario).forming = c.forming;
    check_rate(scenario, c.rate);
  }
}

TEST_CASE("instances that share a device exclusively give one batch a device part, however long their host parts") {
  const double device_s = 0.03;
  for (const double host_s : {0.0, 0.01, 0.03}) {
    for (const std::uint64_t turns : {1u, 2u, 3u}) {
      CAPTURE(host_s);
      CAPTURE(turns);
      Scenario scenario = busy(6, affine(host_s + device_s, 0.0));
      ServiceLaw& law = model_of(scenario).service["device"];
      law.host.per_batch = Seconds{host_s};
      law.turns = turns;
      model_of(scenario).instances = 2;
      check_rate(scenario, 1 / device_s);
      // A host part longer than the device part leaves the device idle: the pair then has no part that waits.
      law.per_batch = ConstantTime{Seconds{0.05 + device_s}};
      law.host.per_batch = Seconds{0.05};
      check_rate(scenario, 2 / (0.05 + device_s));
    }
  }
}

TEST_CASE("processor sharing has the rate of an exclusive device, and contention g takes both down to 1/(1 + g) of it" *
          doctest::test_suite("release")) {
  for (const DeviceSharing sharing : {DeviceSharing::exclusive, DeviceSharing::processor_sharing}) {
    for (const double contention : {0.0, 0.25}) {
      CAPTURE(contention);
      Scenario scenario = busy(7, affine(0.01, 0.01));
      scenario.devices["device"] = {.sharing = sharing, .contention = contention, .price = {}, .power = {}};
      model_of(scenario).instances = 3;
      check_rate(scenario, 1 / (0.02 * (1 + contention)));
      // Nobody contends with an instance that is alone.
      model_of(scenario).instances = 1;
      check_rate(scenario, 1 / 0.02);
    }
  }
}

TEST_CASE("a batch that finds others at its device costs it T(1 + g) + k, however it is shared, sliced or turned to" *
          doctest::test_suite("release")) {
  constexpr double k = 0.004;
  for (const DeviceSharing sharing : {DeviceSharing::exclusive, DeviceSharing::processor_sharing}) {
    for (const double contention : {0.0, 0.25}) {
      for (const std::uint64_t turns : {1u, 2u}) {
        CAPTURE(contention);
        CAPTURE(turns);
        Scenario scenario = busy(7, affine(0.01, 0.01));
        scenario.devices["device"].sharing = sharing;
        scenario.devices["device"].contention = contention;
        scenario.devices["device"].contention_per_batch = Seconds{k};
        model_of(scenario).service["device"].turns = turns;
        model_of(scenario).instances = 3;
        check_rate(scenario, 1 / (0.02 * (1 + contention) + k));
        server_of(scenario).devices.mig = {0.5};
        check_rate(scenario, 0.5 / (0.02 * (1 + contention) + k));
        model_of(scenario).instances = 1;
        check_rate(scenario, 0.5 / 0.02);
      }
    }
  }
}

TEST_CASE("one batch a device: host and device parts follow each other, and what waits is in the queue") {
  constexpr double host_s = 0.01;
  constexpr double device_s = 0.02;
  Scenario scenario = busy(6, affine(host_s + device_s, 0.0));
  model_of(scenario).service["device"].host.per_batch = Seconds{host_s};
  model_of(scenario).instances = 3;
  server_of(scenario).devices.count = 2;
  const auto compute_s = [&] { return simulate_forked(scenario).models.front().compute_s; };
  check_rate(scenario, 2 / device_s);
  // Three instances of each device hold all six requests.
  CHECK(compute_s() == doctest::Approx(6 * device_s / 2));
  model_of(scenario).execution = ExecutionPolicy::one_per_device;
  check_rate(scenario, 2 / (host_s + device_s));
  CHECK(compute_s() == doctest::Approx(host_s + device_s));
}

TEST_CASE("one batch a device is one instance, but for the batches that are formed ahead" *
          doctest::test_suite("release")) {
  CHECK(rc::check("one per device", [] {
    Scenario scenario = any_serving_scenario({.sequences = false});
    for (auto& [name, model] : scenario.models) {
      model.forming = BatchForming::when_idle;
      model.execution = ExecutionPolicy::one_per_device;
    }
    RC_LOG() << described(scenario);
    const std::optional<RunOutcome> outcome = outcome_of(scenario, short_run(scenario, 150.0));
    RC_PRE(outcome.has_value());
    const Replica same = short_run(scenario, 150.0);
    for (auto& [name, model] : scenario.models) {
      model.instances = 1;
      model.execution = ExecutionPolicy::per_instance;
    }
    RC_ASSERT(to_bytes(*outcome_of(scenario, same)) == to_bytes(*outcome));
  }));
  // One batch in hand, four places for batches formed ahead and one group in nobody's hands: six groups, of which a
  // seventh client makes one a pair.
  Scenario ahead = batching(7, gpunet(), 64);
  model_of(ahead).instances = 2;
  model_of(ahead).forming = BatchForming::ahead;
  model_of(ahead).execution = ExecutionPolicy::one_per_device;
  check_rate(ahead, 7 / (5 * 1.37e-3 + 1.61e-3));
}

TEST_CASE("padded batches take the time of the size they are padded to") {
  // Two batches in turn: the first to come alone, and all others.
  for (std::uint64_t clients = 3; clients <= 9; ++clients) {
    CAPTURE(clients);
    Scenario scenario = batching(clients, affine(0.01, 0.002), 8);
    model_of(scenario).service["device"].padded_to = {4.0, 8.0};
    const double others_s = 0.01 + 0.002 * (clients - 1 <= 4 ? 4 : 8);
    check_rate(scenario, static_cast<double>(clients) / (0.01 + 0.002 * 4 + others_s));
  }
}

TEST_CASE("workers that share the host parts of batches give each of them its turn, and copies overlap without them") {
  constexpr double host_s = 0.03;
  constexpr double device_s = 0.005;
  for (const std::uint64_t turns : {1u, 3u}) {
    CAPTURE(turns);
    Scenario scenario = busy(9, affine(host_s + device_s, 0.0));
    model_of(scenario).service["device"].host.per_batch = Seconds{host_s};
    model_of(scenario).service["device"].turns = turns;
    model_of(scenario).instances = 5;
    server_of(scenario).batch_workers = 1.0;
    check_rate(scenario, 1 / host_s);
    server_of(scenario).batch_workers = 2.0;
    check_rate(scenario, 2 / host_s);
    // One for each instance: as if there were no limit.
    server_of(scenario).batch_workers = 5.0;
    const double overlapped = simulate_forked(scenario).models.front().items_per_s;
    server_of(scenario).batch_workers.reset();
    CHECK(simulate_forked(scenario).models.front().items_per_s == doctest::Approx(overlapped).epsilon(1e-9));
    server_of(scenario).batch_workers = 1.0;
    server_of(scenario).nodes = 2;
    server_of(scenario).balancing = Balancing::central_queue;
    check_rate(scenario, 2 / host_s);
  }
}

TEST_CASE("Exa.TrkX on an A100: one worker for the host parts gives the rates of one to five instances within 2 %") {
  // 53.7 events/s of one instance, its GPU busy for 59 % of the time; the saturated rates of 2 to 5 instances were
  // measured. Source: the evaluation of the Exa.TrkX service for CTD 2023, one GPU.
  const double whole_s = 1 / 53.7;
  const double device_s = 0.59 * whole_s;
  const double measured[] = {53.7, 71.1, 78.8, 82.6, 84.3};
  Scenario scenario = busy(20, affine(whole_s, 0.0));
  ServiceLaw& law = model_of(scenario).service["device"];
  law.host.per_batch = Seconds{whole_s - device_s};
  law.scatter = 1.0;
  server_of(scenario).batch_workers = 1.0;
  scenario.run.cycles = 3000;
  for (std::uint64_t instances = 1; instances <= 5; ++instances) {
    CAPTURE(instances);
    model_of(scenario).instances = instances;
    CHECK(simulate_forked(scenario).models.front().items_per_s ==
          doctest::Approx(measured[instances - 1]).epsilon(0.02));
  }
}

TEST_CASE("slices of a device are servers whose device parts take longer by their share, host parts do not") {
  ServiceLaw law = affine(0.03, 0.0);
  law.host.per_batch = Seconds{0.01};
  Scenario scenario = busy(6, law);
  server_of(scenario).devices.mig = {0.5, 0.5};
  check_rate(scenario, 2 / (0.01 + 0.02 / 0.5));
  server_of(scenario).devices.mig = {0.25, 0.5};
  check_rate(scenario, 1 / (0.01 + 0.02 / 0.25) + 1 / (0.01 + 0.02 / 0.5));
  server_of(scenario).devices.mig = {0.5};
  check_rate(scenario, 1 / (0.01 + 0.02 / 0.5));
}

TEST_CASE("n busy devices of a node that interfere do the work of n^(1 - a), whichever way they are shared" *
          doctest::test_suite("release")) {
  for (const DeviceSharing sharing : {DeviceSharing::exclusive, DeviceSharing::processor_sharing}) {
    for (const double exponent : {0.384, 1.0}) {
      for (std::uint64_t clients = 1; clients <= 6; ++clients) {
        CAPTURE(exponent);
        CAPTURE(clients);
        Scenario scenario = busy(clients, affine(0.08757, 0.0));
        scenario.devices["device"].sharing = sharing;
        server_of(scenario).devices = {.type = "device", .count = 4, .mig = {}, .interference = exponent};
        const double active = static_cast<double>(std::min<std::uint64_t>(4, clients));
        check_rate(scenario, std::pow(active, 1 - exponent) / 0.08757);
      }
    }
  }
}

TEST_CASE("the host's workers share the requests they handle, and a central queue has the workers of all its nodes") {
  Scenario scenario = busy(9, affine(1e-4, 0.0));
  server_of(scenario).host = HostStage{.per_request = Seconds{0.02}, .per_item = Seconds{0.01}, .workers = 1.5};
  check_rate(scenario, 1.5 / 0.03);
  server_of(scenario).host->workers = 0.5;
  check_rate(scenario, 0.5 / 0.03);
  server_of(scenario).nodes = 3;
  server_of(scenario).balancing = Balancing::central_queue;
  check_rate(scenario, 3 * 0.5 / 0.03);
}
