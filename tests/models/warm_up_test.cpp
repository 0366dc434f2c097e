#include "models/statistics/warm_up.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/queueing/mva.hpp"
#include "models/results/run_checks.hpp"
#include "tests/models/normal_numbers.hpp"

namespace saturn {

namespace {

double exact_response_s(double computing_s, std::size_t clients) {
  return exact_mva({{1.0, 1.0}}, computing_s, clients).event_time_s;
}

WholeLoop loop_of(double event_time_s) {
  // 20 clients in 2000 s: 1600 events, 25 s each, of which 20 s are drawn with cv 1.
  return {.name = "reco",
          .clients = 20.0,
          .window_s = 2000.0,
          .events = 1600.0,
          .event_time_s = event_time_s,
          .between_s = 0.0,
          .at_edges_s = 800.0,
          .spread_s = 20.0,
          .longest_s = 150.0};
}

}  // namespace

TEST_CASE("two estimates that agree are the event time, and alone the rest counts where nobody waits") {
  CHECK(response_time_s({.clients = 20.0, .ideal_s = 21.0, .by_rest_s = 24.0, .by_rate_s = 24.0}) ==
        doctest::Approx(24.0).epsilon(1e-12));
  CHECK(response_time_s({.clients = 20.0, .ideal_s = 21.0, .by_rest_s = 21.0, .by_rate_s = 25.0}) ==
        doctest::Approx(21.0).epsilon(1e-12));
}

TEST_CASE("near saturation the event time is the one by the rate") {
  const double r = response_time_s({.clients = 200.0, .ideal_s = 21.0, .by_rest_s = 195.0, .by_rate_s = 200.0});
  CHECK(r == doctest::Approx(200.0).epsilon(1e-3));
}

TEST_CASE("what was drawn by chance drops out of the event time, at every load") {
  // Computing times that came out longer or shorter than 20 s by chance: the rest of an event is that of mean value
  // analysis at the drawn mean, and so is the rate.
  for (const std::size_t clients : {1u, 5u, 10u, 20u, 22u, 30u, 60u}) {
    for (const double drawn_s : {18.0, 19.0, 21.0, 22.0}) {
      const double exact_s = exact_response_s(20.0, clients);
      const double of_drawn_s = exact_response_s(drawn_s, clients);
      const double by_rest_s = 20.0 + of_drawn_s - drawn_s;
      const double mean_s = response_time_s(
          {.clients = static_cast<double>(clients), .ideal_s = 21.0, .by_rest_s = by_rest_s, .by_rate_s = of_drawn_s});
      CAPTURE(clients);
      CAPTURE(drawn_s);
      CHECK(std::abs(mean_s - exact_s) <= 0.15 * std::abs(drawn_s - 20.0));
    }
  }
}

TEST_CASE("Little's law of the whole loop fails for an event time that edges and chance do not explain") {
  // By the rate 25 s; at the edges 0.5 s an event, by chance 6·20/40 + 12·150/1600 = 4.125 s.
  CHECK(check_whole_loop(loop_of(25.0)).passed);
  CHECK(check_whole_loop(loop_of(29.6)).passed);
  CHECK_FALSE(check_whole_loop(loop_of(29.7)).passed);
  CHECK_FALSE(check_whole_loop(loop_of(20.3)).passed);
  WholeLoop nothing_drawn = loop_of(25.6);
  nothing_drawn.spread_s = 0.0;
  CHECK_FALSE(check_whole_loop(nothing_drawn).passed);
  nothing_drawn.event_time_s = 25.4;
  CHECK(check_whole_loop(nothing_drawn).passed);
}

namespace {

/// AR(1) about 100 with coefficient 0.5, which starts off by `offset` and forgets that with a time constant `memory`.
std::vector<double> autoregressive(std::uint32_t entity, std::size_t n, double offset, double memory) {
  NormalNumbers normal(entity);
  std::vector<double> series;
  double deviation = normal.next() / std::sqrt(0.75);
  for (std::size_t i = 0; i < n; ++i) {
    series.push_back(100.0 + deviation + offset * std::exp(-static_cast<double>(i) / memory));
    deviation = 0.5 * deviation + normal.next();
  }
  return series;
}

}  // namespace

TEST_CASE("a transient is cut, and not much more than the transient") {
  // Offset 40 falls below the noise of one mean of five, 0.9, after ln(40/0.9) = 3.8 time constants, 76 values.
  for (std::uint32_t entity = 1; entity <= 50; ++entity) {
    const WarmUpCut result = mser5_cut(autoregressive(entity, 1000, 40.0, 20.0));
    CHECK(result.steady);
    CHECK(result.cut % 5 == 0);
    CHECK(result.cut >= 40);
    CHECK(result.cut <= 500);
  }
}

TEST_CASE("what is left after the cut has the mean of the steady state") {
  int within = 0;
  for (std::uint32_t entity = 1; entity <= 100; ++entity) {
    const std::vector<double> series = autoregressive(entity, 1000, 40.0, 20.0);
    const std::size_t cut = mser5_cut(series).cut;
    double mean = 0.0;
    for (std::size_t i = cut; i < series.size(); ++i) mean += series[i] / static_cast<double>(series.size() - cut);
    // The standard error of an AR(1) mean with coefficient 0.5 is 2/sqrt(n).
    within += std::abs(mean - 100.0) < 2.576 * 2.0 / std::sqrt(static_cast<double>(series.size() - cut));
  }
  CHECK(within >= 95);  // 99 expected; fewer than 95 come once in 2,000 seeds
}

TEST_CASE("a series that drifts to its end is not steady, half of it is kept, and a better cut would move its mean") {
  std::vector<double> series;
  for (int i = 0; i < 400; ++i) series.push_back(100.0 + i);
  const WarmUpCut result = mser5_cut(series);
  CHECK_FALSE(result.steady);
  CHECK(result.cut == 200);
  // The least statistic has the shortest rest that is tried, a quarter: its mean is 449.5, that of the half 399.5.
  CHECK(result.drift == doctest::Approx(449.5 / 399.5 - 1.0));
}

TEST_CASE("a constant series is not cut, nor one whose values differ by rounding") {
  CHECK(mser5_cut(std::vector<double>(200, 122.9)).cut == 0);
  CHECK(mser5_cut(std::vector<double>(200, 0.0)).cut == 0);
  NormalNumbers normal(9);
  std::vector<double> rounded;
  for (int i = 0; i < 200; ++i) rounded.push_back(122.9 * (1.0 + 1e-12 * normal.next()));
  const WarmUpCut result = mser5_cut(rounded);
  CHECK(result.cut == 0);
  CHECK(result.steady);
}

TEST_CASE("a deterministic transient is cut where it ends, whatever rounding follows") {
  NormalNumbers normal(10);
  std::vector<double> series;
  for (int i = 0; i < 200; ++i) series.push_back(i < 23 ? 150.0 - i : 122.9 * (1.0 + 1e-13 * normal.next()));
  const WarmUpCut result = mser5_cut(series);
  CHECK(result.cut == 25);
  CHECK(result.steady);
}

TEST_CASE("a steady series is rarely called drifting") {
  int drifting = 0;
  for (std::uint32_t entity = 1000; entity < 2000; ++entity) {
    drifting += !mser5_cut(autoregressive(entity, 200, 0.0, 1.0)).steady;
  }
  // One in fifty would already make the warning worthless.
  CHECK(drifting < 20);
}

TEST_CASE("a series too short to judge is left whole") {
  const WarmUpCut result = mser5_cut(std::vector<double>{9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0});
  CHECK(result.cut == 0);
  CHECK(result.steady);
  CHECK(mser5_cut({}).cut == 0);
}

TEST_CASE("where a series can only come from below, a burst at its beginning is kept and a low beginning is cut") {
  std::vector<double> burst = autoregressive(3, 1000, 40.0, 20.0);
  CHECK(mser5_cut(burst).cut > 0);
  CHECK(mser5_cut(burst, Transient::from_below).cut == 0);
  std::vector<double> filling = autoregressive(3, 1000, -40.0, 20.0);
  CHECK(mser5_cut(filling, Transient::from_below).cut == mser5_cut(filling).cut);
}

}  // namespace saturn
