#include "calibration/measured_batches.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>
#include <utility>

#include "calibration/closed_loop_rates.hpp"
#include "calibration/import/load_points.hpp"
#include "calibration/measured_case.hpp"
#include "tests/calibration/imported_files.hpp"
#include "tests/calibration/synthetic.hpp"

using namespace saturn;

namespace saturn::tests::server_files {

namespace {

MeasuredFile with_point(double items_per_s, double latency_s, double concurrency) {
  MeasuredFile file;
  file.loads.push_back({.at = {"m.txt", 7},
                        .concurrency = concurrency,
                        .items_per_s = items_per_s,
                        .measured = {{"latency_mean_s", latency_s}}});
  return file;
}

}  // namespace

TEST_CASE("a closed loop whose throughput was rounded gives back its whole batch") {
  CHECK(rc::check("whole batches", [] {
    const auto batch = *rc::gen::inRange(1, 5000);
    const auto concurrency = *rc::gen::inRange(1, 300);
    const double latency = *rc::gen::inRange(100, 10'000'000) * 1e-6;
    // Six significant digits, as perf_analyzer prints them.
    char printed[32];
    std::snprintf(printed, sizeof printed, "%.6g", batch * concurrency / latency);
    MeasuredFile file = with_point(std::stod(printed), latency, concurrency);
    apply_littles_law(file);
    RC_ASSERT(*file.loads[0].request_batch == static_cast<double>(batch));
    RC_ASSERT(file.loads[0].batch_from == BatchOrigin::littles_law);
  }));
}

TEST_CASE("a ratio that is no whole number is kept as it is and named") {
  MeasuredFile file = with_point(100.0, 0.028, 2.0);
  apply_littles_law(file);
  CHECK(*file.loads[0].request_batch == doctest::Approx(1.4));
  REQUIRE(file.notes.size() == 2);
  CHECK(file.notes[1] ==
        "Little's law gives no whole number of items a request (line 7: 1.4): the batches vary, or the measurement was "
        "too short.");
}

TEST_CASE("five percent beside a whole number is that number, a little more is not") {
  MeasuredFile near = with_point(104.9, 0.01, 1.0);
  apply_littles_law(near);
  CHECK(*near.loads[0].request_batch == 1.0);
  MeasuredFile far = with_point(105.1, 0.01, 1.0);
  apply_littles_law(far);
  CHECK(*far.loads[0].request_batch == doctest::Approx(1.051));
}

TEST_CASE("a given batch stays, and the law's contradiction is named") {
  MeasuredFile file = with_point(400.0, 0.02, 2.0);
  file.loads[0].request_batch = 2.0;
  file.loads[0].batch_from = BatchOrigin::given;
  apply_littles_law(file);
  CHECK(*file.loads[0].request_batch == 2.0);
  CHECK(file.loads[0].batch_from == BatchOrigin::given);
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0].starts_with("Little's law contradicts the given items of a request (line 7: 4 instead of 2)"));
  CHECK(file.loads[0].items_per_s == 400.0);
  CHECK(!file.loads[0].printed_per_s.has_value());
}

namespace {

/// A closed loop of requests of 8 items whose tool counts those that begin and end within a window, as printed.
MeasuredFile counted_in_window(double window_s, const std::vector<double>& noise) {
  MeasuredFile file;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const double concurrency = static_cast<double>(i + 1) * 8.0;
    const double latency = 0.004 * concurrency;
    const double rate = 8.0 * concurrency / latency;
    file.loads.push_back({.at = {"m.csv", i + 2},
                          .concurrency = concurrency,
                          .request_batch = 8.0,
                          .batch_from = BatchOrigin::given,
                          .items_per_s = rate * (1.0 - latency / window_s + noise[i]),
                          .measured = {{"latency_mean_s", latency}}});
  }
  return file;
}

}  // namespace

TEST_CASE(
    "the rate of a closed loop is items in flight over mean latency, and the window of the printed one is found") {
  MeasuredFile file = counted_in_window(1.9, std::vector<double>(10, 0.0));
  apply_littles_law(file);
  for (const LoadPoint& load : file.loads) {
    CHECK(load.items_per_s == doctest::Approx(8.0 / 0.004));
    CHECK(*load.printed_per_s == doctest::Approx(8.0 / 0.004 * (1.0 - load.measured.at("latency_mean_s") / 1.9)));
  }
  REQUIRE(file.notes.size() == 1);
  CHECK(
      file.notes[0].starts_with("Rates are items in flight over mean latency. The printed rates are low by R/W, R the "
                                "mean latency and W = 1.9 s, "
                                "by 17 % at most"));
  // The same again says and does the same.
  apply_littles_law(file);
  CHECK(file.notes.size() == 1);
  CHECK(*file.loads[9].printed_per_s == doctest::Approx(8.0 / 0.004 * (1.0 - 0.32 / 1.9)));
}

TEST_CASE("no window is found in printed rates that scatter without falling behind") {
  MeasuredFile file = counted_in_window(1e9, {0.01, -0.02, 0.02, -0.01, 0.01, -0.02});
  apply_littles_law(file);
  CHECK(file.notes.empty());
  MeasuredFile open = counted_in_window(1.9, std::vector<double>(10, 0.0));
  for (LoadPoint& load : open.loads) load.request_rate_per_s = std::exchange(load.concurrency, std::nullopt);
  apply_littles_law(open);
  CHECK(!open.loads[0].printed_per_s.has_value());
}

TEST_CASE("the interval of the count window holds the true one in 93 to 97 % of drawn measurements") {
  constexpr std::uint32_t law = 71;
  Coverage coverage;
  for (std::uint32_t set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(law, set);
    std::vector<ClosedLoopRate> loads;
    for (int i = 1; i <= 16; ++i) {
      const double latency = 0.01 * i;
      const double lacks = latency / 2.0 + 0.005 * standard_normal(stream);
      loads.push_back({.in_flight = 100.0, .latency_s = latency, .printed_per_s = 100.0 / latency * (1.0 - lacks)});
    }
    const CountWindow window = count_window(loads).value();
    coverage.add({.low = window.window_s - window.half_width, .high = window.window_s + window.half_width}, 2.0);
  }
  check_coverage("W", coverage);
}

TEST_CASE("Little's ratio compares what clients can have in flight with rate times latency") {
  PublishedPoint point;
  point.values = {{.quantity = find_measured_quantity("items_per_s"), .value = 400, .sd = {}, .sem = {}},
                  {.quantity = find_measured_quantity("latency_mean_s"), .value = 0.05, .sd = {}, .sem = {}}};
  CHECK(little_ratio(point, 16.0).value() == doctest::Approx(16.0 / 20.0));
  // Of clients that do nothing between requests the rate is known by the latency: the printed one lacks nothing here,
  // it has a quarter too much.
  take_rate_of_loop(point, 16.0);
  CHECK(point.values[0].value == doctest::Approx(320.0));
  CHECK(*point.printed_per_s == 400.0);
  CHECK(little_ratio(point, 16.0).value() == doctest::Approx(16.0 / 20.0));
  point.values.pop_back();
  CHECK(!little_ratio(point, 16.0).has_value());
}

}  // namespace saturn::tests::server_files

namespace {

LoadPoint load(double concurrency, double batch, double items_per_s) {
  return {.at = {.file = "perf.csv", .line = 2},
          .concurrency = concurrency,
          .request_batch = batch,
          .batch_from = BatchOrigin::given,
          .items_per_s = items_per_s};
}

MeasuredFile file_of(std::vector<LoadPoint> loads) {
  return {.path = "folder/perf.csv", .loads = std::move(loads)};
}

std::vector<ServiceSeries> series_of(const MeasuredFile& file) {
  return service_series(std::span(&file, 1), "");
}

}  // namespace

TEST_CASE("the server's compute times are the time of a batch, input and output included") {
  LoadPoint point = load(1.0, 8.0, 700.0);
  point.measured = {{"compute_input_s", 0.001}, {"compute_infer_s", 0.008}, {"compute_output_s", 0.0005}};
  const std::vector<ServiceSeries> series = series_of(file_of({point}));
  REQUIRE(series.size() == 1);
  CHECK(series[0].model == "perf");
  CHECK(series[0].from == BatchTimeFrom::server_times);
  REQUIRE(series[0].points.size() == 1);
  CHECK(series[0].points[0].x == 8.0);
  CHECK(series[0].points[0].y == doctest::Approx(0.0095));
  CHECK(series[0].points[0].label == "perf.csv:2");
}

TEST_CASE("a server that must have computed several requests at once tells no batch, unless it says how many it ran") {
  LoadPoint point = load(16.0, 2.0, 3200.0);
  point.measured = {{"compute_infer_s", 0.005}};
  // 3,200/s · 5 ms / 2 = 8 requests at once.
  const std::vector<ServiceSeries> refused = series_of(file_of({point}));
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].points.empty());
  REQUIRE(refused[0].left_out.size() == 1);
  CHECK(refused[0].left_out[0].text ==
        "8 requests of 2 items were computed at once, so the server forms batches or has several instances, and the "
        "file does not say which; measure with one request in flight, or export the server's execution counts.");

  LoadPoint several = point;
  several.instances = 8.0;
  CHECK(series_of(file_of({several}))[0].points.at(0).x == 2.0);
  LoadPoint executed = point;
  executed.executed_batch = 15.8;
  CHECK(series_of(file_of({executed}))[0].points.at(0).x == 15.8);
}

TEST_CASE(
    "rates alone tell the time of a batch from the first load on that keeps the device busy, the unlucky ones too") {
  // The plateau begins at 95 % of 1,000 items/s.
  const std::vector<ServiceSeries> series =
      series_of(file_of({load(1.0, 4.0, 600.0), load(2.0, 4.0, 960.0), load(4.0, 4.0, 940.0), load(8.0, 4.0, 1000.0)}));
  REQUIRE(series.size() == 1);
  CHECK(series[0].from == BatchTimeFrom::throughput);
  REQUIRE(series[0].points.size() == 3);
  CHECK(series[0].points[0].y == doctest::Approx(4.0 / 960.0));
  CHECK(series[0].points[1].y == doctest::Approx(4.0 / 940.0));
  CHECK(series[0].points[2].y == doctest::Approx(4.0 / 1000.0));
}

TEST_CASE("a lone client's latency is the time of its batch, the network's part with it") {
  LoadPoint point = load(1.0, 4.0, 400.0);
  point.measured = {{"latency_mean_s", 0.01}, {"latency_sem_s", 0.0002}};
  const std::vector<ServiceSeries> series = series_of(file_of({point}));
  REQUIRE(series[0].points.size() == 1);
  CHECK(series[0].from == BatchTimeFrom::latency);
  CHECK(series[0].points[0].y == 0.01);
  CHECK(series[0].points[0].standard_error == 0.0002);
  CHECK(series[0].notes ==
        std::vector<std::string>{"times are those that a lone client waited, so the network's part is in them"});
}

TEST_CASE("counters give the mean time at the mean batch, and ensembles nothing") {
  MeasuredFile file{.path = "metrics.prom"};
  file.counters = {{.at = {.file = "metrics.prom", .line = 3},
                    .model = "tagger",
                    .requests = 100.0,
                    .items = 800.0,
                    .executions = 50.0,
                    .sums_s = {{"compute_infer_s", 0.9}, {"compute_input_s", 0.1}}},
                   {.at = {.file = "metrics.prom", .line = 4}, .model = "chain", .requests = 100.0, .ensemble = true}};
  const std::vector<ServiceSeries> series = series_of(file);
  REQUIRE(series.size() == 2);
  const ServiceSeries& tagger = series[series[0].model == "tagger" ? 0 : 1];
  REQUIRE(tagger.points.size() == 1);
  // Each request counts the whole time of its batch.
  CHECK(tagger.points[0].x == doctest::Approx(16.0));
  CHECK(tagger.points[0].y == doctest::Approx(0.01));
  // As of exponential times: 10 ms over the root of 50 batches.
  CHECK(*tagger.points[0].standard_error == doctest::Approx(0.01 / std::sqrt(50.0)));
  const ServiceSeries& chain = series[series[0].model == "chain" ? 0 : 1];
  CHECK(chain.points.empty());
  REQUIRE(chain.left_out.size() == 1);
}
