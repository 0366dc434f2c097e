#include "tests/page/page_samples.hpp"

#include <cmath>
#include <string>

#include "reports/figures/figures.hpp"
#include "reports/page/page_parts.hpp"

namespace saturn {

namespace {

constexpr const char* curve_spec = R"spec({
  "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
  "title": {"text": "Event time grows past 67 jobs per GPU", "subtitle": ["sample, seed 42"], "anchor": "start"},
  "data": {"name": "rows"}, "width": 560, "height": 280,
  "mark": {"type": "line", "point": {"size": 60, "filled": true}},
  "encoding": {
    "x": {"field": "streams_per_gpu", "type": "quantitative", "title": "jobs per GPU"},
    "y": {"field": "event_time_s", "type": "quantitative", "title": "event time (s)"},
    "color": {"field": "series", "type": "nominal", "title": null, "legend": {"orient": "bottom"}},
    "tooltip": [{"field": "streams_per_gpu", "title": "jobs per GPU", "format": ",.4~g"},
                {"field": "event_time_s", "title": "event time (s)", "format": ",.4~g"}]
  }
})spec";

double event_time_at(double streams_per_gpu) {
  return std::max(122.0, streams_per_gpu * 1.8);
}

Figure curve_figure() {
  Figure figure{.name = "event_time",
                .title = "Event time grows past 67 jobs per GPU",
                .subtitle = "sample, seed 42",
                .caption = "Made-up numbers of the tests: a bound and what would be simulated above it.",
                .spec = curve_spec,
                .rows = {.columns = {{"series", ""}, {"streams_per_gpu", ""}, {"event_time", "s"}}, .rows = {}},
                .cannot = ""};
  for (const double clients : {10.0, 30.0, 50.0, 67.0, 80.0, 100.0}) {
    figure.rows.rows.push_back({"bound", clients, event_time_at(clients)});
    figure.rows.rows.push_back({"simulation", clients, 1.02 * event_time_at(clients)});
  }
  return figure;
}

MapCell sample_cell(double x, double y, std::size_t curve_points) {
  const double knee = 20 + 50 / (1 + 0.1 * y) + 2 * x;
  MapCell cell{.value = knee, .low = knee - 1, .high = knee + 1, .why_not = "", .curve = {}, .breakdown = {}};
  for (std::size_t i = 1; i <= curve_points; ++i) {
    const double clients = knee * 2 * static_cast<double>(i) / static_cast<double>(curve_points);
    const double time = std::max(knee, clients) * 1.8;
    cell.curve.push_back({.x = clients, .y = time, .low = time * 0.97, .high = time * 1.03});
  }
  cell.breakdown = {{"send", 0.004 + 0.001 * y}, {"queue", 0.002 * (x + 1)}, {"compute", 0.032}, {"receive", 0.001}};
  return cell;
}

}  // namespace

LinkedMap sample_map(std::size_t width, std::size_t height) {
  FieldMap map{.title = "Slow networks feed fewer jobs",
               .value_title = "jobs per GPU",
               .value_unit = "",
               .method = "by the bounds",
               .x = {.title = "items per request", .unit = "", .values = {}, .words = {}, .present = 1},
               .y = {.title = "round-trip time", .unit = "s", .values = {}, .words = {}, .present = 0.002},
               .cells = {},
               .curve_x_title = "jobs per GPU",
               .curve_y_title = "event time",
               .curve_x_unit = "",
               .curve_y_unit = "s"};
  for (std::size_t x = 0; x < width; ++x) map.x.values.push_back(static_cast<double>(x));
  for (std::size_t y = 0; y < height; ++y) map.y.values.push_back(0.001 * static_cast<double>(y));
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x)
      map.cells.push_back(sample_cell(static_cast<double>(x), static_cast<double>(y), 8));
  }
  map.cells.back() = {
      .value = {}, .low = {}, .high = {}, .why_not = "the point failed: out of memory", .curve = {}, .breakdown = {}};
  return {.figure = "heat_map", .map = std::move(map)};
}

PlannerModel sample_planner() {
  PlannerModel model{.why_not = "",
                     .device_word = "GPU",
                     .cpu_s = 117.0,
                     .device_s = 1.771,
                     .round_trips = 32,
                     .round_trip_s = 0.0118,
                     .transferred_bytes = 507.76e6,
                     .bandwidth_bytes_per_s = 0.25e9,
                     .other_s = 0.5,
                     .clients = 268,
                     .devices = 4,
                     .tolerated_slowdown = 0.01,
                     .device_usd_per_hour = 0.35,
                     .core_usd_per_hour = 0.03,
                     .other_usd_per_hour = 0.4,
                     .resources = {{"gke/t4", 1.771 / 4, DemandFollows::device},
                                   {"fnal-iowa send", 507e6 / 12.5e9, DemandFollows::nothing},
                                   {"gke node 0 receive", 507e6 / 4e9, DemandFollows::bandwidth}},
                     .simulated = {}};
  for (const double clients : {68.0, 136.0, 200.0, 268.0, 300.0, 400.0}) {
    const double time = std::max(121.7, clients * 1.771 / 4) * 1.01;
    model.simulated.push_back({.clients = clients, .event_time_s = time, .low_s = time * 0.99, .high_s = time * 1.01});
  }
  return model;
}

PlannerModel sample_open_planner() {
  PlannerModel model = sample_planner();
  model.arrivals_per_s = 3.0;
  model.clients = 600;
  model.simulated.clear();
  model.losses = {{.devices = 5, .lost_fraction = 0.08, .low = 0.07, .high = 0.09},
                  {.devices = 6, .lost_fraction = 0.012, .low = 0.01, .high = 0.014},
                  {.devices = 7, .lost_fraction = 0.0, .low = 0.0, .high = 0.0}};
  return model;
}

ReportPage open_report() {
  ReportPage page;
  page.title = "ProtoDUNE events that arrive three a second";
  page.lead = "7 T4 lose at most 0.1 % of the events.";
  page.planner = sample_open_planner();
  page.provenance = sample_report().provenance;
  return page;
}

ReportPage unsimulated_report() {
  ReportPage page = open_report();
  page.planner->losses.clear();
  return page;
}

ReportPage sample_report() {
  ReportPage page;
  page.title = "ProtoDUNE EmTrkMichelId as a service on four T4";
  page.lead =
      "One T4 serves 68 jobs (67.7 to 68.4) within 1 % of the unloaded event time of 122 s; its compute time binds "
      "first, the server's network card next, at 960 jobs.";
  page.warnings = {"The simulation of 400 jobs did not reach the asked precision of 1 %."};
  LinkedMap map = sample_map(12, 8);
  // The curve of the cell at (7, 5) lacks its third point.
  CurveSample& gap = map.map.cells[5 * 12 + 7].curve[2];
  gap = {.x = gap.x};
  Figure cannot{.name = "loss",
                .title = "Lost events against GPUs",
                .subtitle = "sample, seed 42",
                .caption = "",
                .spec = "",
                .rows = {.columns = {{"gpus", ""}, {"note", ""}}, .rows = {{1.0, "closed"}}},
                .cannot = "Loss is not drawn: no events arrive from outside."};
  Table table = page_table("Simulated numbers of jobs", {{"jobs", true}, {"event time", true}, {"binds"}});
  table.add_row({"68", "122.1 ± 0.2 s", "nothing"});
  table.add_row({"400", "178.9 ± 0.9 s", "gke/t4"});
  page.sections = {{.id = "saturation",
                    .heading = "Saturation",
                    .paragraphs = {"Up to the knee, more jobs give more events; past it, they wait for each other."},
                    .figures = {curve_figure(), cannot},
                    .maps = {},
                    .tables = {table}},
                   {.id = "network",
                    .heading = "Network and requests",
                    .paragraphs = {"How many jobs a GPU serves where the network is slower or requests are smaller."},
                    .figures = {heat_map_figure(map.map, {.scenario = "sample", .seed = 42})},
                    .maps = {map},
                    .tables = {}}};
  page.planner = sample_planner();
  page.assumptions = {
      {"/models/emtrk/service/t4/per_item", "32.2 us", "31 k items/s per T4, doi:10.3389/fdata.2020.604083"},
      {"/network/links/0/rtt", "11.8 ms", ""}};
  page.checks = {{"conservation", true, "sent 1000 = answered 1000"}, {"little gke/emtrk", true, "12.31 = 12.31"}};
  page.provenance = {.version = "0.0.0",
                     .simgrid = "3.32",
                     .git = "0123456789ab",
                     .seed = 42,
                     .scenario_sha256 = std::string(64, 'a'),
                     .command = "saturn report sample --seed 42 --out report.html",
                     .fitted = {},
                     .fits_taken_as_exact = false};
  page.commands = {"saturn report sample --seed 42 --out report.html", "saturn plan sample --seed 42 --format json"};
  return page;
}

ReportPage hostile_report() {
  const std::string words = "</script><script>window.pwned=1</script>\"'&<!--<img src=x onerror=window.pwned=2>\xff";
  ReportPage page = sample_report();
  page.title = words;
  page.lead = words;
  page.warnings = {words};
  for (PageSection& section : page.sections) {
    section.heading = words;
    section.paragraphs = {words};
    for (Figure& figure : section.figures) {
      figure.caption = words;
      figure.title = words;
      if (!figure.rows.rows.empty() && std::holds_alternative<std::string>(figure.rows.rows[0][0]))
        figure.rows.rows[0][0] = words;
    }
    for (LinkedMap& linked : section.maps) {
      linked.map.value_title = words;
      linked.map.x.title = words;
      for (MapCell& cell : linked.map.cells)
        if (!cell.breakdown.empty()) cell.breakdown[0].name = words;
    }
    for (Table& table : section.tables) {
      table.caption = words;
      table.rows[0][0] = words;
    }
  }
  page.planner->device_word = words;
  page.planner->resources[0].name = words;
  page.assumptions[0] = {words, words, words};
  page.checks[0].detail = page.provenance.command = page.commands[0] = words;
  return page;
}

ReportPage wide_report(std::size_t cells_each_way) {
  ReportPage page = sample_report();
  const LinkedMap map = sample_map(cells_each_way, cells_each_way);
  page.sections[1].maps = {map};
  page.sections[1].figures = {heat_map_figure(map.map, {.scenario = "sample", .seed = 42})};
  return page;
}

}  // namespace saturn
