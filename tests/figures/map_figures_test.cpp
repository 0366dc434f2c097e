#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/swept/sweep_lines.hpp"
#include "reports/sweep/heat_map.hpp"
#include "tests/figures/map_samples.hpp"
#include "tests/reports/sample_sweeps.hpp"

using namespace saturn;

namespace {

using MapJson = nlohmann::json;

void collect_map_fields(const MapJson& node, std::set<std::string>& fields) {
  if (node.is_array()) {
    for (const MapJson& inner : node) collect_map_fields(inner, fields);
  }
  if (!node.is_object()) return;
  for (const auto& [key, value] : node.items()) {
    if (key == "field" && value.is_string()) fields.insert(value.get<std::string>());
    collect_map_fields(value, fields);
  }
}

const Figure& map_sample(const std::vector<Figure>& figures, const std::string& name) {
  return *std::find_if(figures.begin(), figures.end(), [&](const Figure& figure) { return figure.name == name; });
}

/// The rows of a series as objects.
MapJson series_rows(const Figure& figure, const std::string& series) {
  MapJson found = MapJson::array();
  const MapJson spec = MapJson::parse(spec_with_rows(figure));
  for (const MapJson& row : spec["data"]["values"]) {
    if (row["series"] == series) found.push_back(row);
  }
  return found;
}

bool beats(const ParetoStudy& study, const ParetoPoint& a, const ParetoPoint& b) {
  const double ax = study.less_x ? a.x : -a.x;
  const double bx = study.less_x ? b.x : -b.x;
  const double ay = study.less_y ? a.y : -a.y;
  const double by = study.less_y ? b.y : -b.y;
  return ax <= bx && ay <= by && (ax < bx || ay < by);
}

}  // namespace

TEST_CASE("what differs by rounding, or has its mean within the other's interval, is no step of the front") {
  ParetoStudy study{.x_title = "latency", .y_title = "rate", .less_y = false};
  study.points = {{.x = 1.0, .y = 9.8}, {.x = 2.0, .y = 9.8 * (1.0 + 1e-14)}, {.x = 3.0, .y = 9.9}};
  CHECK(pareto_front(study) == std::vector<std::size_t>{0, 2});
  study.points[0].y_low = 9.7;
  study.points[0].y_high = 9.9;
  study.points[2].y_low = 9.85;
  study.points[2].y_high = 9.95;
  CHECK(pareto_front(study) == std::vector<std::size_t>{0});
  // The intervals still overlap, but neither mean lies within the other one.
  study.points[0].y_high = 9.89;
  CHECK(pareto_front(study) == std::vector<std::size_t>{0, 2});
}

TEST_CASE("a point that something cheaper and as good beats is never on the front, whatever the intervals say") {
  const auto point = [](double cost, double time, double half) {
    return ParetoPoint{.x = cost, .y = time, .y_low = time - half, .y_high = time + half};
  };
  ParetoStudy study{.x_title = "cost", .y_title = "time"};
  // The second is cheaper than the third and faster by its mean; its own interval reaches into that of the first.
  study.points = {point(1.0, 10.0, 2.0), point(2.0, 7.8, 1.0), point(3.0, 7.9, 0.05)};
  CHECK(pareto_front(study) == std::vector<std::size_t>{0, 1});
  // Steps that are each within chance add up to one that is not.
  study.points = {point(1.0, 10.0, 1.0), point(2.0, 9.5, 1.0), point(3.0, 9.1, 1.0), point(4.0, 8.5, 1.0)};
  CHECK(pareto_front(study) == std::vector<std::size_t>{0, 3});
}

TEST_CASE(
    "costs say which way is the cheapest for the scenario's jobs, and at which price of a GPU own cores cost the "
    "same") {
  CostStudy study{.clients = 100};
  study.lines = {
      {.name = "jobs' own cores", .points = {{.clients = 100, .usd = 3000.0}}, .own_cores = true},
      {.name = "service at iowa",
       .points = {{.clients = 50, .usd = 2500.0, .devices = 1}, {.clients = 100, .usd = 2000.0, .devices = 1}},
       .planned = true}};
  // 1,000 USD of the 2,000 are for GPUs at 0.35 USD/h: with as much again and half of it both cost 3,000.
  study.break_even_times = 2.0;
  study.break_even_device = "t4";
  study.device_usd_per_h = 0.35;
  const Figure cheap = cost_figure(study, {});
  CHECK(cheap.title ==
        "Least for 100 jobs: the service at iowa, 2000 USD per million events; jobs' own cores 3000 USD");
  CHECK(cheap.spec.find("Service and own cores break even at 0.7 USD/h for a t4, now 0.35") != std::string::npos);
  study.lines[0].points[0].usd = 900.0;
  study.break_even_times = -0.1;
  const Figure dear = cost_figure(study, {});
  CHECK(dear.title == "Least for 100 jobs: jobs' own cores, 900.0 USD per million events; service at iowa 2000 USD");
  study.lines[0].late = true;
  CHECK(cost_figure(study, {}).title ==
        "Least for 100 jobs without longer events: the service at iowa, 2000 USD per million events; jobs' own "
        "cores 900.0 USD");
  CHECK(dear.spec.find("Even free GPUs would not make the service as cheap as own cores") != std::string::npos);
}

TEST_CASE(
    "a word over two axes is a line for each value, which changes half-way between the points where the word does") {
  const SweepTable sweep = crossed_sweep(
      {number_axis("batch", "", {1, 2, 4}), number_axis("jobs", "", linear(1, 1, 5))}, [](const SweepRow& row) {
        if (row.number == 14) return failed_with("refused", "Too many.");
        const double load = *row.cells[0].number * *row.cells[1].number;
        return answered_with({}, {{.name = "binding", .word = load > 4.0 ? "gpu" : "link"}});
      });
  const HeatGrids grids = heat_grids(sweep, {.metric = "binding", .x = "jobs", .y = "batch"});
  const Figure figure = sweep_word_lines_figure(sweep, grids, grids.grids.front(), {});
  std::vector<std::string> lines;
  for (const MapJson& run : series_rows(figure, "run"))
    lines.push_back(run["y_text"].get<std::string>() + " " + run["word"].get<std::string>() + " to " +
                    run["until"].get<std::string>());
  // The last line breaks at the point that has failed, number 14: batch 4 with 5 jobs.
  CHECK(lines == std::vector<std::string>{"1 link to 4", "1 gpu to 5", "2 link to 2", "2 gpu to 5", "4 link to 1",
                                          "4 gpu to 4"});
  const MapJson runs = series_rows(figure, "run");
  CHECK(runs[0]["x_high"] == 4.5);
  CHECK(runs[1]["x_low"] == 4.5);
  CHECK(series_rows(figure, "point").size() == 14);
  const MapJson missing = series_rows(figure, "missing");
  REQUIRE(missing.size() == 1);
  CHECK(missing[0]["status"] == "refused: Too many.");
}

TEST_CASE("plans that are the same purchase are named together, and all of them in a few words") {
  CHECK(joined_plans({"smallest purchase", "best value"}, 3) == "smallest purchase, best value");
  CHECK(joined_plans({"a", "b", "c"}, 3) == "all 3 named plans");
  CHECK(joined_plans({"a"}, 1) == "a");
  CHECK(joined_plans({}, 3).empty());
}

TEST_CASE("the least value wins a cell, a tie goes to the first, and a second within the tolerance is close") {
  const WinnerCell clear = winner_cell({3.0, 2.0, std::nullopt, 2.5}, 0.01);
  CHECK(clear.winner == std::size_t{1});
  CHECK(!clear.close);
  // A hair less is a matter of rounding.
  const WinnerCell tied = winner_cell({std::nullopt, 2.0 * (1.0 + 1e-12), 2.0}, 0.01);
  CHECK(tied.winner == std::size_t{1});
  CHECK(tied.close);
  CHECK(winner_cell({2.019, 2.0}, 0.01).close);
  CHECK(!winner_cell({2.021, 2.0}, 0.01).close);
  CHECK(!winner_cell({std::nullopt, std::nullopt}, 0.01).winner);
}

TEST_CASE("every map is a specification whose fields are in its rows, or says why it cannot be drawn") {
  std::set<std::string> names;
  for (const Figure& figure : map_samples()) {
    CAPTURE(figure.name);
    CHECK(names.insert(figure.name).second);
    CHECK(figure.spec.empty() != figure.cannot.empty());
    for (const auto& row : figure.rows.rows) CHECK(row.size() == figure.rows.columns.size());
    if (figure.spec.empty()) continue;
    std::set<std::string> heads;
    for (const RowColumn& column : figure.rows.columns) heads.insert(column.head());
    std::set<std::string> fields;
    collect_map_fields(MapJson::parse(figure.spec), fields);
    // The selection of cells.
    for (const std::string& field : fields) CHECK_MESSAGE(heads.contains(field), field);
  }
}

TEST_CASE("cells of a map touch each other, hold their values and are numbered for clicks") {
  const std::vector<Figure> figures = map_samples();
  const MapJson cells = series_rows(map_sample(figures, "heat_map_protodune"), "cell");
  REQUIRE(cells.size() == 18 * 14);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const MapJson& cell = cells[i];
    CHECK(cell["cell"] == i);
    CHECK(cell["x_low"] < cell["x"]);
    CHECK(cell["x"] < cell["x_high"]);
    if (i % 18 > 0) CHECK(cell["x_low"] == cells[i - 1]["x_high"]);
    if (i >= 18) CHECK(cell["y_low"] == cells[i - 18]["y_high"]);
  }
}

TEST_CASE("an axis whose values grow by one factor is logarithmic, any other of few values has its own numbers") {
  const auto x_of = [](const std::vector<double>& values) {
    FieldMap map{.title = "t", .value_title = "v"};
    map.x = {.title = "time", .values = values};
    map.y = {.title = "y", .values = {1.0}};
    for (const double value : values) map.cells.push_back({.value = value});
    return MapJson::parse(heat_map_figure(map, {}).spec)["encoding"]["x"];
  };
  CHECK(x_of({1.0, 1.23, 1.5129, 1.860867})["scale"]["type"] == "log");
  const MapJson uneven = x_of({1.0, 1.23, 1.3, 1.9});
  CHECK(uneven["scale"].value("type", "linear") == "linear");
  CHECK(uneven["axis"]["values"] == MapJson::array({1.0, 1.23, 1.3, 1.9}));
  CHECK(uneven["axis"]["labelExpr"] == "format(datum.value, ',.4~r')");
}

TEST_CASE("cells without a value say why and have no colour") {
  const std::vector<Figure> figures = map_samples();
  const MapJson missing = series_rows(map_sample(figures, "heat_map_holes"), "missing");
  REQUIRE(missing.size() == 10);
  CHECK(missing[0]["text"] == "not a finite number");
  CHECK(missing[1]["text"] == "the batch does not fit into the server's memory");
  for (const MapJson& row : missing) CHECK(row["value"].is_null());
}

TEST_CASE("the front holds exactly the candidates that no other beats") {
  CHECK(rc::check([] {
    ParetoStudy study{.less_x = *rc::gen::arbitrary<bool>(), .less_y = *rc::gen::arbitrary<bool>()};
    const auto count = *rc::gen::inRange<std::size_t>(0, 30);
    for (std::size_t i = 0; i < count; ++i)
      study.points.push_back(
          {.x = static_cast<double>(*rc::gen::inRange(0, 9)), .y = static_cast<double>(*rc::gen::inRange(0, 9))});
    if (count > 3) study.points[3].y = std::numeric_limits<double>::quiet_NaN();
    std::set<std::size_t> unbeaten;
    for (std::size_t i = 0; i < count; ++i) {
      if (study.points[i].y != study.points[i].y) continue;
      if (std::none_of(study.points.begin(), study.points.end(),
                       [&](const ParetoPoint& other) { return beats(study, other, study.points[i]); }))
        unbeaten.insert(i);
    }
    const std::vector<std::size_t> front = pareto_front(study);
    RC_ASSERT(std::set<std::size_t>(front.begin(), front.end()) == unbeaten);
    RC_ASSERT(front.size() == unbeaten.size());
    RC_ASSERT(std::is_sorted(front.begin(), front.end(),
                             [&](std::size_t a, std::size_t b) { return study.points[a].x < study.points[b].x; }));
  }));
}

TEST_CASE("labels lie inside the figure and do not cover each other") {
  CHECK(rc::check([] {
    LabelPlaces places(400.0, 300.0);
    std::vector<FigureBox> put;
    const auto count = *rc::gen::inRange(1, 15);
    for (int i = 0; i < count; ++i) {
      const FigurePlace mark{static_cast<double>(*rc::gen::inRange(0, 400)),
                             static_cast<double>(*rc::gen::inRange(0, 300))};
      const std::string word(*rc::gen::inRange<std::size_t>(1, 30), 'w');
      const auto middle = places.put_beside(word, mark);
      if (!middle) continue;
      const FigureBox box = word_box(word, *middle);
      RC_ASSERT(box.left >= 0.0 && box.right <= 400.0 && box.bottom >= 0.0 && box.top <= 300.0);
      for (const FigureBox& other : put) RC_ASSERT(!overlap(box, other));
      put.push_back(box);
    }
  }));
}

TEST_CASE("a lost share of 0 has its own place below the logarithmic axis") {
  const std::vector<Figure> figures = map_samples();
  const Figure& figure = map_sample(figures, "loss_zeros");
  const MapJson zero = series_rows(figure, "none lost");
  REQUIRE(zero.size() == 1);
  const MapJson kept = series_rows(figure, "at most the tolerated share is lost");
  CHECK(kept.back()["lost_percent"] == 0.0);
  CHECK(kept.back()["drawn_percent"] == zero[0]["drawn_percent"]);
  for (const MapJson& row : kept) {
    if (row["lost_percent"] > 0.0) CHECK(row["drawn_percent"] > zero[0]["drawn_percent"]);
  }
}

TEST_CASE("bars of the tornado begin with the widest, and are at most twelve") {
  const std::vector<Figure> figures = map_samples();
  const Figure& figure = map_sample(figures, "tornado_many");
  CHECK(figure.rows.rows.size() == 24);
  double widest = std::numeric_limits<double>::infinity();
  std::set<std::string> names;
  const MapJson low = series_rows(figure, "input lower");
  const MapJson high = series_rows(figure, "input higher");
  for (std::size_t i = 0; i < low.size(); ++i) {
    const double width = high[i]["answer"].get<double>() - low[i]["answer"].get<double>();
    CHECK(width <= widest);
    widest = width;
    CHECK(names.insert(low[i]["input"].get<std::string>()).second);
  }
}
