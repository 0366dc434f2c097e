#include "reports/page/sweep/sweep_page.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "reports/web/web_files.hpp"
#include "reports/words/number_text.hpp"
#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

namespace {

ReportPage page_of(const SweepTable& table, const SweepView& view = {}) {
  return sweep_page(table, {.folder = "s",
                            .sweep_command = "saturn sweep x.json --axis /a --out s",
                            .view = view,
                            .commands = {"saturn sweep x.json --axis /a --out s"}});
}

std::vector<Figure> figures_of(const ReportPage& page) {
  std::vector<Figure> figures;
  for (const PageSection& section : page.sections)
    figures.insert(figures.end(), section.figures.begin(), section.figures.end());
  return figures;
}

const Figure* figure_called(const std::vector<Figure>& figures, const std::string& name) {
  const auto found =
      std::find_if(figures.begin(), figures.end(), [&](const Figure& figure) { return figure.name == name; });
  return found == figures.end() ? nullptr : &*found;
}

std::size_t column_of(const Figure& figure, const std::string& head) {
  for (std::size_t i = 0; i < figure.rows.columns.size(); ++i)
    if (figure.rows.columns[i].head() == head) return i;
  FAIL("no column " << head);
  return 0;
}

PointResult time_by_number(const SweepRow& row) {
  const double time = 0.01 + 0.001 * static_cast<double>(row.number);
  return answered_with({metric_of("event_time", "s", time, 0.1 * time)});
}

std::vector<std::string> fields_of(const nlohmann::json& spec) {
  std::vector<std::string> fields;
  if (spec.is_object()) {
    for (const auto& [key, value] : spec.items()) {
      if (key == "field" && value.is_string()) fields.push_back(value);
      const std::vector<std::string> inner = fields_of(value);
      fields.insert(fields.end(), inner.begin(), inner.end());
    }
  } else if (spec.is_array()) {
    for (const auto& value : spec) {
      const std::vector<std::string> inner = fields_of(value);
      fields.insert(fields.end(), inner.begin(), inner.end());
    }
  }
  return fields;
}

/// Names behind "datum." in the filters of a specification.
std::vector<std::string> filtered_fields(const std::string& spec) {
  std::vector<std::string> fields;
  for (std::size_t at = spec.find("(datum."); at != std::string::npos; at = spec.find("(datum.", at + 1))
    fields.push_back(spec.substr(at + 7, spec.find(')', at) - at - 7));
  return fields;
}

/// Figures have names of their own, and either a specification whose fields are heads of its rows, or a reason.
void check_figures(const ReportPage& page) {
  std::map<std::string, int> names;
  for (const Figure& figure : figures_of(page)) {
    CAPTURE(figure.name);
    CHECK(++names[figure.name] == 1);
    if (figure.spec.empty()) {
      CHECK_FALSE(figure.cannot.empty());
      continue;
    }
    std::vector<std::string> fields = fields_of(nlohmann::json::parse(figure.spec));
    // Templates of maps write longer expressions.
    if (!figure.name.starts_with("map_") && !figure.name.starts_with("words_") && figure.name != "throughput_latency")
      for (const std::string& field : filtered_fields(figure.spec)) fields.push_back(field);
    for (const std::string& field : fields) {
      const bool known = std::any_of(figure.rows.columns.begin(), figure.rows.columns.end(),
                                     [&](const RowColumn& column) { return column.head() == field; });
      CHECK_MESSAGE(known, field);
    }
  }
}

/// A run's answer as simulations give it, with two models and three resources.
PointResult full_answer(const SweepRow& row) {
  const double n = static_cast<double>(row.number);
  const double time = 1.0 + std::sin(n / 700.0) * 0.3 + 1e-4 * std::fmod(n * 7919.0, 101.0);
  std::vector<SweepMetric> metrics{metric_of("events", "per_s", 1000.0 / time, 1.234567891 / time)};
  const auto times = [&](const std::string& stem, double mean) {
    for (const char* which : {"", "_p50", "_p95", "_p99"})
      metrics.push_back(metric_of(stem + which, "s", mean * 1.0123456789, mean / 123.4567891));
  };
  times("event_time", time);
  metrics.push_back(metric_of("slowdown", "", time / 0.7, 0.0123456789));
  for (const std::string model : {"models.emtrk.", "models.segmentation."}) {
    metrics.push_back(metric_of(model + "requests", "per_s", 20000.0 / time, 12.3456789));
    times(model + "latency", time / 7.0);
    metrics.push_back(metric_of(model + "queue", "s", time / 30.0, time / 3000.0));
    metrics.push_back(metric_of(model + "compute", "s", time / 21.0, time / 2100.0));
    metrics.push_back(metric_of(model + "batch_items", "", 8.0 / time, 0.0123456789));
  }
  for (const std::string resource : {"gke/t4", "gke nic", "network fnal-iowa"})
    metrics.push_back(metric_of("resources." + resource + ".busy_fraction", "", 0.7 / time, 0.00123456789));
  metrics.push_back(metric_of("cost_per_million_events", "usd", 3.0 * time, 0.0123456789));
  return answered_with(metrics, {{.name = "binding", .word = time > 1.0 ? "gke/t4" : "network fnal-iowa"},
                                 {.name = "next", .word = "gke nic"}});
}

}  // namespace

TEST_CASE("a sweep's map and lines hold the values of its points, and missing cells say why") {
  SweepTable table = crossed_sweep(
      {number_axis("rtt", "s", geometric(1e-3, 1.5, 9)), number_axis("batch", "", geometric(1, 2, 8))}, time_by_number);
  table.rows[10].result = failed_with("out of time", "The point took too long.");
  table.rows[11].result = {};
  const ReportPage page = page_of(table);
  check_figures(page);
  const std::vector<Figure> figures = figures_of(page);
  const Figure* map = figure_called(figures, "map_event_time_s");
  REQUIRE(map != nullptr);
  const std::size_t cell = column_of(*map, "cell");
  const std::size_t value = column_of(*map, "value");
  std::size_t checked = 0;
  std::size_t missing = 0;
  for (const std::vector<RowCell>& row : map->rows.rows) {
    const std::string& series = std::get<std::string>(row[column_of(*map, "series")]);
    if (series != "cell" && series != "missing") continue;
    // Both axes have more values upwards than to the right, or as many: find the point by the cell's own place.
    const auto place = static_cast<std::size_t>(std::get<double>(row[cell]));
    const FieldMap& field = page.sections.front().maps.front().map;
    const bool batch_right = field.x.title == "batch";
    const std::size_t ix = place % field.x.size();
    const std::size_t iy = place / field.x.size();
    const SweepRow& point = table.rows[batch_right ? iy * 8 + ix : ix * 8 + iy];
    if (series == "missing") {
      ++missing;
      const std::string why = point.number == 10 ? "out of time: The point took too long." : "not computed yet";
      CHECK(std::get<std::string>(row[column_of(*map, "text")]) == why);
    } else {
      ++checked;
      CHECK(std::get<double>(row[value]) == doctest::Approx(1e3 * point.result.answer.metrics[0].mean).epsilon(1e-5));
    }
  }
  CHECK(checked == 70);
  CHECK(missing == 2);

  SweepTable line = crossed_sweep({number_axis("rtt", "s", geometric(1e-3, 2, 6))}, time_by_number);
  line.rows[3].result = {};
  const std::vector<Figure> lines = figures_of(page_of(line));
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].name == "over_rtt_event_time_ms");
  CHECK(rows_csv(lines[0].rows) ==
        "rtt_ms,event_time_ms,event_time_low_ms,event_time_high_ms,line,point,status\n"
        "1,10,9,11,all points,0,answered\n"
        "2,11,9.9,12.1,all points,1,answered\n"
        "4,12,10.8,13.2,all points,2,answered\n"
        "8,,,,all points,3,not computed yet\n"
        "16,14,12.6,15.4,all points,4,answered\n"
        "32,15,13.5,16.5,all points,5,answered\n");
}

TEST_CASE("a sweep's page begins with the best point and what is missing, and how to get it") {
  SweepTable table = crossed_sweep(
      {number_axis("rtt", "s", geometric(1e-3, 1.5, 8)), word_axis("dispatch", {"a", "b", "c", "d", "e"})},
      time_by_number);
  for (std::size_t i = 0; i < 7; ++i) table.rows[33 + i].result = {};
  table.rows[2].result = failed_with("no plan", "Nothing saturates.");
  table.rows[5].result.status = PointStatus::imprecise;
  const ReportPage page = page_of(table);
  check_figures(page);
  CHECK(
      page.lead ==
      "A sweep of 40 points over round-trip time and dispatch, 32 of them answered. The lowest event time is "
      "10.0 ± 1.0 ms at round-trip time 1 ms, dispatch a (point 0). One other point cannot be told apart from it: the "
      "intervals "
      "overlap.");
  CHECK(page.warnings ==
        std::vector<std::string>{
            "7 of 40 points (17.5 %) are missing: the sweep is unfinished. The sweep's command computes them: saturn "
            "sweep x.json --axis /a --out s",
            "1 of 40 points (2.5 %) failed: 1 no plan. The reasons are among the failures below.",
            "1 of 40 points (2.5 %) is less precise than asked; the intervals say how precise."});
  REQUIRE(page.sections.size() >= 3);
  const auto failures = std::find_if(page.sections.begin(), page.sections.end(),
                                     [](const PageSection& section) { return section.id == "failures"; });
  REQUIRE(failures != page.sections.end());
  CHECK(ShownTable(failures->tables[0]).rows ==
        std::vector<std::vector<std::string>>{{"no plan", "1", "2", "Nothing saturates."}});
}

TEST_CASE("the curve of a chosen cell breaks where a point has failed or is missing") {
  SweepTable table = crossed_sweep(
      {number_axis("rtt", "s", geometric(1e-3, 2, 6)), number_axis("batch", "", linear(1, 1, 5))}, time_by_number);
  // Point 5 i + j is at the i-th round-trip time and the j-th batch; all of the last batch failed.
  table.rows[10].result = failed_with("out of time", "The point took too long.");
  table.rows[20].result = {};
  for (std::size_t i = 0; i < 6; ++i) table.rows[5 * i + 4].result = failed_with("refused", "Too many.");
  const FieldMap map = page_of(table).sections.front().maps.at(0).map;
  REQUIRE(map.curve_x_title == "round-trip time");
  const bool batch_right = map.x.title == "batch";
  std::vector<std::string> first;
  std::vector<std::string> second;
  for (const auto& [batch, texts] : {std::pair(0U, &first), std::pair(1U, &second)})
    for (const CurveSample& sample : (batch_right ? map.at(3, batch) : map.at(batch, 3)).curve)
      texts->push_back(fixed_text(1e3 * sample.x, 0) + ": " + (sample.y ? fixed_text(1e3 * *sample.y, 0) : "none"));
  CHECK(first == std::vector<std::string>{"1: 10", "2: 15", "4: none", "8: 25", "16: none", "32: 35"});
  CHECK(second == std::vector<std::string>{"1: 11", "2: 16", "4: 21", "8: 26", "16: 31", "32: 36"});
  CHECK((batch_right ? map.at(3, 4) : map.at(4, 3)).curve.empty());
}

TEST_CASE("points whose values differ by rounding alone are equal, and the first of them is the best") {
  // Steps of 2e-15 lie below the tolerance of 1e-9, steps of 1e-6 above it.
  const double rates[] = {5.0, 9.804 * (1 - 2e-15), 9.804, 9.804 * (1 + 2e-15), 9.804 * (1 - 1e-6), 7.0};
  const SweepTable table = crossed_sweep({number_axis("count", "", linear(5, 5, 6))}, [&](const SweepRow& row) {
    return answered_with({metric_of("events", "per_s", rates[row.number])});
  });
  const ReportPage page = page_of(table);
  CHECK(page.lead ==
        "A sweep of 6 points over number of jobs. The highest event rate is 9.804 /s at number of jobs 10 (point 1). 2 "
        "other points have the same value; the first one is named.");
  const auto points = std::find_if(page.sections.begin(), page.sections.end(),
                                   [](const PageSection& section) { return section.id == "points"; });
  REQUIRE(points != page.sections.end());
  std::vector<std::string> order;
  for (const std::vector<std::string>& row : ShownTable(points->tables.at(0)).rows) order.push_back(row.front());
  CHECK(order == std::vector<std::string>{"1", "2", "3", "4", "5", "0"});

  SweepTable two = crossed_sweep({number_axis("count", "", {1, 2, 3})}, [&](const SweepRow& row) {
    return answered_with(
        {metric_of("event_time", "s", row.number == 0 ? 3.0 : 2.0 - 4e-16 * static_cast<double>(row.number))});
  });
  CHECK(page_of(two).lead ==
        "A sweep of 3 points over number of jobs. The lowest event time is 2.000 s at number of jobs 2 (point 1). One "
        "other point has the same value; the first one is named.");
  // 2.0 to 2.2 and 2.1 to 2.3 overlap.
  two.rows[0].result = answered_with({metric_of("event_time", "s", 2.2, 0.1)});
  for (const std::size_t i : {1U, 2U}) two.rows[i].result = answered_with({metric_of("event_time", "s", 2.1, 0.1)});
  CHECK(page_of(two).lead.ends_with(
      "(point 1). One other point has the same value; the first one is named. One other point cannot be told apart "
      "from it: the intervals overlap."));
}

TEST_CASE("points that failed, are missing or imprecise break no law") {
  SweepTable table = crossed_sweep({number_axis("rtt", "s", geometric(1e-3, 2, 4))}, time_by_number);
  table.rows[0].result = failed_with("refused", "/jobs/0: too many.");
  table.rows[1].result = {};
  table.rows[2].result.status = PointStatus::imprecise;
  const ReportPage page = page_of(table);
  CHECK(page.checks.empty());
  CHECK(page.warnings.size() == 3);
  const std::string html = report_html(page, web_files());
  CHECK(html.find("laws that every run must satisfy") == std::string::npos);
  CHECK(html.find("do not use these results") == std::string::npos);
  CHECK(html.find("1 of 4 points (25 %) failed: 1 refused.") != std::string::npos);
  CHECK(page.sections.back().id == "checks");
  CHECK(page.sections.back().paragraphs[0].ends_with("Here no point broke a law, and 2 points have an answer."));
  table.rows[0].result = failed_with("broken law", "Little's law: 2 is not 3.");
  CHECK(
      page_of(table).sections.back().paragraphs[0].ends_with("Here 1 point broke a law, and 2 points have an answer."));
}

TEST_CASE("sweeps of one point, of no answers, of a constant and of words say what they cannot draw") {
  const SweepTable one = crossed_sweep({number_axis("rtt", "s", {1e-3})}, time_by_number);
  const ReportPage only = page_of(one);
  CHECK(only.lead == "A sweep of 1 point over round-trip time. Event time is 10.0 ± 1.0 ms.");
  CHECK(figures_of(only).empty());
  CHECK(only.sections[0].paragraphs[0] ==
        "The sweep has a single point, so that there is nothing to draw over an axis.");
  CHECK(ShownTable(only.sections[0].tables[0]).rows ==
        std::vector<std::vector<std::string>>{{"event time", "10.0 ± 1.0 ms"}});

  const ReportPage none = page_of(crossed_sweep({number_axis("rtt", "s", {1e-3, 2e-3})}));
  CHECK(none.lead == "A sweep of 2 points over round-trip time, none of which has an answer.");
  CHECK(none.warnings ==
        std::vector<std::string>{"2 of 2 points (100 %) are missing: the sweep is unfinished. The sweep's command "
                                 "computes them: saturn sweep x.json --axis /a --out s"});
  CHECK(figures_of(none).empty());

  const ReportPage constant =
      page_of(crossed_sweep({number_axis("rtt", "s", geometric(1e-3, 2, 9)), number_axis("batch", "", linear(1, 1, 9))},
                            [](const SweepRow&) { return answered_with({metric_of("events", "per_s", 2.5)}); }));
  check_figures(constant);
  CHECK(constant.lead == "A sweep of 81 points over round-trip time and batch. Event rate is 2.500 /s at all points.");
  CHECK(constant.warnings ==
        std::vector<std::string>{"Event rate is the same at all points, so that it tells none from another; --metric "
                                 "chooses another one."});

  const ReportPage words = page_of(crossed_sweep(
      {number_axis("rtt", "s", geometric(1e-3, 2, 3)), word_axis("dispatch", {"a", "b"})}, [](const SweepRow& row) {
        return answered_with({}, {{.name = "binding", .word = row.number < 4 ? "gpu" : "</script>"}});
      }));
  check_figures(words);
  CHECK(words.lead == "A sweep of 6 points over round-trip time and dispatch. What binds first: gpu at 4 of 6 points.");
  REQUIRE(figures_of(words).size() == 1);
  CHECK(figures_of(words)[0].title == "What binds first: gpu at 4 of 6 points, </script> at 2");
}

TEST_CASE("samples of a sweep are drawn against each axis, and zipped axes as one line") {
  const std::size_t n = 40;
  SweepTable table{.title = "Samples", .answer = "run", .seed = 1};
  table.axes = {{.pointer = "/a", .name = "rtt", .unit = "s"}, {.pointer = "/b", .name = "batch"}};
  for (std::size_t i = 0; i < n; ++i) {
    SweepRow row{.number = i, .id = std::to_string(i)};
    const double batch = static_cast<double>((i * 17) % n);
    row.cells = {{.text = std::to_string(i) + " ms", .number = static_cast<double>(i) * 1e-3},
                 {.text = std::to_string((i * 17) % n), .number = batch}};
    row.result = time_by_number(row);
    table.rows.push_back(row);
  }
  const std::vector<Figure> sampled = figures_of(page_of(table));
  CHECK(figure_called(sampled, "samples_rtt_event_time_ms") != nullptr);
  CHECK(figure_called(sampled, "samples_batch_event_time_ms") != nullptr);
  check_figures(page_of(table));

  for (std::size_t i = 0; i < n; ++i)
    table.rows[i].cells[1] = {.text = std::to_string(2 * i), .number = 2.0 * static_cast<double>(i)};
  const ReportPage zipped = page_of(table);
  CHECK(figure_called(figures_of(zipped), "over_rtt_event_time_ms") != nullptr);
  CHECK(zipped.sections[0].paragraphs[0] == "Batch runs along with the drawn axis; the points' table has its values.");
}

TEST_CASE("nothing that a sweep may hold breaks its page") {
  const double infinite = std::numeric_limits<double>::infinity();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  SweepTable ugly = crossed_sweep(
      {word_axis("status", {"</script><script>alert(1)</script>", "\"quoted\"", "Größe ≤ 3"}),
       number_axis("event_time", "s", {1e-300, 1.0, 1e300})},
      [&](const SweepRow& row) {
        const double values[] = {infinite, nothing, 0.0, -1.0, 1e300, -1e300, 1e-300, 5.0, 1.0};
        return answered_with(
            {{.stem = "event_time", .unit = "s", .mean = values[row.number], .low = nothing, .high = infinite},
             metric_of("line", "", 3.0 * static_cast<double>(row.number))},
            {{.name = "binding", .word = row.number == 1 ? "\xff\xfe" : "point"}});
      });
  ugly.title = "</script><img src=x onerror=alert(1)> \"Ünï\" & co";
  for (const std::string metric : {"", "event_time_s", "line", "binding"}) {
    CAPTURE(metric);
    const ReportPage page = page_of(ugly, {.metric = metric});
    check_figures(page);
    const std::string html = report_html(page, web_files());
    CHECK(html.find("<img src=x") == std::string::npos);
    CHECK(html.find("<script>alert(1)") == std::string::npos);
  }
  check_figures(page_of(afternoon_sweep()));
  check_figures(page_of({}));
}

TEST_CASE("a sweep of 10,000 points with all metrics of a run is a page below 5 MB" * doctest::test_suite("release")) {
  const SweepTable table = crossed_sweep(
      {number_axis("count", "", linear(10, 7, 100)), number_axis("rtt", "s", geometric(1e-4, 1.0612345, 100))},
      full_answer);
  const ReportPage page = page_of(table);
  CHECK(figures_of(page).size() >= 4);
  CHECK(page.sections[0].maps.size() == 1);
  CHECK(report_html(page, web_files()).size() < 5'000'000);
  const auto points = std::find_if(page.sections.begin(), page.sections.end(),
                                   [](const PageSection& section) { return section.id == "points"; });
  REQUIRE(points != page.sections.end());
  const std::vector<std::string>& remarks = points->paragraphs;
  CHECK(std::any_of(remarks.begin(), remarks.end(),
                    [](const std::string& text) { return text.starts_with("Not drawn, but in points.csv: "); }));
}
