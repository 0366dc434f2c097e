#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "models/laws/arrival_law.hpp"
#include "models/queueing/open_capacity.hpp"
#include "models/statistics/intervals.hpp"

using namespace saturn;

namespace {

ArrivalStream stream(const ArrivalLaw& law, std::uint32_t replica = 0) {
  return ArrivalStream(law, RandomStream(7, replica, 0, Purpose::arrival));
}

/// Arrivals in [from, to), over replicas.
Estimate counted(const ArrivalLaw& law, double from_s, double to_s, std::uint32_t replicas) {
  std::vector<double> counts;
  for (std::uint32_t replica = 0; replica < replicas; ++replica) {
    ArrivalStream arrivals = stream(law, replica);
    double count = 0.0;
    for (double date = arrivals.next(); date < to_s; date = arrivals.next()) count += date >= from_s ? 1.0 : 0.0;
    counts.push_back(count);
  }
  return student_interval(counts, 0.999);
}

void check_mean(const Estimate& measured, double expected) {
  CHECK(measured.low <= expected);
  CHECK(measured.high >= expected);
}

/// Simpson's rule, for a rate that is given point by point.
double integral(double (*rate)(double), double from, double to) {
  constexpr int steps = 2000;
  const double h = (to - from) / steps;
  double sum = rate(from) + rate(to);
  for (int i = 1; i < steps; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * rate(from + i * h);
  return sum * h / 3.0;
}

}  // namespace

TEST_CASE("constant arrivals are evenly spaced from half a period on, without a drift in the last digit") {
  const ArrivalLaw law = ConstantArrivals{Rate{3.0}};
  ArrivalStream arrivals = stream(law);
  for (int n = 0; n < 100'000; ++n) CHECK_FALSE(arrivals.next() != (n + 0.5) / 3.0);
}

TEST_CASE("a trace begins again one mean gap after its last date") {
  auto recorded = std::make_shared<RecordedDates>();
  recorded->dates_s = {0.0, 1.0, 4.0};
  const ArrivalLaw law = TraceArrivals{.file = "t.csv", .recorded = recorded};
  ArrivalStream arrivals = stream(law);
  std::vector<double> dates;
  for (int i = 0; i < 7; ++i) dates.push_back(arrivals.next());
  CHECK(dates == std::vector<double>{0.0, 1.0, 4.0, 6.0, 7.0, 10.0, 12.0});
  CHECK(mean_rate(law).value == 0.5);
  // The gaps are 1 and 3: variance 1, squared mean 4.
  CHECK(dispersion(law) == 0.25);
}

TEST_CASE("Poisson and gamma arrivals have the rate and the variance of their counts that they promise") {
  for (const double cv : {0.5, 1.0, 3.0}) {
    const ArrivalLaw law = cv == 1.0 ? ArrivalLaw{PoissonArrivals{Rate{5.0}}} : GammaArrivals{Rate{5.0}, cv};
    std::vector<double> counts;
    std::vector<double> squares;
    for (std::uint32_t replica = 0; replica < 400; ++replica) {
      ArrivalStream arrivals = stream(law, replica);
      double count = 0.0;
      while (arrivals.next() < 1200.0) count += 1.0;
      counts.push_back(count);
      squares.push_back((count - 6000.0) * (count - 6000.0) / 6000.0);
    }
    const Estimate mean = student_interval(counts, 0.999);
    const Estimate variance = student_interval(squares, 0.999);
    // A renewal process is (cv² − 1)/2 events ahead of its rate.
    CHECK(mean.low - (cv * cv - 1.0) / 2.0 <= 6000.0);
    CHECK(mean.high - (cv * cv - 1.0) / 2.0 >= 6000.0);
    CHECK(variance.low <= dispersion(law));
    CHECK(variance.high >= dispersion(law));
  }
}

TEST_CASE(
    "a source that goes on and off has the rate and the variance of its counts that it promises, from date 0 on") {
  const OnOffArrivals source{.rate = Rate{6.0},
                             .rate_off = Rate{1.0},
                             .on = GammaTime{Seconds{2.0}, 0.5},
                             .off = ExponentialTime{Seconds{3.0}}};
  const ArrivalLaw law = source;
  CHECK(mean_rate(law).value == doctest::Approx(3.0));
  // 1 + 5²·(3²·1 + 2²·9)/5³/3
  CHECK(dispersion(law) == doctest::Approx(4.0));
  check_mean(counted(law, 0.0, 10.0, 4000), 30.0);
  std::vector<double> squares;
  for (std::uint32_t replica = 0; replica < 1000; ++replica) {
    ArrivalStream arrivals = stream(law, replica);
    double count = 0.0;
    while (arrivals.next() < 2000.0) count += 1.0;
    squares.push_back((count - 6000.0) * (count - 6000.0) / 6000.0);
  }
  check_mean(student_interval(squares, 0.999), 4.0);

  // Exponential periods, in closed form: 1 + 2·(difference of rates)²·a²b²/(a + b)³/rate.
  const ArrivalLaw interrupted =
      OnOffArrivals{.rate = Rate{4.0}, .on = ExponentialTime{Seconds{1.0}}, .off = ExponentialTime{Seconds{3.0}}};
  CHECK(dispersion(interrupted) == doctest::Approx(1.0 + 2.0 * 16.0 * 9.0 / 64.0 / 1.0));
}

TEST_CASE("a profile's rate is followed: counts of any stretch are its integral, over the seam of the day too") {
  const ArrivalLaw law = ProfileArrivals{.points = {{Seconds{10.0}, Rate{2.0}},
                                                    {Seconds{30.0}, Rate{8.0}},
                                                    {Seconds{40.0}, Rate{0.0}},
                                                    {Seconds{60.0}, Rate{0.0}}},
                                         .period = Seconds{100.0}};
  const auto rate = [](double t) {
    t = std::fmod(t, 100.0);
    if (t < 10.0) return 2.0 * (t + 40.0) / 50.0;  // from 0 at 60 to 2 at 110
    if (t < 30.0) return 2.0 + 6.0 * (t - 10.0) / 20.0;
    if (t < 40.0) return 8.0 * (40.0 - t) / 10.0;
    return t < 60.0 ? 0.0 : 2.0 * (t - 60.0) / 50.0;
  };
  CHECK(mean_rate(law).value == doctest::Approx(integral(rate, 0.0, 100.0) / 100.0).epsilon(1e-4));
  for (const auto& [from, to] : {std::pair{0.0, 10.0}, {12.0, 25.0}, {33.0, 39.0}, {80.0, 105.0}, {200.0, 300.0}}) {
    const Estimate count = counted(law, from, to, 600);
    CHECK(count.low <= integral(rate, from, to) * 1.0005);
    CHECK(count.high >= integral(rate, from, to) * 0.9995);
  }
  CHECK(counted(law, 41.0, 59.0, 50).high == 0.0);
}

TEST_CASE("dates never go back, whatever the law") {
  CHECK(rc::check("ascending", [] {
    const double rate = *rc::gen::inRange(1, 1000) / 10.0;
    const ArrivalLaw law = *rc::gen::element<ArrivalLaw>(
        PoissonArrivals{Rate{rate}}, ConstantArrivals{Rate{rate}}, GammaArrivals{Rate{rate}, 2.5},
        ProfileArrivals{.points = {{Seconds{0.0}, Rate{0.0}}, {Seconds{3.0}, Rate{rate}}}, .period = Seconds{3.0}},
        OnOffArrivals{.rate = Rate{rate}, .on = ExponentialTime{Seconds{1.0}}, .off = ConstantTime{Seconds{2.0}}});
    ArrivalStream arrivals = stream(law);
    double last = 0.0;
    for (int i = 0; i < 2000; ++i) {
      const double date = arrivals.next();
      RC_ASSERT(date >= last);
      last = date;
    }
  }));
}

TEST_CASE("capacity is set by the scarcest of resources and streams, less what other arrivals take") {
  ClosedNetwork network;
  network.resources = {{"gpu", ResourceKind::gpu, 2.0, true}, {"link", ResourceKind::link, 1.0, true}};
  network.classes = {{"a", 10.0, Seconds{1.0}, Seconds{0.0}, Seconds{0.0}, {}, Rate{4.0}},
                     {"b", 50.0, Seconds{1.0}, Seconds{0.0}, Seconds{0.0}, {}, Rate{1.0}}};
  network.work = {{0.25, 0.05}, {0.5, 0.0}};
  // b takes 0.25 of the GPUs; what is left serves 0.75/0.125 of a.
  CHECK(open_capacity(network, 0).capacity_per_s == doctest::Approx(6.0));
  CHECK(open_capacity(network, 0).limit == "gpu");
  CHECK(own_capacity_per_s(network, 0) == doctest::Approx(8.0));
  network.classes[0].clients = 3.0;
  CHECK(open_capacity(network, 0).capacity_per_s == doctest::Approx(3.0));
  CHECK(open_capacity(network, 0).limit == "streams");
}

TEST_CASE("the open network's event time is Erlang's where one station serves, think time included") {
  ClosedNetwork network;
  network.resources = {{"gpu", ResourceKind::gpu, 4.0, true}};
  network.classes = {{"a", 1e6, Seconds{3.0}, Seconds{2.0}, Seconds{0.0}, {}, Rate{3.2}}};
  network.work = {{1.0}};
  // M/M/4 at load 0.8: 59.64 % wait, 1/(4 − 3.2) s each.
  CHECK(open_event_time_s(network).value() == doctest::Approx(2.0 + 1.0 + 0.59643 / 0.8).epsilon(1e-5));
  ClosedNetwork few_streams = network;
  few_streams.classes[0].clients = 9.0;  // serve 9/3 events/s
  CHECK_FALSE(open_event_time_s(few_streams).has_value());
  network.classes[0].arrivals = Rate{4.0};
  CHECK_FALSE(open_event_time_s(network).has_value());
}

TEST_CASE("verdicts: the bound first, then growth beyond chance, then a buffer that is full") {
  OpenEvidence evidence{.offered_per_s = 10.0,
                        .capacity_per_s = 12.0,
                        .window_s = 1000.0,
                        .arrivals = 10000.0,
                        .present = {5.0, 6.0, 4.0, 5.0, 6.0, 5.0}};
  CHECK(verdict_of(evidence) == OpenVerdict::stable);
  OpenEvidence above = evidence;
  above.capacity_per_s = 9.0;
  CHECK(verdict_of(above) == OpenVerdict::overloaded);
  OpenEvidence grows = evidence;
  grows.present = {100.0, 301.0, 499.0, 700.0, 900.0, 1100.0};
  CHECK(verdict_of(grows) == OpenVerdict::overloaded);
  CHECK(backlog_growth(grows).per_s == doctest::Approx(1.2).epsilon(0.01));
  grows.varies = true;
  CHECK(verdict_of(grows) == OpenVerdict::backlogged);
  // As steep, but within what 10,000 arrivals scatter by chance: 3·√20,000 = 424.
  OpenEvidence swings = evidence;
  swings.present = {5.0, 65.0, 125.0, 185.0, 245.0, 305.0};
  CHECK(verdict_of(swings) == OpenVerdict::stable);
  OpenEvidence full = evidence;
  full.buffer = 20.0;
  full.lost = 500.0;
  full.waiting_mean = 15.0;
  CHECK(verdict_of(full) == OpenVerdict::overloaded);
  full.waiting_mean = 5.0;
  CHECK(verdict_of(full) == OpenVerdict::stable);
}

TEST_CASE("a slope's interval is exact for a straight line and holds the slope of a noisy one") {
  const Estimate line = slope_interval(std::vector<double>{1.0, 3.0, 5.0, 7.0}, 0.5, 0.95);
  CHECK(line.mean == doctest::Approx(4.0));
  CHECK(line.half_width() == doctest::Approx(0.0));
  // Student's factor for 1 degree of freedom is 12.706; the residuals are -1/6, 1/3, -1/6.
  const Estimate noisy = slope_interval(std::vector<double>{0.0, 1.5, 2.0}, 1.0, 0.95);
  CHECK(noisy.mean == doctest::Approx(1.0));
  CHECK(noisy.half_width() ==
        doctest::Approx(12.7062 * std::sqrt((1.0 / 36 + 1.0 / 9 + 1.0 / 36) / 2.0)).epsilon(1e-4));
}
