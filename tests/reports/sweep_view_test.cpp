#include "reports/sweep_view.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

TEST_CASE("everything that is wrong with a view is said at once, with what there is") {
  const SweepTable table = afternoon_sweep();
  const auto faults = faults_of(
      table, {.metric = "latency", .x = "max", .y = "bandwidth", .at = {{"rtt", "3 ms"}, {"max_queue_delay", "1 ms"}}});
  REQUIRE(faults.size() == 5);
  CHECK(faults[0].option == "--metric");
  CHECK(faults[0].code == "show.unknown_metric");
  CHECK(faults[0].text ==
        "No point answers with \"latency\"; there are \"event_time_s\", \"clients_per_gpu\" and \"binding\".");
  CHECK(faults[1].option == "--x");
  CHECK(faults[1].code == "show.unknown_axis");
  CHECK(faults[1].text ==
        "\"max\" is part of several axes: \"max_batch_size\" and \"max_queue_delay\"; its axes are \"max_batch_size\", "
        "\"rtt\" and \"max_queue_delay\".");
  CHECK(faults[2].text ==
        "The sweep has no axis \"bandwidth\"; its axes are \"max_batch_size\", \"rtt\" and \"max_queue_delay\".");
  CHECK(faults[3].option == "--at max_queue_delay=1 ms");
  CHECK(faults[3].code == "show.unknown_value");
  CHECK(faults[3].text == "\"max_queue_delay\" is never \"1 ms\"; its values are \"0 ms\", \"0.5 ms\" and \"2 ms\".");
  CHECK(faults[4].option == "--at rtt=3 ms");
  CHECK_THROWS_AS(resolved_view(table, {.metric = "latency"}), std::invalid_argument);
}

TEST_CASE("a map needs two different axes that are not held") {
  const SweepTable table = afternoon_sweep();
  const auto twice = faults_of(table, {.x = "rtt", .y = "/sample/rtt"});
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].code == "show.not_two_axes");
  const auto held = faults_of(table, {.x = "rtt", .at = {{"rtt", "1 ms"}}});
  REQUIRE(held.size() == 1);
  CHECK(held[0].code == "show.not_two_axes");
  const auto single = faults_of(crossed_sweep({number_axis("a", "", {1, 2})}), {.y = "a"});
  REQUIRE(single.size() == 1);
  CHECK(single[0].text == "A map needs two axes, and the sweep has one: \"a\"; leave --y out.");
}

TEST_CASE("a value may be written as in the scenario, as it is shown, or in another unit") {
  const SweepTable table = afternoon_sweep();
  const auto points = [&](const std::string& value) {
    const SweepView view{.at = {{"max_queue_delay", value}}, .quantity = [](const std::string& text) {
                           return text == "500 us" ? std::optional(0.0005) : std::nullopt;
                         }};
    return faults_of(table, view).empty() ? resolved_view(table, view).rows.size() : 0U;
  };
  CHECK(points(table.rows[1].cells[2].text) == 143);
  CHECK(points("0.5 ms") == 143);
  CHECK(points("0.5ms") == 143);
  CHECK(points("500 us") == 143);
  CHECK(points("501 us") == 0);
}

TEST_CASE("what is left open is chosen: the first metric, the longest axes, none that runs along with another") {
  const SweepTable table = afternoon_sweep();
  const ResolvedView view = resolved_view(table, {});
  CHECK(view.metric->name == "event_time_s");
  CHECK(view.y == 1U);
  CHECK(view.x == 0U);
  CHECK(view.split == std::vector<std::size_t>{2});

  SweepTable zipped = crossed_sweep({number_axis("a", "", {1, 2, 3}), number_axis("b", "", {1, 2, 3})});
  std::erase_if(zipped.rows, [](const SweepRow& row) { return row.cells[0].number != row.cells[1].number; });
  const ResolvedView along = resolved_view(zipped, {});
  CHECK(along.x == 0U);
  CHECK_FALSE(along.y.has_value());
  CHECK(along.along == std::vector<std::size_t>{1});
}
