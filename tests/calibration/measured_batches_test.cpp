#include "calibration/measured_batches.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace saturn;

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
