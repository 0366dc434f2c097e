#include "tests/figures/map_samples.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "reports/figures/figures.hpp"

namespace saturn {

namespace {

const double no_number = std::numeric_limits<double>::quiet_NaN();
const std::string ugly_map_word = "a \"b\" </script><b>&amp; \\ µ→é\n'c'";
const FigureContext proto_maps{.scenario = "protodune-big-batch", .seed = 42};
const FigureContext ugly_maps{.scenario = ugly_map_word, .seed = 0};

Figure map_named(Figure figure, const std::string& name) {
  figure.name = name;
  return figure;
}

std::vector<double> geometric_between(double from, double to, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(from * std::pow(to / from, static_cast<double>(i) / static_cast<double>(count - 1)));
  return values;
}

/// ProtoDUNE's clients per GPU: 55,000 items of 32.2 us in requests of some size, each a round trip, beside 117 s.
double protodune_knee(double batch, double round_trip_s) {
  const double requests = std::ceil(55000.0 / batch);
  const double device_s = requests * (2e-4 + batch * 32.2e-6);
  return (117.0 + requests * round_trip_s + 2.03 + device_s) / device_s;
}

FieldMap protodune_map(std::size_t batches, std::size_t round_trips) {
  FieldMap map{.title = "Long round trips and small batches let one GPU serve more jobs",
               .value_title = "jobs per GPU",
               .method = "by the bounds",
               .x = {.title = "request batch",
                     .unit = "items",
                     .values = geometric_between(235, 55000, batches),
                     .present = 1719},
               .y = {.title = "round-trip time",
                     .unit = "s",
                     .values = geometric_between(1e-4, 0.2, round_trips),
                     .present = 0.0118}};
  for (const double round_trip : map.y.values) {
    for (const double batch : map.x.values) map.cells.push_back({.value = protodune_knee(batch, round_trip)});
  }
  return map;
}

FieldMap plain_field(std::size_t nx, std::size_t ny, double (*value)(double, double)) {
  FieldMap map{.title = "A field", .value_title = "value", .x = {.title = "x"}, .y = {.title = "y"}};
  for (std::size_t i = 0; i < nx; ++i) map.x.values.push_back(static_cast<double>(i));
  for (std::size_t i = 0; i < ny; ++i) map.y.values.push_back(static_cast<double>(i));
  for (const double y : map.y.values) {
    for (const double x : map.x.values) map.cells.push_back({.value = value(x, y)});
  }
  return map;
}

FieldMap holed_map() {
  FieldMap map = protodune_map(12, 9);
  for (std::size_t i = 0; i < map.cells.size(); ++i) {
    if (i % 12 > 8 && i / 12 > 5) map.cells[i] = {.why_not = "the batch does not fit into the server's memory"};
  }
  map.cells[30].value = no_number;
  map.cells[0].low = 20.0;
  map.cells[0].high = 90.0;
  return map;
}

FieldMap map_of_words() {
  FieldMap map{.title = ugly_map_word, .value_title = ugly_map_word, .value_unit = "s", .method = ugly_map_word};
  map.x = {.title = ugly_map_word, .words = {"round_robin", "least_loaded", ugly_map_word, "power_of_two_choices"}};
  map.y = {.title = "models", .words = {"emtrk", "particlenet"}};
  for (std::size_t i = 0; i < 8; ++i)
    map.cells.push_back(i == 5 ? MapCell{.why_not = ugly_map_word}
                               : MapCell{.value = 1e-3 * static_cast<double>(i + 1)});
  return map;
}

FieldMap steep_map() {
  FieldMap map = protodune_map(16, 12);
  map.title = "Cost rises by decades";
  map.value_title = "cost of a million events";
  map.value_unit = "USD";
  for (std::size_t i = 0; i < map.cells.size(); ++i)
    map.cells[i].value = 399.0 * std::pow(10.0, static_cast<double>(i % 16) / 4.0 - static_cast<double>(i / 16) / 6.0);
  return map;
}

FieldMap missing_map() {
  FieldMap map = plain_field(3, 3, [](double x, double) { return x; });
  for (MapCell& cell : map.cells) cell = {.why_not = "no result yet"};
  return map;
}

void add_fields(std::vector<Figure>& figures) {
  figures.push_back(map_named(heat_map_figure(protodune_map(18, 14), proto_maps), "heat_map_protodune"));
  figures.push_back(map_named(heat_map_figure(holed_map(), proto_maps), "heat_map_holes"));
  figures.push_back(map_named(heat_map_figure(steep_map(), proto_maps), "heat_map_steep"));
  figures.push_back(map_named(heat_map_figure(map_of_words(), ugly_maps), "heat_map_words"));
  figures.push_back(map_named(heat_map_figure(missing_map(), ugly_maps), "heat_map_missing"));
  figures.push_back(map_named(heat_map_figure({}, ugly_maps), "heat_map_empty"));
  const auto plain = [&](const std::string& name, std::size_t nx, std::size_t ny, double (*value)(double, double)) {
    figures.push_back(map_named(heat_map_figure(plain_field(nx, ny, value), proto_maps), "heat_map_" + name));
  };
  plain("one_cell", 1, 1, [](double, double) { return 68.4; });
  plain("one_row", 9, 1, [](double x, double) { return x * x - 20.0; });
  plain("one_column", 1, 9, [](double, double y) { return y; });
  plain("constant", 6, 5, [](double, double) { return 68.4; });
  plain("negative", 12, 12, [](double x, double y) { return (x - 6.0) * (y - 5.0); });
  plain("huge", 4, 4, [](double x, double y) { return (x - 1.5) * 1e308 + y; });
  plain("bowl", 30, 30, [](double x, double y) { return std::hypot(x - 14.0, y - 15.0); });
}

double time_of(std::size_t alternative, double round_trip_s, double bandwidth) {
  const double bytes = 55000.0 * 9216.0;
  if (alternative == 0) return 150.0;
  if (alternative == 1) return 117.0 + 3.0 + 32.0 * round_trip_s * 20.0 + bytes / bandwidth;
  if (alternative == 2) return 117.0 + 12.0 + 32.0 * round_trip_s * 4.0 + bytes / bandwidth / 2.0;
  return 337.0;
}

WinnerMap winner_map(std::size_t nx, std::size_t ny) {
  WinnerMap map{.value_title = "event time", .value_unit = "s", .method = "by the bounds"};
  map.alternatives = {"local GPU", "remote service", "direct transfer", "CPU only"};
  map.x = {
      .title = "bandwidth of a flow", .unit = "B/s", .values = geometric_between(2e6, 1.25e9, nx), .present = 2.5e8};
  map.y = {.title = "round-trip time", .unit = "s", .values = geometric_between(1e-4, 0.2, ny), .present = 0.0118};
  for (const double round_trip : map.y.values) {
    for (const double bandwidth : map.x.values) {
      WinnerCell cell;
      std::size_t best = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        cell.values.emplace_back(time_of(i, round_trip, bandwidth));
        if (*cell.values[i] < *cell.values[best]) best = i;
      }
      cell.winner = best;
      for (std::size_t i = 0; i < 4; ++i)
        cell.close = cell.close || (i != best && *cell.values[i] < 1.01 * *cell.values[best]);
      map.cells.push_back(std::move(cell));
    }
  }
  return map;
}

void add_winners(std::vector<Figure>& figures) {
  figures.push_back(map_named(break_even_figure(winner_map(18, 14), proto_maps), "break_even_protodune"));
  figures.push_back(map_named(break_even_figure(winner_map(60, 50), proto_maps), "break_even_dense"));
  WinnerMap words = winner_map(2, 2);
  words.alternatives = {ugly_map_word, ugly_map_word, "c", "d"};
  words.x = {.title = ugly_map_word, .words = {"a", ugly_map_word}};
  words.cells[0] = {};
  words.cells[1].winner = 99;
  words.cells[2].values.clear();
  words.cells[3].values[0] = no_number;
  figures.push_back(map_named(break_even_figure(words, ugly_maps), "break_even_words"));
  figures.push_back(map_named(break_even_figure({}, ugly_maps), "break_even_empty"));
}

/// ProtoDUNE's service: 68.4 jobs a GPU, 121 s an event; own cores take 330 s.
CostLine cost_line(double usd_per_gpu_hour) {
  CostLine line{.name = "service at iowa", .planned = true};
  for (double jobs = 1.0; jobs <= 536.0; jobs += 1.0) {
    const double gpus = std::ceil(jobs / 68.4);
    line.points.push_back({.clients = jobs,
                           .usd = (0.0316 * jobs + usd_per_gpu_hour * gpus) * 121.3 / 3600.0 / jobs * 1e6,
                           .devices = static_cast<std::uint64_t>(gpus)});
  }
  return line;
}

CostStudy cost_study() {
  CostStudy study{.clients = 268, .priced = "GPUs, hosts and cores", .cpu_only_usd = 2900.0};
  study.lines = {
      {.name = "jobs' own cores",
       .points = {{.clients = 1, .usd = 2900.0}, {.clients = 268, .usd = 2900.0}, {.clients = 536, .usd = 2900.0}},
       .own_cores = true},
      cost_line(0.35)};
  study.break_even_times = 11.0;
  study.break_even_device = "t4";
  study.device_usd_per_h = 0.35;
  study.prices = {{.of = "t4", .value = "0.35 USD/h", .date = "2025-11", .source = "a price list"}};
  return study;
}

void add_costs(std::vector<Figure>& figures) {
  figures.push_back(map_named(cost_figure(cost_study(), proto_maps), "cost_protodune"));
  CostStudy bare = cost_study();
  bare.cpu_only_usd.reset();
  bare.break_even_times.reset();
  bare.lines.erase(bare.lines.begin());
  bare.why_no_break_even = "the jobs' cores have no price (/costs/core)";
  figures.push_back(map_named(cost_figure(bare, proto_maps), "cost_alone"));
  CostStudy ugly = cost_study();
  ugly.device_word = ugly.stream_word = ugly.break_even_device = ugly_map_word;
  ugly.break_even_times = -2.0;
  for (int i = 0; i < 12; ++i) {
    ugly.lines.push_back(cost_line(0.1 * std::pow(3.0, i)));
    ugly.lines.back().name = ugly_map_word + std::to_string(i);
    ugly.lines.back().planned = false;
    ugly.lines.back().points.resize(static_cast<std::size_t>(40 * i));
    ugly.lines.back().ends_at = ugly_map_word;
  }
  ugly.lines[1].points[7].usd = no_number;
  ugly.lines[1].points[8].usd = std::numeric_limits<double>::infinity();
  figures.push_back(map_named(cost_figure(ugly, ugly_maps), "cost_ugly"));
  CostStudy one{.clients = 1};
  one.lines = {{.name = "service", .points = {{.clients = 1, .usd = 399.0, .devices = 1}}, .planned = true}};
  figures.push_back(map_named(cost_figure(one, proto_maps), "cost_one"));
  figures.push_back(map_named(cost_figure({}, ugly_maps), "cost_empty"));
}

NeedStudy need_study() {
  NeedStudy study{.need = {.tolerances = {0.01, 0.05, 0.2}, .wall = LoadWall{.resource = "gke nic in", .at = 480.0}}};
  study.need.load = 268;
  study.need.devices = 4;
  study.need.most_load = 536;
  for (std::uint64_t gpus = 1; gpus <= 8; ++gpus) {
    const auto carried = 68.4 * static_cast<double>(gpus);
    study.need.fleets.push_back({.devices = gpus,
                                 .of_types = {{"t4", gpus}},
                                 .usd_per_h = 0.76 + 0.35 * static_cast<double>(gpus),
                                 .carried = {1.01 * carried, 1.05 * carried, 1.2 * carried},
                                 .simulated = std::vector<bool>(3, gpus == 4)});
  }
  return study;
}

void add_needs(std::vector<Figure>& figures) {
  figures.push_back(map_named(need_figure(need_study(), proto_maps), "need_protodune"));
  NeedStudy open = need_study();
  open.need.open = true;
  open.need.tolerances = {0.0, 0.05, 0.2};
  open.need.wall.reset();
  figures.push_back(map_named(need_figure(open, proto_maps), "need_open"));
  NeedStudy ugly = need_study();
  ugly.device_word = ugly.stream_word = ugly.need.wall->resource = ugly_map_word;
  ugly.need.fleets[2].usd_per_h.reset();
  ugly.need.fleets[3].carried = {no_number, 0.0, std::numeric_limits<double>::infinity()};
  ugly.need.load = 5000;
  figures.push_back(map_named(need_figure(ugly, ugly_maps), "need_ugly"));
  NeedStudy one = need_study();
  one.need.fleets.resize(1);
  figures.push_back(map_named(need_figure(one, proto_maps), "need_one"));
  figures.push_back(map_named(need_figure({}, ugly_maps), "need_empty"));
}

SystemStudy drawn_system() {
  SystemStudy study{.binding = "gke/t4", .next = "gke nic in", .load = "268 jobs"};
  study.sites = {{.name = "fnal", .jobs = {"268 jobs"}},
                 {.name = "iowa",
                  .groups = {{.name = "gke",
                              .parts = {{.resource = "gke nic in", .text = "card 32 Gbps", .busy = 0.28},
                                        {.resource = "gke/t4", .text = "4 t4", .busy = 0.98, .units = 4}}}},
                  .serves = true}};
  study.links = {{.from = 0, .to = 1, .part = {.resource = "fnal to iowa", .text = "100 Gbps, 11.8 ms", .busy = 0.09}}};
  return study;
}

void add_systems(std::vector<Figure>& figures) {
  figures.push_back(map_named(system_figure(drawn_system(), proto_maps), "system_protodune"));
  SystemStudy many = drawn_system();
  many.sites.push_back({.name = ugly_map_word});
  for (int i = 0; i < 12; ++i) many.sites.push_back({.name = ugly_map_word, .jobs = {ugly_map_word}});
  many.binding = ugly_map_word;
  for (std::size_t i = 2; i < many.sites.size(); ++i)
    many.links.push_back({.from = i, .to = i % 3, .part = {.resource = ugly_map_word, .busy = no_number}});
  figures.push_back(map_named(system_figure(many, ugly_maps), "system_ugly"));
  figures.push_back(map_named(system_figure({}, ugly_maps), "system_empty"));
}

ParetoStudy pareto_study(std::size_t count) {
  ParetoStudy study{.x_title = "cost of a million events", .x_unit = "USD", .y_title = "event time", .y_unit = "s"};
  for (std::size_t i = 0; i < count; ++i) {
    const double gpus = 1.0 + static_cast<double>(i % 25);
    const double waste = 1.0 + 0.02 * static_cast<double>(i * 7919 % 101);
    const double y = (119.0 + 160.0 / gpus) * (1.0 + (waste - 1.0) / 9.0);
    ParetoPoint point{.label = "gpus " + std::to_string(1 + i % 25) + ", request_batch " + std::to_string(200 + i),
                      .x = 399.0 * std::pow(gpus, 0.6) * waste,
                      .y = y,
                      .simulated = i % 3 == 0,
                      .feasible = y < 200.0};
    if (point.simulated) {
      point.y_low = y * 0.99;
      point.y_high = y * 1.01;
    }
    study.points.push_back(std::move(point));
  }
  return study;
}

void add_candidates_of_searches(std::vector<Figure>& figures) {
  ParetoStudy study = pareto_study(40);
  for (ParetoPoint& point : study.points) {
    point.simulated = point.simulated || point.x < 2000.0;
    point.y *= point.simulated ? 1.0 : 1.1;
  }
  const std::vector<std::size_t> front = pareto_front(study);
  const char* names[] = {"smallest purchase", "best value", "most robust to +30 % load"};
  std::size_t next = 0;
  for (const std::size_t index : front) {
    if (study.points[index].feasible && study.points[index].simulated && next < 3)
      study.points[index].name = names[next++];
  }
  figures.push_back(map_named(pareto_figure(study, proto_maps), "pareto_protodune"));
  figures.push_back(map_named(pareto_figure(pareto_study(500), proto_maps), "pareto_many"));
  ParetoStudy more = pareto_study(60);
  more.less_x = false;
  more.less_y = false;
  more.x_title = ugly_map_word;
  more.points[0].label = ugly_map_word;
  more.points[0].name = ugly_map_word;
  more.points[1].y = no_number;
  more.points[2].label.clear();
  figures.push_back(map_named(pareto_figure(more, ugly_maps), "pareto_more"));
  ParetoStudy one = pareto_study(1);
  one.points[0].name = "best value";
  figures.push_back(map_named(pareto_figure(one, proto_maps), "pareto_one"));
  figures.push_back(map_named(pareto_figure({}, ugly_maps), "pareto_empty"));
}

SensitivityRow input_row(const std::string& pointer, const std::string& value, double elasticity, double low,
                         double high, double share) {
  return {.input = {.pointer = pointer, .value = value, .uncertainty = 0.1},
          .elasticity = {.mean = elasticity, .low = elasticity, .high = elasticity},
          .when_low = low,
          .when_high = high,
          .variance_share = share};
}

/// What `saturn plan protodune-big-batch --sensitivity` says.
Sensitivity protodune_inputs() {
  Sensitivity found{.answer = "jobs per GPU", .value = 68.424};
  found.rows = {input_row("/models/emtrk/service/t4/per_item", "32.2 us", -0.985, 75.916, 62.295, 0.3577),
                input_row("/jobs/0/event/2/items", "55000", -0.969, 75.766, 62.423, 0.3433),
                input_row("/jobs/0/event/0/cpu", "110 s", 0.908, 62.213, 74.636, 0.2976),
                input_row("/jobs/0/event/1/cpu", "7 s", 0.058, 68.029, 68.820, 0.0012),
                input_row("/network/links/0/per_flow", "2 Gbps", -0.0168, 68.552, 68.320, 1.0e-4),
                input_row("/models/emtrk/input", "9216 B", 0.0167, 68.310, 68.539, 1.0e-4),
                input_row("/network/links/0/rtt", "11.8 ms", 0.0031, 68.403, 68.446, 3.5e-6),
                input_row("/models/emtrk/output", "16 B", 2.9e-5, 68.42422, 68.42461, 3.0e-10)};
  found.without_effect = {"/costs/core/value", "/devices/t4/power"};
  found.next_measurement = "Measure /models/emtrk/service/t4/per_item to half its uncertainty.";
  return found;
}

void add_inputs(std::vector<Figure>& figures) {
  figures.push_back(map_named(tornado_figure(protodune_inputs(), proto_maps), "tornado_protodune"));
  Sensitivity many{.answer = ugly_map_word, .unit = "s", .value = 0.004};
  for (int i = 0; i < 30; ++i)
    many.rows.push_back(
        input_row("/models/" + ugly_map_word + "/a_very_long_name_of_a_thing/" + std::to_string(i % 3) + "/x",
                  ugly_map_word, 0.1, 0.004 - 1e-4 * i, i == 7 ? no_number : 0.004 + 5e-5 * i, 0.1));
  figures.push_back(map_named(tornado_figure(many, ugly_maps), "tornado_many"));
  figures.push_back(map_named(tornado_figure({}, ugly_maps), "tornado_empty"));
}

}  // namespace

std::vector<Figure> map_samples() {
  std::vector<Figure> figures;
  add_fields(figures);
  add_winners(figures);
  add_costs(figures);
  add_needs(figures);
  add_systems(figures);
  add_candidates_of_searches(figures);
  add_inputs(figures);
  for (Figure& figure : measured_map_samples()) figures.push_back(std::move(figure));
  return figures;
}

}  // namespace saturn
