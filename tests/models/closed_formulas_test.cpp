#include "models/queueing/closed_formulas.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "models/queueing/mva.hpp"

namespace saturn {

TEST_CASE("with one server Erlang C is the load, and the response time is the one of M/M/1") {
  const MmcQueue queue{.arrivals_per_s = 0.7, .service_s = 1.0, .servers = 1};
  CHECK(erlang_c(queue) == doctest::Approx(0.7).epsilon(1e-14));
  CHECK(mean_response_s(queue) == doctest::Approx(1.0 / (1.0 - 0.7)).epsilon(1e-14));
}

TEST_CASE("Erlang C gives the textbook sum for two and three servers") {
  // c = 2: C = a²/(2 + a); c = 3, a = 2: C = (8/6·3)/(1 + 2 + 2 + 8/6·3) = 4/9.
  CHECK(erlang_c({.arrivals_per_s = 3.0, .service_s = 0.5, .servers = 2}) ==
        doctest::Approx(2.25 / 3.5).epsilon(1e-14));
  CHECK(erlang_c({.arrivals_per_s = 2.0, .service_s = 1.0, .servers = 3}) == doctest::Approx(4.0 / 9.0).epsilon(1e-14));
}

TEST_CASE("a closed network with very many clients who think very long behaves as the open queue") {
  const MmcQueue queue{.arrivals_per_s = 3.2, .service_s = 1.0, .servers = 4};
  const std::size_t clients = 400000;
  const double think_s = static_cast<double>(clients) / queue.arrivals_per_s;
  const MvaPoint closed = exact_mva({{.work_s = queue.service_s, .units = 4.0}}, think_s, clients);
  CHECK(closed.residence_s[0] == doctest::Approx(mean_response_s(queue)).epsilon(1e-4));
}

TEST_CASE("a queue that receives more than it can serve is refused") {
  CHECK_THROWS_WITH_AS(erlang_c({.arrivals_per_s = 4.0, .service_s = 1.0, .servers = 4}),
                       "erlang_c: arrivals exceed the servers, so the queue grows for ever", std::invalid_argument);
}

TEST_CASE("the published formula equals the closed-network bound max(t_ideal, N/G t_GPU) for all inputs") {
  CHECK(rc::check([] {
    const auto positive = [](int decades) {
      return std::pow(10.0, *rc::gen::inRange(-decades * 1000, decades * 1000) / 1000.0);
    };
    const SaturationFormula f{.cpu_s = positive(4),
                              .gpu_s = positive(4),
                              .latency_s = positive(4),
                              .clients = static_cast<double>(*rc::gen::inRange(1, 1000000)),
                              .gpus = static_cast<double>(*rc::gen::inRange(1, 1000))};
    const double bound = std::max(f.ideal_event_time_s(), f.clients / f.gpus * f.gpu_s);
    RC_ASSERT(std::abs(f.event_time_s() - bound) <= 1e-12 * bound);
  }));
}

TEST_CASE(
    "ProtoDUNE with big batches saturates at 67.6 clients a GPU as computed, at 68.4 with the 117 s of the slides") {
  const SaturationFormula computed{
      .cpu_s = 0.35 * 330.0, .gpu_s = 1.77, .latency_s = 2.05 + 0.38, .clients = 271, .gpus = 4};
  CHECK(computed.ideal_event_time_s() == doctest::Approx(119.7).epsilon(1e-12));
  CHECK(std::round(computed.streams_per_gpu() * 10) == 676);
  CHECK(4 * computed.streams_per_gpu() == doctest::Approx(270.5).epsilon(1e-4));

  const SaturationFormula slides{
      .cpu_s = 110.0 + 7.0, .gpu_s = 1.77, .latency_s = 2.05 + 0.38, .clients = 271, .gpus = 4};
  CHECK(slides.streams_per_gpu() >= 68.4);
  CHECK(slides.streams_per_gpu() < 68.5);
}

TEST_CASE(
    "ProtoDUNE with small batches saturates at 45 clients a GPU, and near the observed 190 with the preprocessing") {
  const SaturationFormula computed{
      .cpu_s = 0.35 * 330.0, .gpu_s = 2.75, .latency_s = 2.05 + 2.6, .clients = 1, .gpus = 4};
  CHECK(computed.ideal_event_time_s() == doctest::Approx(122.9).epsilon(1e-12));
  CHECK(std::round(computed.streams_per_gpu()) == 45);
  CHECK(std::round(4 * computed.streams_per_gpu()) == 179);
  CHECK(computed.event_time_s() == doctest::Approx(122.9).epsilon(1e-12));

  SaturationFormula with_preprocessing = computed;
  with_preprocessing.cpu_s += 7.0;
  CHECK(std::round(4 * with_preprocessing.streams_per_gpu()) == 189);
}

namespace {

/// Jobs that think 116 s, use one of 4 GPUs for 2 s and one of 50 link units for 2 s, and a resource they never use.
ClosedNetwork reconstruction() {
  ClosedNetwork network;
  network.resources = {{.name = "fnal to iowa", .kind = ResourceKind::link, .units = 50.0},
                       {.name = "unused", .kind = ResourceKind::cpu, .units = 1.0},
                       {.name = "gke/t4", .kind = ResourceKind::gpu, .units = 4.0}};
  network.classes = {
      {.name = "reco", .clients = 300.0, .ideal_event_time = Seconds{120.0}, .think_time = Seconds{116.0}}};
  network.work = {{2.0, 0.0, 2.0}};
  return network;
}

/// The most clients, three quarters of them with 120 s and 0.5 s of a GPU, a quarter with 10 s and 0.25 s, that a mix
/// of their events keeps within the slowdown, by trying every split of the GPUs.
double clients_at_best_mix(double slowdown) {
  double most = 0.0;
  const auto fits = [&](double clients) {
    for (int i = 0; i <= 100000; ++i) {
      const double first = std::min(2.0 * i / 100000, 0.75 * clients / 120.0);
      const double second = std::min((1.0 - 0.5 * first) / 0.25, 0.25 * clients / 10.0);
      if (second >= 0.0 && (1.0 + slowdown) * (120.0 * first + 10.0 * second) >= clients) return true;
    }
    return false;
  };
  for (double step = 64.0; step > 1e-4; step /= 2.0)
    while (fits(most + step)) most += step;
  return most;
}

}  // namespace

TEST_CASE("the resource with the largest demand binds first, at t_ideal over its demand, and the next one after it") {
  const Bounds bounds = asymptotic_bounds(reconstruction());
  REQUIRE(bounds.knees.size() == 2);
  CHECK(bounds.knees[0].resource == 2);
  CHECK(bounds.knees[0].demand_s == doctest::Approx(0.5));
  CHECK(bounds.knees[0].clients == doctest::Approx(240.0));
  CHECK(bounds.knees[1].resource == 0);
  CHECK(bounds.knees[1].clients == doctest::Approx(3000.0));
  CHECK(bounds.ideal_event_time_s == doctest::Approx(120.0));
  CHECK(bounds.event_time_s == doctest::Approx(150.0));
  CHECK(bounds.events_per_s == doctest::Approx(2.0));
  CHECK(clients_within(reconstruction(), 0.01) == doctest::Approx(242.4));
}

TEST_CASE("below the knee the bound is the unloaded event time") {
  const Bounds bounds = asymptotic_bounds(with_clients(reconstruction(), 239.0));
  CHECK(bounds.clients == doctest::Approx(239.0));
  CHECK(bounds.event_time_s == doctest::Approx(120.0));
  CHECK(bounds.events_per_s == doctest::Approx(239.0 / 120.0));
  CHECK(most_busy(with_clients(reconstruction(), 239.0), bounds)[0] == doctest::Approx(239.0 / 240.0));
}

TEST_CASE("a resource is busy by the bound for its share of the whole cycle, set-up of jobs included, and never more") {
  ClosedNetwork network = reconstruction();
  network.classes[0].set_up = Seconds{120.0};
  const auto busy = [&](double clients) {
    const ClosedNetwork some = with_clients(network, clients);
    return most_busy(some, asymptotic_bounds(some))[0];
  };
  CHECK(busy(239.0) == doctest::Approx(239.0 / 480.0));
  CHECK(busy(1000.0) == doctest::Approx(1.0));
}

TEST_CASE("several classes saturate in the mix that nothing hinders, and are bound at the best mix") {
  ClosedNetwork network = reconstruction();
  network.classes.push_back(
      {.name = "trigger", .clients = 100.0, .ideal_event_time = Seconds{10.0}, .think_time = Seconds{9.0}});
  network.work = {{2.0, 0.0, 2.0}, {0.0, 0.0, 1.0}};
  // 300 clients give 2.5 events/s and 100 clients give 10 events/s: 12.5 events/s in all.
  const Bounds bounds = asymptotic_bounds(network);
  CHECK(bounds.ideal_event_time_s == doctest::Approx(400.0 / 12.5));
  CHECK(bounds.knees[0].demand_s == doctest::Approx((2.5 * 0.5 + 10.0 * 0.25) / 12.5));
  CHECK(bounds.knees[0].clients == doctest::Approx(32.0 / 0.3));
  CHECK(bounds.mixed_event_time_s == doctest::Approx(400.0 * 0.3));
  // All GPUs to the events that ask 0.25 s of them: 4 events/s of 400 clients.
  CHECK(bounds.events_per_s == doctest::Approx(4.0));
  CHECK(bounds.event_time_s == doctest::Approx(100.0));
  // Of the first class, which alone uses the link for 0.04 s, no more than 2 end a second with all GPUs.
  CHECK(most_busy(network, bounds)[0] == doctest::Approx(1.0));
  CHECK(most_busy(network, bounds)[1] == doctest::Approx(0.08));
  CHECK(clients_within(network, 0.0) == doctest::Approx(bounds.knees[0].clients));
  CHECK(clients_within(network, 0.01) == doctest::Approx(clients_at_best_mix(0.01)).epsilon(1e-4));
  const ClosedNetwork halved = with_clients(network, 200.0);
  CHECK(halved.classes[0].clients == doctest::Approx(150.0));
  CHECK(halved.classes[1].clients == doctest::Approx(50.0));
}

TEST_CASE("without contention any number of clients stays within the tolerated slowdown") {
  ClosedNetwork network = reconstruction();
  network.work = Matrix(1, 3);
  const Bounds bounds = asymptotic_bounds(network);
  CHECK(bounds.knees.empty());
  CHECK(std::isinf(clients_within(network, 0.0)));
}

TEST_CASE("bounds refuse networks that have none") {
  CHECK_THROWS_WITH_AS(asymptotic_bounds({}), "asymptotic_bounds: a network without job classes",
                       std::invalid_argument);
  ClosedNetwork timeless = reconstruction();
  timeless.classes[0].ideal_event_time = Seconds{0.0};
  CHECK_THROWS_WITH_AS(asymptotic_bounds(timeless), "asymptotic_bounds: the events of job class reco take no time",
                       std::invalid_argument);
  ClosedNetwork idle = reconstruction();
  idle.classes[0].clients = 0.0;
  CHECK_THROWS_WITH_AS(asymptotic_bounds(idle), "asymptotic_bounds: a network without clients", std::invalid_argument);
}

}  // namespace saturn
