#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/mva.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

namespace {

/// 268 jobs of 117 s of CPU time at the site of four devices; each calls a model once an event.
Scenario beside_four_devices() {
  Scenario s;
  s.jobs = {{.name = "reco",
             .site = "fnal",
             .count = 268,
             .event = {CpuStage{.label = "cpu", .time = ConstantTime{Seconds{117.0}}},
                       InferStage{.label = "emtrk", .model = "emtrk"}}}};
  Model emtrk;
  emtrk.max_batch_size = 65536;
  emtrk.service["t4"].per_item = ExponentialTime{Seconds{2.0}};
  s.models = {{"emtrk", emtrk}};
  Server gke;
  gke.name = "gke";
  gke.site = "fnal";
  gke.devices = {.type = "t4", .count = 4};
  gke.models = {"emtrk"};
  s.servers = {gke};
  s.devices = {{"t4", DeviceType{}}};
  return s;
}

InferStage& call_of(Scenario& s) {
  return std::get<InferStage>(s.jobs[0].event.back());
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
    Scenario s = beside_four_devices();
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
  Scenario s = beside_four_devices();
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
  Scenario s = beside_four_devices();
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

TEST_CASE("mean value analysis takes half a unit for one that is half as fast") {
  Scenario s = beside_four_devices();
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

}  // namespace saturn
