#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/tables/text_plot.hpp"
#include "tests/reports/report_samples.hpp"
#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

namespace {

const TextStyle pictures{.pictures = true};

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> characters;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) characters.emplace_back();
    characters.back() += c;
  }
  return characters;
}

/// How many eighths of a line each column of a picture is high; points count as nothing.
std::vector<int> column_heights(const std::string& picture, std::size_t width) {
  const std::array<std::string, 9> blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<int> columns(width, 0);
  std::istringstream lines(picture);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tick = line.find("┤");
    const std::size_t edge = tick == std::string::npos ? line.find("│") : tick;
    if (edge == std::string::npos) continue;
    const auto cells = characters_of(line.substr(edge + std::string("│").size()));
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const auto block = std::find(blocks.begin(), blocks.end(), cells[column]);
      if (block != blocks.end()) columns.at(column) += static_cast<int>(block - blocks.begin());
    }
  }
  return columns;
}

std::size_t widest_of(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, width_of(line));
  return widest;
}

}  // namespace

TEST_CASE("a straight line is a staircase of eighths, with its values beside the edges of lines") {
  const BlockPlot plot{.x_title = "x", .y_title = "y", .curve = {{0.0, 0.0}, {16.0, 40.0}}, .width = 17, .height = 4};
  CHECK(block_plot(plot, {}) ==
        "  y\n"
        "  40 ┤             ▂▄▆█\n"
        "     │         ▂▄▆█████\n"
        "  20 ┤     ▂▄▆█████████\n"
        "     │ ▂▄▆█████████████\n"
        "   0 └─────────────────\n"
        "      0       8      16\n"
        "                      x\n");
}

TEST_CASE("a point stands in the line that its value lies in, and what is outside the axes or no number is left out") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const BlockPlot plot{.x_title = "x",
                       .y_title = "y",
                       .curve = {{0.0, 0.0}, {16.0, 40.0}},
                       .points = {{.x = 0.0, .y = 25.0},
                                  {.x = 8.0, .y = 40.0, .filled = false},
                                  {.x = 20.0, .y = 5.0},
                                  {.x = 4.0, .y = nan}},
                       .mark = 4.0,
                       .mark_words = "here",
                       .width = 17,
                       .height = 4};
  CHECK(block_plot(plot, {}) ==
        "  y\n"
        "  40 ┤        ○    ▂▄▆█\n"
        "     │●        ▂▄▆█████\n"
        "  20 ┤     ▂▄▆█████████\n"
        "     │ ▂▄▆█████████████\n"
        "   0 └─────────────────\n"
        "          ▲ here\n"
        "      0       8      16\n"
        "                      x\n");
}

TEST_CASE("a rising curve never steps down, whatever its values, and stays within its canvas") {
  CHECK(rc::check([] {
    const std::size_t n = *rc::gen::inRange<std::size_t>(2, 20);
    const auto steps =
        *rc::gen::container<std::vector<std::uint32_t>>(n, rc::gen::inRange<std::uint32_t>(1, 1'000'000));
    const double scale = std::pow(10.0, *rc::gen::inRange(-12, 12));
    BlockPlot plot{.log_x = *rc::gen::arbitrary<bool>(), .width = *rc::gen::inRange<std::size_t>(16, 80)};
    double y = scale * *rc::gen::inRange(-1'000'000, 1'000'000);
    double x = 0.0;
    for (const std::uint32_t step : steps) {
      plot.curve.emplace_back(x += step, y);
      y += scale * (step % 97);
    }
    const std::string text = block_plot(plot, {});
    const std::vector<int> columns = column_heights(text, plot.width);
    RC_ASSERT(std::is_sorted(columns.begin(), columns.end()));
    RC_ASSERT(columns.back() <= static_cast<int>(8 * plot.height));
    RC_ASSERT(text.find("nan") == std::string::npos);
    RC_ASSERT(text.find("none") == std::string::npos);
  }));
}

TEST_CASE("without two different x there is no curve") {
  CHECK(block_plot({}, {}).empty());
  CHECK(block_plot({.curve = {{1.0, 2.0}, {1.0, 3.0}}}, {}).empty());
}

TEST_CASE("a plan's curve is flat until its resource saturates and then grows in proportion to the jobs") {
  PlanReport report;
  report.facts.ideal_event_time_s = 100.0;
  report.plan.answer.saturates_at = 42.0;
  report.plan.answer.streams_per_gpu = 42;
  const std::string text = saturation_text(report, pictures);
  const std::vector<int> columns = column_heights(text, 64);
  // 64 columns from 0 to 63 jobs: one job a column. The axis ends at 150 s, which is 48 eighths.
  for (std::size_t jobs = 0; jobs < 64; ++jobs) {
    const double event_time_s = 100.0 * std::max(1.0, static_cast<double>(jobs) / 42.0);
    CHECK(columns[jobs] == std::lround(48.0 * event_time_s / 150.0));
  }
  CHECK(holds(text, "event time [s]\n  150 ┤"));
  CHECK(holds(text, "█ bound\n"));
}

TEST_CASE("a plan has its curve on a terminal alone, and nothing else changes there") {
  PlanReport report = sample_plan_report();
  report.plan.answer.saturates_at = 68.4;
  const std::string plain = terminal_text(plan_answer(report), {}, false);
  const std::string on_terminal = terminal_text(plan_answer(report), pictures, false);
  const std::string curve = "\n" + saturation_text(report, pictures);
  const std::size_t at = on_terminal.find(curve);
  REQUIRE(at != std::string::npos);
  CHECK(on_terminal.substr(0, at) + on_terminal.substr(at + curve.size()) == plain);
  CHECK(holds(curve, "● simulated, within 1 %"));
  CHECK(holds(curve, "▲ plan: 68"));
  CHECK(widest_of(curve) <= 80);
}

TEST_CASE("a narrow terminal has a narrower curve, and a very narrow one has none") {
  PlanReport report = sample_plan_report();
  report.plan.answer.saturates_at = 68.4;
  const std::string narrow = saturation_text(report, {.pictures = true, .width = 40});
  CHECK(widest_of(narrow.substr(0, narrow.find("█ bound"))) <= 40);
  CHECK_FALSE(narrow.empty());
  CHECK(saturation_text(report, {.pictures = true, .width = 30}).empty());
  CHECK(saturation_text({}, pictures).empty());
}

TEST_CASE("a sweep over numbers has its curve on a terminal, but over words, or over two axes, it has none") {
  const auto answer = [](const SweepRow& row) {
    return answered_with({metric_of("event_time", "s", 10.0 * (1.0 + static_cast<double>(row.number)))});
  };
  const SampleAxis clients = number_axis("clients", "", linear(1.0, 1.0, 5));
  const SampleAxis words = word_axis("rule", {"one", "two", "three"});
  const SweepTable over_clients = crossed_sweep({clients}, answer);
  const std::string plain = heat_map_text(over_clients, {}, {});
  const std::string on_terminal = heat_map_text(over_clients, {}, pictures);
  REQUIRE(on_terminal.starts_with(plain));
  const std::vector<int> columns = column_heights(on_terminal.substr(plain.size()), 64);
  // 10 s to 50 s; the axis goes from 0 to 50 s: 16 to 80 eighths.
  CHECK(columns.front() == 16);
  CHECK(columns.back() == 80);
  CHECK(std::is_sorted(columns.begin(), columns.end()));
  CHECK(heat_map_text(crossed_sweep({words}, answer), {}, pictures) ==
        heat_map_text(crossed_sweep({words}, answer), {}, {}));
  CHECK(heat_map_text(crossed_sweep({clients, words}, answer), {}, pictures) ==
        heat_map_text(crossed_sweep({clients, words}, answer), {}, {}));
}
