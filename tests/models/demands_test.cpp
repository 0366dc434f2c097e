#include "scenarios/demands/demands.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

namespace {

constexpr double gigabit_per_s = 1e9 / 8;
/// Of an event: 32 requests, 55,000 items.
constexpr double device_s = 32 * 4.83e-3 + 55000 * 29.37e-6;

/// ProtoDUNE with big batches on four T4, as shipped: the reference values of docs/models/model.md.
Scenario protodune() {
  return read_scenario_file("protodune-big-batch", {}).scenario;
}

InferStage& call_of(Scenario& s) {
  return std::get<InferStage>(s.jobs[0].event.back());
}

/// 268 jobs of 117 s of CPU time at the site of four exponential devices; each calls them once an event.
Scenario repairmen() {
  Scenario s = protodune();
  s.servers[0].site = "fnal";
  s.links.clear();
  call_of(s).items = call_of(s).request_batch = 1;
  s.models["emtrk"].service["t4"] = {.per_batch = ConstantTime{}, .per_item = ExponentialTime{Seconds{2.0}}};
  return s;
}

}  // namespace

TEST_CASE("a model that batches demands the least T(b)/b of the batches that whole requests can make") {
  // A step that makes nine items dearer by a half: eight are the best of what does not pass it.
  const std::vector<MeasuredPoint> points = {
      {.items = 1, .time = Seconds{1.0}},
      {.items = 8, .time = Seconds{2.0}},
      {.items = 9, .time = Seconds{3.0}},
      {.items = 12, .time = Seconds{3.2}},
  };
  for (const std::uint64_t request : {1u, 2u, 3u, 4u, 5u, 12u}) {
    CAPTURE(request);
    Scenario s = repairmen();
    Model& model = s.models["emtrk"];
    model.max_batch_size = 12;
    model.service["t4"] = {.per_batch = ConstantTime{}, .per_item = ConstantTime{}};
    model.service["t4"].points = points;
    call_of(s).items = call_of(s).request_batch = request;
    CHECK(closed_network(s).work(0, 0) ==
          doctest::Approx(mean(model.service["t4"], static_cast<double>(request)).value));
    model.dynamic_batching = true;
    double best_s = 1e9;
    for (std::uint64_t requests = 1; requests * request <= 12; ++requests)
      best_s = std::min(best_s, mean(model.service["t4"], static_cast<double>(requests * request)).value /
                                    static_cast<double>(requests));
    const double work_s = closed_network(s).work(0, 0);
    // Corners that no whole number of requests reaches may lower the bound, and never raise it.
    CHECK(work_s <= best_s * (1 + 1e-12));
    if (request == 1 || request == 2 || request == 4 || request == 12) CHECK(work_s == doctest::Approx(best_s));
  }
}

TEST_CASE("requests of two sizes may fill a batch together, also through an ensemble, and the bound allows for it") {
  Scenario s = repairmen();
  Model& model = s.models["emtrk"];
  model.max_batch_size = 8;
  model.dynamic_batching = true;
  model.service["t4"] = {.per_batch = ConstantTime{Seconds{8.0}}, .per_item = ConstantTime{}};
  call_of(s).items = call_of(s).request_batch = 5;
  CHECK(closed_network(s).work(0, 0) == doctest::Approx(8.0));
  s.jobs[0].event.emplace_back(call_of(s));
  call_of(s).items = call_of(s).request_batch = 3;
  // An event's 5 and 3 items fill one batch with each other.
  CHECK(closed_network(s).work(0, 0) == doctest::Approx(8.0));
  s.models["chain"].ensemble = {"emtrk"};
  s.servers[0].models.push_back("chain");
  call_of(s).model = "chain";
  CHECK(closed_network(s).work(0, 0) == doctest::Approx(8.0));
}

TEST_CASE("slices, interference and host stages have the units and the work that bound their rates") {
  Scenario s = repairmen();
  s.models["emtrk"].service["t4"] = {.per_batch = ConstantTime{Seconds{3.0}}, .per_item = ConstantTime{}};
  s.models["emtrk"].service["t4"].host.per_batch = Seconds{1.0};
  s.servers[0].devices = {.type = "t4", .count = 4, .mig = {0.25, 0.5}, .interference = 0.5};
  s.servers[0].host = HostStage{.per_request = Seconds{0.5}, .per_item = Seconds{0.25}, .workers = 0.5};
  const ClosedNetwork n = closed_network(s);
  REQUIRE(n.resources.size() == 3);
  CHECK(n.resources[0].units == doctest::Approx(3.0));
  CHECK(n.work(0, 0) == doctest::Approx(2.0 * std::sqrt(4.0)));
  CHECK(n.resources[1].name == "gke host");
  CHECK(n.resources[1].units == doctest::Approx(0.5));
  CHECK(n.work(0, 1) == doctest::Approx(0.75));
  CHECK(n.resources[2].name == "gke instances of emtrk");
  CHECK(n.resources[2].units == doctest::Approx(8.0));
  // Alone: on half a worker, and on the largest slice.
  CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(117.0 + 0.75 / 0.5 + 1.0 + 2.0 / 0.5));
}

TEST_CASE(
    "workers of host parts are a station beside the device unless instances bind, which one batch a device does") {
  Scenario s = repairmen();
  s.models["emtrk"].service["t4"] = {.per_batch = ConstantTime{Seconds{3.0}}, .per_item = ConstantTime{}};
  s.models["emtrk"].service["t4"].host.per_batch = Seconds{1.0};
  s.models["emtrk"].instances = 2;
  s.servers[0].batch_workers = 1.0;
  const auto in_product_form = [&] {
    const ClosedNetwork n = closed_network(s);
    REQUIRE(n.resources.size() == 3);
    CHECK(n.resources[1].name == "gke batch workers");
    CHECK(n.work(0, 1) == doctest::Approx(1.0));
    CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(117.0 + 3.0));
    return std::vector<bool>{n.resources[0].in_product_form, n.resources[1].in_product_form,
                             n.resources[2].in_product_form};
  };
  CHECK(in_product_form() == std::vector<bool>{true, true, false});
  s.models["emtrk"].execution = ExecutionPolicy::one_per_device;
  s.servers[0].devices.count = 2;
  CHECK(in_product_form() == std::vector<bool>{false, false, true});
  CHECK(closed_network(s).resources[2].units == doctest::Approx(static_cast<double>(s.servers[0].devices.count)));
}

TEST_CASE("mean value analysis takes half a unit for one that is half as fast") {
  Scenario s = repairmen();
  s.servers[0].devices = {.type = "t4", .count = 1, .mig = {0.5}, .interference = 0.0};
  s.servers[0].host = HostStage{.per_request = Seconds{1.0}, .per_item = Seconds{0.0}, .workers = 0.25};
  const ClosedNetwork n = closed_network(s);
  CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(117.0 + 4.0 + 4.0));
  CHECK(n.classes[0].think_time.value == doctest::Approx(117.0));
  const double think_s = n.classes[0].think_time.value;
  for (const std::size_t clients : {1u, 40u})
    CHECK(exact_mva(mva_stations(n), think_s, clients).event_time_s ==
          doctest::Approx(exact_mva({{4.0, 1.0}, {4.0, 1.0}}, think_s, clients).event_time_s));
}

TEST_CASE("an event is split into full requests and one with the rest") {
  CHECK(split_requests(55000, 1719).requests == 32);
  CHECK(split_requests(55000, 1719).last_items == 55000 - 31 * 1719);
  CHECK(split_requests(55000, 235).requests == 235);
  CHECK(split_requests(470, 235).requests == 2);
  CHECK(split_requests(470, 235).last_items == 235);
  CHECK(split_requests(3, 235).requests == 1);
  CHECK(split_requests(3, 235).last_items == 3);
  CHECK(split_requests(0, 235).requests == 0);
  CHECK_THROWS_AS(split_requests(3, 0), std::invalid_argument);
}

TEST_CASE("the unloaded event of ProtoDUNE is 110 + 7 + 2.03 + 0.38 + 1.77 s") {
  const Scenario s = protodune();
  const std::vector<EventPart> parts = ideal_event_parts(s, s.jobs[0]);
  REQUIRE(parts.size() == 5);
  const char* names[] = {"cpu", "cpu", "bandwidth", "travel", "device"};
  const double seconds[] = {110.0, 7.0, 55000.0 * 9232.0 * 8 / 2e9, 32 * 0.0118, device_s};
  double total = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(std::string(name_of(parts[i].part)) == names[i]);
    CHECK(parts[i].seconds == doctest::Approx(seconds[i]).epsilon(1e-12));
    total += seconds[i];
  }
  CHECK(closed_network(s).classes[0].ideal_event_time.value == doctest::Approx(total).epsilon(1e-12));
}

TEST_CASE("every device pool, link direction and network card is a resource with its units and its work") {
  const ClosedNetwork n = closed_network(protodune());
  REQUIRE(n.resources.size() == 5);
  const char* names[] = {"gke/t4", "fnal to iowa", "iowa to fnal", "gke nic in", "gke nic out"};
  const double units[] = {4.0, 50.0, 50.0, 16.0, 16.0};
  const double sent = 55000 * 9216.0 * 8 / 2e9;
  const double received = 55000 * 16.0 * 8 / 2e9;
  const double work[] = {device_s, sent, received, sent, received};
  for (std::size_t r = 0; r < 5; ++r) {
    CHECK(n.resources[r].name == names[r]);
    CHECK(n.resources[r].units == doctest::Approx(units[r]).epsilon(1e-12));
    CHECK(n.work(0, r) == doctest::Approx(work[r]).epsilon(1e-12));
  }
  CHECK(n.classes[0].clients == 268.0);
  const Bounds bounds = asymptotic_bounds(n);
  CHECK(bounds.knees[0].resource == 0);
  CHECK(bounds.knees[1].resource == 3);
}

TEST_CASE("requests load the direction towards the server whichever way round the link is declared") {
  Scenario s = protodune();
  std::swap(s.links[0].site_a, s.links[0].site_b);
  const ClosedNetwork n = closed_network(s);
  REQUIRE(n.resources[1].name == "iowa to fnal");
  REQUIRE(n.resources[2].name == "fnal to iowa");
  CHECK(n.work(0, 1) == doctest::Approx(55000 * 16.0 * 8 / 2e9).epsilon(1e-12));
  CHECK(n.work(0, 2) == doctest::Approx(55000 * 9216.0 * 8 / 2e9).epsilon(1e-12));
}

TEST_CASE("a transfer waits at the narrower of its link and its network card, and counts once in mean value analysis") {
  const ClosedNetwork n = closed_network(protodune());
  const std::vector<std::string> expected = {
      "a transfer crosses several links or cards at once; only the one with the largest demand makes it wait, not "
      "\"fnal to iowa\", \"iowa to fnal\"",
      "service times at \"gke/t4\" are constant, not exponential"};
  CHECK(n.product_form_violations == expected);
  double served = 0.0;
  for (const MvaStation& station : mva_stations(n)) served += station.work_s;
  CHECK(mva_stations(n).size() == 3);
  CHECK(n.classes[0].think_time.value == doctest::Approx(117.0 + 32 * 0.0118).epsilon(1e-12));
  CHECK(n.classes[0].think_time.value + served == doctest::Approx(n.classes[0].ideal_event_time.value).epsilon(1e-12));
}

TEST_CASE(
    "one class of blocking calls to one exponential server has product form, and the bound is its machine-repairman") {
  const ClosedNetwork n = closed_network(repairmen());
  CHECK(n.product_form_violations.empty());
  REQUIRE(n.resources.size() == 1);
  CHECK(n.work(0, 0) == 2.0);
  CHECK(n.classes[0].think_time.value == doctest::Approx(117.0));
  CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(119.0));
}

TEST_CASE("each departure from product form is a sentence of its own") {
  const auto violations = [](const Scenario& s) { return closed_network(s).product_form_violations; };
  using Sentences = std::vector<std::string>;
  Scenario s = repairmen();
  s.jobs.push_back(s.jobs[0]);
  CHECK(violations(s) == Sentences{"the scenario has 2 kinds of jobs"});

  s = repairmen();
  call_of(s).items = 8;
  call_of(s).in_flight = 4;
  CHECK(violations(s) == Sentences{"stage \"emtrk\" keeps up to 4 requests in flight"});
  call_of(s).in_flight = 1;
  call_of(s).request_batch = 3;
  CHECK(violations(s) == Sentences{"requests of different mean service time share the queue of \"gke/t4\""});

  s = repairmen();
  s.models["emtrk"].service["t4"].per_item = LognormalTime{Seconds{2.0}, 1.0};
  CHECK(violations(s) == Sentences{"service times at \"gke/t4\" are not exponential"});

  s = repairmen();
  s.devices["t4"].contention = 0.1;
  CHECK(violations(s) == Sentences{"instances that use a device of \"gke\" together slow it down"});

  s = repairmen();
  s.servers[0].devices.mig = {0.5};
  CHECK(violations(s) == Sentences{"the devices of \"gke\" are sliced"});

  s = repairmen();
  s.servers[0].nodes = 3;
  CHECK(violations(s) == Sentences{"each of the 3 nodes of \"gke\" has a queue of its own"});

  s = repairmen();
  s.servers.push_back(s.servers[0]);
  s.servers[1].name = "spare";
  CHECK(violations(s) == Sentences{"calls of model \"emtrk\" go to 2 servers by a rule"});
  s.servers[0].dispatch = s.servers[1].dispatch = Dispatch::random;
  CHECK(violations(s).empty());
}

TEST_CASE("a site without a link to itself calls its own servers without a network, one with a link crosses it") {
  Scenario s = repairmen();
  s.links = {{.site_a = "fnal",
              .site_b = "fnal",
              .bandwidth = Bandwidth{10 * gigabit_per_s},
              .round_trip_time = Seconds{0.5},
              .per_flow = std::nullopt}};
  s.servers[0].nic.reset();
  const ClosedNetwork n = closed_network(s);
  REQUIRE(n.resources.size() == 3);
  CHECK(n.resources[1].name == "fnal to fnal requests");
  CHECK(n.resources[2].name == "fnal to fnal answers");
  CHECK(n.resources[1].units == 1.0);
  CHECK(n.classes[0].ideal_event_time.value == doctest::Approx(119.5 + 9232.0 * 8 / 1e10).epsilon(1e-12));
  CHECK(n.product_form_violations.empty());
}

TEST_CASE("servers that hold a model share its requests in proportion to their nodes") {
  Scenario s = protodune();
  s.servers.push_back(s.servers[0]);
  s.servers[1].name = "near";
  s.servers[1].site = "fnal";
  s.servers[1].nodes = 3;
  const ClosedNetwork n = closed_network(s);
  CHECK(n.resources[1].units == 12.0);
  CHECK(n.work(0, 0) == doctest::Approx(device_s / 4).epsilon(1e-12));
  CHECK(n.work(0, 1) == doctest::Approx(device_s * 3 / 4).epsilon(1e-12));
  // Three quarters of the requests stay at their site and cross nothing.
  CHECK(n.classes[0].ideal_event_time.value ==
        doctest::Approx(117.0 + device_s + (32 * 0.0118 + 55000 * 9232.0 * 8 / 2e9) / 4).epsilon(1e-12));
}

TEST_CASE("flows of different speed share a link whose work counts bytes at the speed of the fastest") {
  Scenario s = protodune();
  s.servers.push_back(s.servers[0]);
  s.servers[1].name = "slow";
  s.servers[1].nic = Bandwidth{1 * gigabit_per_s};
  const ClosedNetwork n = closed_network(s);
  REQUIRE(n.resources[2].name == "fnal to iowa");
  CHECK(n.resources[2].units == doctest::Approx(50.0));
  CHECK(n.work(0, 2) == doctest::Approx(55000 * 9216.0 * 8 / 2e9).epsilon(1e-12));
  const double transfers = 55000 * 9232.0 * 8 * (0.5 / 2e9 + 0.5 / 1e9);
  CHECK(n.classes[0].ideal_event_time.value ==
        doctest::Approx(117.0 + device_s + 32 * 0.0118 + transfers).epsilon(1e-12));
  CHECK(n.classes[0].think_time.value >= 117.0);
}

TEST_CASE("calls in flight together take the largest of latency over window, one latency and the slowest resource") {
  Scenario s = protodune();
  const auto stage_s = [&] {
    double total = 0.0;
    for (const EventPart& part : ideal_event_parts(s, s.jobs[0]))
      total += part.part == StagePart::cpu ? 0.0 : part.seconds;
    return total;
  };
  const double one_by_one = stage_s();
  call_of(s).in_flight = 4;
  CHECK(stage_s() == doctest::Approx(one_by_one / 4).epsilon(1e-12));
  call_of(s).in_flight = 32;
  const double latency = 0.0118 + 4.83e-3 + 1719 * (29.37e-6 + 9232.0 * 8 / 2e9);
  // The card's 16 units and the four devices bound the rest: 1.770/4 s.
  CHECK(stage_s() == doctest::Approx(std::max(latency, device_s / 4)).epsilon(1e-12));
  call_of(s).items = 1719;
  CHECK(stage_s() == doctest::Approx(latency).epsilon(1e-12));
}

TEST_CASE("the published formula takes its symbols from the scenario") {
  const PublishedFormula published = published_formula(protodune());
  CHECK(published.why_not.empty());
  CHECK(published.formula.cpu_s == doctest::Approx(117.0));
  CHECK(published.formula.gpu_s == doctest::Approx(device_s));
  CHECK(published.formula.latency_s == doctest::Approx(2.03104 + 0.3776));
  CHECK(published.formula.clients == 268.0);
  CHECK(published.formula.gpus == 4.0);
  const Bounds bounds = asymptotic_bounds(closed_network(protodune()));
  CHECK(published.formula.streams_per_gpu() * 4 == doctest::Approx(bounds.knees[0].clients).epsilon(1e-12));
}

TEST_CASE("the published formula says why it does not describe a scenario") {
  Scenario s = protodune();
  call_of(s).in_flight = 2;
  CHECK(published_formula(s).why_not == "the published formula knows blocking calls only, one request in flight");
  s = protodune();
  s.jobs.push_back(s.jobs[0]);
  CHECK(published_formula(s).why_not == "the published formula knows one kind of job");
  s = protodune();
  s.jobs[0].event.pop_back();
  CHECK(published_formula(s).why_not == "the published formula needs a stage that calls a model");
  s = protodune();
  s.servers.push_back(s.servers[0]);
  s.servers[1].name = "spare";
  CHECK(published_formula(s).why_not.empty());
  CHECK(published_formula(s).formula.gpus == 8.0);
  s.servers[1].devices.count = 1;
  CHECK(published_formula(s).why_not == "the published formula takes all devices as equally loaded");
}

TEST_CASE("offloading turns 220 s of ProtoDUNE's inference into 11 s, and 330 s an event into 121 s") {
  Scenario s = protodune();
  const CpuOnly cpu = cpu_only(s, s.jobs[0]);
  CHECK(cpu.known);
  CHECK(cpu.event_time_s == doctest::Approx(330.0));
  CHECK(cpu.offloaded_s == doctest::Approx(220.0));
  CHECK(cpu.as_a_service_s == doctest::Approx(7.0 + 2.03104 + 0.3776 + device_s).epsilon(1e-9));
  call_of(s).cpu_alternative.reset();
  CHECK_FALSE(cpu_only(s, s.jobs[0]).known);
}

TEST_CASE("scaling the clients keeps the mix, in whole jobs and at least one a pool") {
  Scenario s = protodune();
  s.jobs.push_back(s.jobs[0]);
  s.jobs[1].count = 67;
  s.jobs[1].threads = 2;
  CHECK(stream_count(s) == 402.0);
  const Scenario half = with_streams(s, 201.0);
  CHECK(half.jobs[0].count == 134);
  CHECK(half.jobs[1].count == 34);
  CHECK(with_streams(s, 1.0).jobs[1].count == 1);
  CHECK_THROWS_AS(with_streams(s, 0.0), std::invalid_argument);
  s.servers[0].nodes = 3;
  CHECK(device_count(s) == 12);
}

TEST_CASE("a call between sites that no links join is refused by name") {
  Scenario s = protodune();
  s.links.clear();
  CHECK_THROWS_WITH_AS(closed_network(s), "routed_resources: no path of links between fnal and iowa",
                       std::invalid_argument);
}

}  // namespace saturn
