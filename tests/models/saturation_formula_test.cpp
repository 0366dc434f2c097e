#include "models/saturation_formula.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

namespace saturn {

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
  CHECK(std::round(computed.clients_per_gpu() * 10) == 676);
  CHECK(4 * computed.clients_per_gpu() == doctest::Approx(270.5).epsilon(1e-4));

  const SaturationFormula slides{
      .cpu_s = 110.0 + 7.0, .gpu_s = 1.77, .latency_s = 2.05 + 0.38, .clients = 271, .gpus = 4};
  CHECK(slides.clients_per_gpu() >= 68.4);
  CHECK(slides.clients_per_gpu() < 68.5);
}

TEST_CASE(
    "ProtoDUNE with small batches saturates at 45 clients a GPU, and near the observed 190 with the preprocessing") {
  const SaturationFormula computed{
      .cpu_s = 0.35 * 330.0, .gpu_s = 2.75, .latency_s = 2.05 + 2.6, .clients = 1, .gpus = 4};
  CHECK(computed.ideal_event_time_s() == doctest::Approx(122.9).epsilon(1e-12));
  CHECK(std::round(computed.clients_per_gpu()) == 45);
  CHECK(std::round(4 * computed.clients_per_gpu()) == 179);
  CHECK(computed.event_time_s() == doctest::Approx(122.9).epsilon(1e-12));

  SaturationFormula with_preprocessing = computed;
  with_preprocessing.cpu_s += 7.0;
  CHECK(std::round(4 * with_preprocessing.clients_per_gpu()) == 189);
}

TEST_CASE("beyond the knee every client more adds t_GPU/N_GPU to the event time") {
  SaturationFormula f{.cpu_s = 115.5, .gpu_s = 1.77, .latency_s = 2.43, .clients = 400, .gpus = 4};
  const double before = f.event_time_s();
  CHECK(before == doctest::Approx(177.0).epsilon(1e-12));
  f.clients += 1;
  CHECK(f.event_time_s() - before == doctest::Approx(1.77 / 4).epsilon(1e-9));
}

}  // namespace saturn
