#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/sweep/heat_map.hpp"
#include "reports/sweep/sweep_bars.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/tables/text_plot.hpp"
#include "tests/reports/report_samples.hpp"
#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (const std::string& line : lines_of(text)) widest = std::max(widest, width_of(line));
  return widest;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

std::string without_colours(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\033') {
      at = text.find('m', at);
    } else {
      plain += text[at];
    }
  }
  return plain;
}

/// Relative luminance (W3C, WCAG 2.1) of a colour of the 6x6x6 cube of 256-colour terminals.
double luminance(int colour) {
  const auto linear = [](int level) {
    const double value = (level == 0 ? 0.0 : 55.0 + 40.0 * level) / 255.0;
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const int cube = colour - 16;
  return 0.2126 * linear(cube / 36) + 0.7152 * linear(cube / 6 % 6) + 0.0722 * linear(cube % 6);
}

PointResult sum_of_cells(const SweepRow& row) {
  double sum = 0.0;
  for (const AxisCell& cell : row.cells) sum += cell.number.value_or(1.0);
  return answered_with({metric_of("event_time", "s", sum)});
}

}  // namespace

TEST_CASE("a small map is what one would draw by hand") {
  const SweepTable table =
      crossed_sweep({number_axis("a", "", {1, 2}), number_axis("rtt", "s", {0.001, 0.002})}, [](const SweepRow& row) {
        if (row.number == 0) return failed_with("no plan", "nothing fits");
        if (row.number == 3) return PointResult{};
        return answered_with({metric_of("event_time", "s", static_cast<double>(row.number))});
      });
  CHECK(heat_map_text(table, {}, {}) ==
        "event_time [s]\n"
        "  a\n"
        "  2  ██ 2    ·\n"
        "  1     × ░░ 1\n"
        "        1    2  rtt [ms]\n"
        "\n"
        "  ░░ from 1 ▒▒ 1.25 ▓▓ 1.5 ██ 1.75 to 2 s\n"
        "  × failed (1 point)\n"
        "  · not computed yet (1 point)\n");
}

TEST_CASE("no picture is wider than 80 characters, whatever its shape" * doctest::test_suite("release")) {
  CHECK(rc::check([] {
    const auto count = [](int most) { return static_cast<std::size_t>(*rc::gen::inRange(1, most)); };
    const double size = std::pow(10.0, *rc::gen::inRange(-12, 12));
    const SweepTable table = crossed_sweep(
        {number_axis("first_axis_with_a_long_name", "s", geometric(1e-4, 1.3, count(40))),
         number_axis("b", "", linear(1, 7, count(90))), word_axis("c", {"round_robin", "least_loaded"})},
        [&](const SweepRow& row) {
          if (row.number % 7 == 3) return failed_with("out of time", std::string(300, 'x'));
          PointResult result = answered_with(
              {metric_of("a_metric_with_a_name", "s", size * std::sin(static_cast<double>(row.number)), size / 50)});
          if (row.number % 5 == 1) result.status = PointStatus::imprecise;
          return result;
        });
    RC_ASSERT(widest_line(heat_map_text(table, {}, {})) <= 80U);
    RC_ASSERT(widest_line(without_colours(heat_map_text(table, {}, {.colour = true}))) <= 80U);
    RC_ASSERT(widest_line(heat_map_text(table, {.x = "b"}, {})) <= 80U);
    RC_ASSERT(widest_line(sweep_summary_text(table)) <= 80U);
  }));
}

TEST_CASE("shades and bars never fall as values grow, on either scale") {
  CHECK(rc::check([](std::vector<double> values) {
    if (values.size() < 2) return;
    if (*rc::gen::arbitrary<bool>())
      for (double& value : values) value = std::abs(value) + 1e-300;
    for (const auto use : {ValueScale::Use::shades, ValueScale::Use::bars}) {
      const ValueScale scale(values, use);
      std::sort(values.begin(), values.end());
      for (std::size_t i = 1; i < values.size(); ++i) {
        RC_ASSERT(scale.level(values[i - 1], 9) <= scale.level(values[i], 9));
        RC_ASSERT(scale.level(values[i], 9) < 9U);
      }
    }
  }));
}

TEST_CASE("the scale is logarithmic from a factor of a thousand on, and for shades where values crowd at the low end") {
  const std::vector<double> wide{1.0, 500.0, 1001.0};
  CHECK(ValueScale(wide, ValueScale::Use::bars).logarithmic());
  const std::vector<double> even{1.0, 50.0, 100.0};
  CHECK_FALSE(ValueScale(even, ValueScale::Use::shades).logarithmic());
  const std::vector<double> crowded{1.0, 10.0, 100.0};
  CHECK(ValueScale(crowded, ValueScale::Use::shades).logarithmic());
  CHECK_FALSE(ValueScale(crowded, ValueScale::Use::bars).logarithmic());
  const std::vector<double> signs{-1.0, 1e-9, 1e9};
  CHECK_FALSE(ValueScale(signs, ValueScale::Use::shades).logarithmic());
}

TEST_CASE("values that differ by no more than chance have one shade") {
  const std::vector<double> values{1.00, 1.01, 1.02};
  const ValueScale scale(values, ValueScale::Use::shades, true);
  for (const double value : values) CHECK(scale.level(value, 4) == 2);
  CHECK(shade_legend(scale, "s", 1.0, {}) == "  one shade for 1 to 1.02 s: they differ by no more than chance\n");
}

TEST_CASE("the colours of shades become lighter with the value") {
  double before = -1.0;
  for (std::size_t shade = 0; shade < shades_of({.colour = true}); ++shade) {
    const std::string text = on_shade("x", shade, {.colour = true});
    const std::size_t at = text.find("48;5;") + 5;
    const double here = luminance(std::stoi(text.substr(at)));
    CHECK(here > before);
    before = here;
  }
}

TEST_CASE("colours appear only where they are allowed, and change nothing else of the labels") {
  const SweepTable table = afternoon_sweep();
  for (const char* metric : {"event_time", "streams", "binding"}) {
    CHECK(heat_map_text(table, {.metric = metric}, {}).find('\033') == std::string::npos);
    CHECK(heat_map_text(table, {.metric = metric}, {.colour = true}).find('\033') != std::string::npos);
  }
}

TEST_CASE("every point stands once in the table and in the bars, every failure with its reason") {
  const SweepTable table = afternoon_sweep();
  const std::string text = sweep_points_text(table, {}, {});
  std::size_t rows = 0;
  std::vector<bool> seen(table.rows.size(), false);
  for (const std::string& line : lines_of(text)) {
    std::istringstream words(line);
    std::size_t number = 0;
    if (!(words >> number) || number >= seen.size()) continue;
    CHECK_FALSE(seen[number]);
    seen[number] = true;
    ++rows;
  }
  CHECK(rows == table.rows.size());
  CHECK(occurrences(text, "failed: out of time") == 4);
  CHECK(occurrences(text, "not computed yet") == 5);
  CHECK(holds(text, "× out of time at 4 points (41, 138, 235, 332): The point took longer than 60 s\n"));
}

TEST_CASE("every value of a map that fits stands in it once") {
  const SweepTable table = crossed_sweep(
      {number_axis("a", "", linear(100, 10, 9)), number_axis("b", "", linear(1, 1, 9))},
      [](const SweepRow& row) { return answered_with({metric_of("n", "", 500.0 + static_cast<double>(row.number))}); });
  const std::string text = heat_map_text(table, {}, {});
  const std::string map = text.substr(0, text.find("\n\n"));
  for (int value = 501; value < 580; ++value) CHECK(occurrences(map, " " + std::to_string(value)) == 1);
}

TEST_CASE("what does not fit is thinned, and the picture says so") {
  const SweepTable table =
      crossed_sweep({number_axis("a", "", linear(1, 1, 200)), number_axis("b", "", linear(1, 1, 150))}, sum_of_cells);
  const std::string text = heat_map_text(table, {}, {});
  CHECK(widest_line(text) <= 80);
  CHECK(lines_of(text).size() < 70);
  CHECK(holds(text, "One in 3 of the 150 values of b is shown. One in 4 of the 200 values of a is"));
}

TEST_CASE("other axes give one map for each combination, at most twelve, and the way out") {
  const SweepTable few = crossed_sweep(
      {number_axis("a", "", {1, 2, 3}), number_axis("b", "", {1, 2, 3}), word_axis("c", {"x", "y"})}, sum_of_cells);
  CHECK(occurrences(heat_map_text(few, {}, {}), "\n  c = ") == 2);
  const SweepTable many = crossed_sweep({number_axis("a", "", linear(1, 1, 30)), number_axis("b", "", linear(1, 1, 20)),
                                         number_axis("c", "", linear(1, 1, 13))},
                                        sum_of_cells);
  const std::string text = heat_map_text(many, {}, {});
  CHECK(occurrences(text, "\n  c = ") == 12);
  CHECK(holds(text,
              "These are 12 of 13 maps, one for each combination of the other axes. Hold an\n"
              "  axis, for example with --at c=VALUE, or choose others with --x and --y.\n"));
}

TEST_CASE("bars are as long as their values say, to both sides of nothing") {
  const SweepTable table = crossed_sweep({number_axis("a", "", {1, 2, 3, 4})}, [](const SweepRow& row) {
    const std::vector<double> values{-2.0, 0.0, 1.0, 2.0};
    return answered_with({metric_of("gain", "", values[row.number])});
  });
  std::vector<std::string> bars;
  for (const std::string& line : lines_of(heat_map_text(table, {}, {})))
    if (line.find("█") != std::string::npos) bars.push_back(line);
  REQUIRE(bars.size() == 3);
  CHECK(occurrences(bars[0], "█") == 24);
  CHECK(occurrences(bars[1], "█") == 12);
  CHECK(occurrences(bars[2], "█") == 24);
}

TEST_CASE("constant metrics, single points, words and sweeps without answers have pictures too") {
  const auto constant = [](const SweepRow&) { return answered_with({metric_of("slowdown", "", 1.25)}); };
  const SweepTable flat = crossed_sweep({number_axis("a", "", {1, 2, 3}), number_axis("b", "", {1, 2, 3})}, constant);
  CHECK(holds(heat_map_text(flat, {}, {}), "  every value is 1.25\n"));
  const SweepTable one = crossed_sweep({number_axis("a", "", {1}), number_axis("b", "s", {0.002})}, constant);
  CHECK(heat_map_text(one, {}, {}) == "slowdown, at a = 1, b = 2 ms\n  1.250\n");
  const SweepTable none = crossed_sweep({number_axis("a", "", {1, 2}), number_axis("b", "", {1, 2})});
  CHECK(heat_map_text(none, {}, {}) == "No point has an answer yet, so there is nothing to draw.\n");
  const std::string words =
      heat_map_text(afternoon_sweep(), {.metric = "binding", .at = {{"max_queue_delay", "2 ms"}}}, {});
  CHECK(holds(words, "  A gke nic ("));
  CHECK(holds(words, "  B gke/t4 ("));
}

TEST_CASE("a sweep shows people the slowdown as a share, while its points hold the ratio") {
  const SweepTable table = crossed_sweep({number_axis("count", "", {10, 20})}, [](const SweepRow& row) {
    return answered_with({metric_of("slowdown", "", row.number == 0 ? 1.0 : 1.0016, row.number == 0 ? 0.0 : 0.0003)});
  });
  const std::string text = sweep_points_text(for_people(table), {.metric = "slowdown"}, {});
  CHECK(text ==
        "  point  count  slowdown [%]\n"
        "      0     10             0\n"
        "      1     20   0.16 ± 0.03\n");
  CHECK(table.rows[1].result.answer.metrics[0].mean == 1.0016);
}

TEST_CASE("numbers that are not finite are no numbers") {
  const SweepTable table =
      crossed_sweep({number_axis("a", "", {1, 2}), number_axis("b", "", {1, 2})}, [](const SweepRow& row) {
        const std::vector<double> values{1.0, std::nan(""), HUGE_VAL, 2.0};
        return answered_with({metric_of("n", "", values[row.number])});
      });
  const std::string text = heat_map_text(table, {}, {}) + sweep_points_text(table, {}, {});
  CHECK_FALSE(holds(text, "nan"));
  CHECK_FALSE(holds(text, "inf"));
  CHECK_FALSE(holds(text, "none"));
  CHECK(holds(text, "– answered without this metric (2 points)"));
}

TEST_CASE("names that would move the cursor or fill the screen do neither") {
  SweepTable table = crossed_sweep({number_axis("a", "", {1, 2}), word_axis("b", {"x\033[2J", std::string(500, 'y')})},
                                   [](const SweepRow&) { return failed_with("k\ril\nled", "\xff\xfe"); });
  table.title = "a\033]0;title\007";
  table.axes[0].name = std::string(3000, 'n');
  table.rows[0].result = answered_with({metric_of("m\tm", "", 1.0)}, {{.name = "w", .word = "\x9b"}});
  const std::string text = sweep_summary_text(table) + heat_map_text(table, {}, {}) + sweep_points_text(table, {}, {});
  for (const char c : text) CHECK((c == '\n' || static_cast<unsigned char>(c) >= 0x20));
  CHECK(widest_line(sweep_summary_text(table) + heat_map_text(table, {}, {})) <= 80);
}

TEST_CASE("the summary counts what there is") {
  CHECK(sweep_summary_text(afternoon_sweep()) ==
        "Sweep of ProtoDUNE as a service on four T4: saturn run at each point, seed 42\n"
        "  max_batch_size: 11 values, 1 to 1024\n"
        "  rtt: 13 values, 0.1 to 100 ms\n"
        "  max_queue_delay: 0, 0.5, 2 ms\n"
        "  429 points: 420 answered (8 of them less precise than asked), 4 failed, 5 not\n"
        "  computed yet (1.2 %; the sweep command computes them).\n"
        "  × out of time at 4 points (41, 138, 235, 332): The point took longer than 60 s\n"
        "    (--point-time).\n");
}
