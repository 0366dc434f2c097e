#include "models/response_time.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/mva.hpp"
#include "models/run_checks.hpp"

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

}  // namespace saturn
