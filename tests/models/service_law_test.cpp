#include "models/laws/service_law.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace saturn::tests {

TEST_CASE("a batch that takes longer than several smaller ones is a fault, and what real devices do is none") {
  // nnU-Net FP32 on an A100: T(4) is 1.89 times two T(2) and 1.66 times four T(1); T(2) is below two T(1).
  const std::vector<BatchTimePoint> nnunet{{1, 28.918e-3, {}}, {2, 50.835e-3, {}}, {4, 191.724e-3, {}}};
  const std::vector<BatchTimeFault> faults = batch_time_faults(nnunet);
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].smaller == 1);
  CHECK(faults[0].larger == 2);
  CHECK(faults[0].parts == 2);
  CHECK(faults[0].factor == doctest::Approx(191.724 / (2.0 * 50.835)));
  const std::string text = in_words(faults[0], nnunet);
  CHECK(
      text.starts_with("T(4) = 191.7 ms is 1.886 times as long as 2 batches of 2, which do the same items (T(2) = "
                       "50.84 ms each): batching would be worse than none."));
  CHECK(text.find("Measure batches of 2 and 4 again") != std::string::npos);

  // Affine, in proportion, and padded to powers of two, whose T(5) is that of 8.
  CHECK(batch_time_faults(std::vector<BatchTimePoint>{{1, 1.0, {}}, {2, 2.0, {}}, {64, 64.0, {}}}).empty());
  CHECK(
      batch_time_faults(std::vector<BatchTimePoint>{{4, 4.0, {}}, {5, 8.0, {}}, {8, 8.0, {}}, {9, 16.0, {}}}).empty());
  // DeepTau on a T4: 8 % above two of half the size.
  CHECK(batch_time_faults(std::vector<BatchTimePoint>{{64, 30.395, {}}, {128, 65.789, {}}, {256, 142.86, {}}}).empty());
}

TEST_CASE("a smaller batch that takes longer is a fault beyond what the errors allow") {
  const auto falls = [](double first, double second, std::optional<double> error) {
    return batch_time_faults(std::vector<BatchTimePoint>{{1, first, error}, {2, second, error}}).size();
  };
  CHECK(falls(1.04, 1.0, {}) == 0);
  CHECK(falls(1.06, 1.0, {}) == 1);
  // Three standard errors of the difference are 0.042 for 0.01 each.
  CHECK(falls(1.04, 1.0, 0.01) == 0);
  CHECK(falls(1.045, 1.0, 0.01) == 1);
  CHECK(falls(1.015, 1.0, 1e-4) == 0);
  const std::vector<BatchTimePoint> cold{{1, 7.5e-3, {}}, {2, 6.0e-3, {}}, {4, 6.5e-3, {}}};
  const std::vector<BatchTimeFault> faults = batch_time_faults(cold);
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].parts == 0);
  CHECK(in_words(faults[0], cold).starts_with("T(1) = 7.5 ms is above T(2) = 6 ms (1.25 times), which cannot be"));
}

}  // namespace saturn::tests

namespace saturn {

namespace {

ServiceLaw measured(const std::vector<MeasuredPoint>& points) {
  ServiceLaw law{.per_batch = ConstantTime{}, .per_item = ConstantTime{}};
  law.points = points;
  return law;
}

MeasuredPoint point(double items, double time_s) {
  return {.items = items, .time = Seconds{time_s}};
}
MeasuredPoint point(double items, double time_s, double device_s) {
  return {.items = items, .time = Seconds{time_s}, .device = Seconds{device_s}};
}

/// Mean and variance of the whole T(b) over many draws, and the mean share of its host part.
struct Drawn {
  double mean_s = 0.0;
  double variance = 0.0;
  double host_share = 0.0;
};
Drawn drawn(const ServiceLaw& law, double items) {
  constexpr int draws = 40000;
  RandomStream stream(7, 0, 0, Purpose::service);
  double sum = 0.0;
  double squares = 0.0;
  double host = 0.0;
  for (int i = 0; i < draws; ++i) {
    const BatchTime time = sample(law, items, stream);
    const double whole = (time.host + time.device).value;
    sum += whole;
    squares += whole * whole;
    host += time.host.value;
  }
  return {sum / draws, squares / draws - sum * sum / draws / draws, host / sum};
}

}  // namespace

TEST_CASE("measured points are joined by straight lines, which go on beyond the last point to twice its size") {
  const ServiceLaw law = measured({point(2, 10.0), point(4, 12.0), point(8, 20.0)});
  CHECK(mean(law, 2).value == doctest::Approx(10.0));
  CHECK(mean(law, 3).value == doctest::Approx(11.0));
  CHECK(mean(law, 5.5).value == doctest::Approx(15.0));
  CHECK(mean(law, 16).value == doctest::Approx(36.0));
  CHECK(largest_batch(law) == 16.0);
  // Below the first point the line from 4 to 2 goes on: it stays above what is in proportion.
  CHECK(mean(law, 1).value == doctest::Approx(9.0));
  CHECK(largest_batch(ServiceLaw{}) == std::numeric_limits<double>::infinity());
}

TEST_CASE("a law steeper than in proportion falls in proportion below its first point, and never below nothing") {
  const ServiceLaw law = measured({point(4, 4.0), point(5, 8.0)});
  CHECK(mean(law, 1).value == doctest::Approx(1.0));
  CHECK(mean(law, 0.5).value == doctest::Approx(0.5));
}

TEST_CASE("a batch is host part and device part: a constant and a share per item, or what the points tell") {
  ServiceLaw law{.per_batch = ConstantTime{Seconds{5.0}}, .per_item = ConstantTime{Seconds{2.0}}};
  law.host = {.per_batch = Seconds{1.0}, .per_item = Seconds{0.5}};
  CHECK(mean_parts(law, 4).host.value == doctest::Approx(3.0));
  CHECK(mean_parts(law, 4).device.value == doctest::Approx(10.0));
  const ServiceLaw points = measured({point(1, 5.0, 4.0), point(3, 6.0, 6.0)});
  CHECK(mean_parts(points, 2).host.value == doctest::Approx(0.5));
  CHECK(mean_parts(points, 2).device.value == doctest::Approx(5.0));
  // The device's line crosses T(b): beyond that nothing is left for the host.
  CHECK(mean_parts(points, 6).host.value == 0.0);
  CHECK(mean_parts(points, 6).device.value == doctest::Approx(7.5));
}

TEST_CASE("drawn times have the law's mean, variance and host share, for every way in which a law varies") {
  ServiceLaw both{.per_batch = ExponentialTime{Seconds{3.0}}, .per_item = UniformTime{Seconds{0.0}, Seconds{2.0}}};
  // By hand, for 4 items: 9 + 16·(2²/12), all times 1 + cv², and mean²·cv².
  const double of_parts = 9.0 + 16.0 / 3.0;
  CHECK(mean(both, 4).value == doctest::Approx(7.0));
  CHECK(variance(both, 4) == doctest::Approx(of_parts));
  ServiceLaw scattered = both;
  scattered.scatter = 0.5;
  scattered.host.per_batch = Seconds{1.4};
  CHECK(variance(scattered, 4) == doctest::Approx(of_parts * 1.25 + 49.0 * 0.25));
  ServiceLaw points = measured({point(1, 2.0), point(8, 4.0)});
  points.scatter = 0.3;
  points.host.per_batch = Seconds{0.5};
  for (const ServiceLaw& law : {both, scattered, points}) {
    const Drawn seen = drawn(law, 4);
    const double expected_s = mean(law, 4).value;
    // Five standard errors of the mean; the variance of these laws is known to some per cent from 40,000 draws.
    CHECK(std::abs(seen.mean_s - expected_s) <= 5 * std::sqrt(variance(law, 4) / 40000));
    CHECK(seen.variance == doctest::Approx(variance(law, 4)).epsilon(0.06));
    CHECK(seen.host_share == doctest::Approx(mean_parts(law, 4).host.value / expected_s).epsilon(1e-9));
  }
}

TEST_CASE("scatter and points make a law neither constant nor exponential, as they should") {
  ServiceLaw law{.per_batch = ConstantTime{Seconds{1.0}}, .per_item = ConstantTime{}};
  CHECK(is_constant(law));
  law.scatter = 0.1;
  CHECK_FALSE(is_constant(law));
  law.per_batch = ExponentialTime{Seconds{1.0}};
  CHECK_FALSE(is_exponential(law));
  CHECK(is_constant(measured({point(1, 1.0), point(2, 2.0)})));
  CHECK_FALSE(is_exponential(measured({point(1, 1.0), point(2, 2.0)})));
}

TEST_CASE("the least time of an item is the least T(b)/b of all batches between the limits, found by trying them all") {
  CHECK(rc::check("least_item_time", [] {
    ServiceLaw law{.per_batch = ConstantTime{Seconds{*rc::gen::inRange(0, 50) / 10.0}},
                   .per_item = ConstantTime{Seconds{*rc::gen::inRange(1, 50) / 10.0}}};
    law.host.per_batch = 0.5 * mean(law.per_batch);
    if (*rc::gen::arbitrary<bool>()) {
      double items = *rc::gen::inRange(1, 5);
      double time_s = *rc::gen::inRange(10, 100);
      double device_s = time_s * *rc::gen::inRange(1, 11) / 10.0;
      const int points = *rc::gen::inRange(2, 7);
      law.host = {};
      for (int i = 0; i < points; ++i) {
        law.points.push_back(point(items, time_s, device_s));
        items += *rc::gen::inRange(1, 9);
        const double step = *rc::gen::inRange(0, 40);
        time_s += step;
        device_s += step * *rc::gen::inRange(0, 11) / 10.0;
      }
    }
    law.per_request = Seconds{*rc::gen::inRange(0, 60) / 10.0};
    const auto smallest = *rc::gen::inRange(1, 10);
    const auto request = smallest + *rc::gen::inRange(0, 5);
    const auto largest = smallest + *rc::gen::inRange(0, 30);
    LeastItemTime tried{Seconds{1e9}, Seconds{1e9}, Seconds{1e9}};
    for (int b = smallest; b <= largest; ++b) {
      const BatchTime parts = mean_parts(law, b);
      // So many requests of the largest size make b items.
      const double joined = std::max(1.0, static_cast<double>(b) / request) - 1.0;
      tried.instance = std::min(tried.instance, (mean(law, b) + joined * law.per_request) / b);
      tried.device = std::min(tried.device, parts.device / b);
      tried.host = std::min(tried.host, (parts.host + joined * law.per_request) / b);
    }
    const LeastItemTime least = least_item_time(law, smallest, request, largest);
    RC_ASSERT(std::abs((least.instance - tried.instance).value) <= 1e-12 * tried.instance.value);
    RC_ASSERT(std::abs((least.device - tried.device).value) <= 1e-12 * tried.device.value);
    RC_ASSERT(std::abs((least.host - tried.host).value) <= 1e-12 * tried.instance.value);
  }));
}

TEST_CASE("a padded batch is one of the size that holds it, and the least time of an item is that of trying them all") {
  CHECK(rc::check("padding", [] {
    ServiceLaw law = measured({point(1, 2.0, 1.5), point(6, 3.0, 2.5), point(40, 20.0, 20.0)});
    double size = 0.0;
    const int sizes = *rc::gen::inRange(1, 6);
    for (int i = 0; i < sizes; ++i) law.padded_to.push_back(size += *rc::gen::inRange(1, 12));
    const ServiceLaw plain = measured(law.points);
    for (double items = 0.5; items <= size; items += 0.5) {
      const double held =
          *std::find_if(law.padded_to.begin(), law.padded_to.end(), [&](double step) { return step >= items; });
      RC_ASSERT(mean(law, items) == mean(plain, held));
      RC_ASSERT(mean_parts(law, items).host == mean_parts(plain, held).host);
    }
    law.per_request = Seconds{*rc::gen::inRange(0, 60) / 10.0};
    const int smallest = *rc::gen::inRange(1, 1 + static_cast<int>(size));
    const int most = static_cast<int>(size) / smallest;
    for (const BatchSteps steps : {BatchSteps::any, BatchSteps::multiples}) {
      const int stride = steps == BatchSteps::any ? 1 : smallest;
      LeastItemTime least{Seconds{1e9}, Seconds{1e9}, Seconds{1e9}};
      for (int items = smallest; items <= most * smallest; items += stride) {
        BatchTime parts = mean_parts(law, items);
        parts.host += (static_cast<double>(items) / smallest - 1.0) * law.per_request;
        least.instance = std::min(least.instance, (parts.host + parts.device) / static_cast<double>(items));
        least.device = std::min(least.device, parts.device / static_cast<double>(items));
        least.host = std::min(least.host, parts.host / static_cast<double>(items));
      }
      const LeastItemTime found = least_item_time(law, smallest, smallest, most * smallest, steps);
      RC_ASSERT(std::abs(found.instance.value - least.instance.value) <= 1e-12);
      RC_ASSERT(std::abs(found.device.value - least.device.value) <= 1e-12);
      RC_ASSERT(std::abs(found.host.value - least.host.value) <= 1e-12);
    }
  }));
}

TEST_CASE("instances of another speed need every time divided by it: mean, parts, variance and draws") {
  const std::vector<TimeDistribution> times{
      ConstantTime{Seconds{3.0}},       ExponentialTime{Seconds{3.0}},      GammaTime{Seconds{3.0}, 0.5},
      LognormalTime{Seconds{3.0}, 0.5}, UniformTime{Seconds{}, Seconds{6}}, EmpiricalTime{{Seconds{2.0}, Seconds{4}}}};
  std::vector<ServiceLaw> laws{measured({point(1, 2.0, 1.5), point(8, 4.0, 4.0)})};
  for (const TimeDistribution& time : times) {
    laws.push_back({.per_batch = time, .per_item = time});
    laws.back().host = {.per_batch = Seconds{0.5}, .per_item = Seconds{0.25}};
    laws.back().scatter = 0.2;
    laws.back().per_request = Seconds{0.125};
  }
  for (const ServiceLaw& law : laws) {
    const ServiceLaw fast = at_speed(law, 1.6);
    CHECK(mean(fast, 4).value == doctest::Approx(mean(law, 4).value / 1.6));
    CHECK(mean_parts(fast, 4).host.value == doctest::Approx(mean_parts(law, 4).host.value / 1.6));
    CHECK(joining_s(fast, 3) == doctest::Approx(2 * law.per_request.value / 1.6));
    CHECK(variance(fast, 4) == doctest::Approx(variance(law, 4) / 1.6 / 1.6));
    RandomStream stream(7, 0, 0, Purpose::service);
    RandomStream same(7, 0, 0, Purpose::service);
    for (int i = 0; i < 20; ++i) {
      const BatchTime slow = sample(law, 4, stream);
      const BatchTime quick = sample(fast, 4, same);
      CHECK(quick.host.value == doctest::Approx(slow.host.value / 1.6));
      CHECK(quick.device.value == doctest::Approx(slow.device.value / 1.6));
    }
  }
}

}  // namespace saturn
