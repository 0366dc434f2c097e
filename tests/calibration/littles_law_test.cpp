#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cmath>

#include "calibration/import/load_point_rules.hpp"
#include "calibration/measured_case.hpp"
#include "tests/calibration/imported_server_file.hpp"

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
    apply_littles_law(file, 0);
    RC_ASSERT(*file.loads[0].request_batch == static_cast<double>(batch));
    RC_ASSERT(file.loads[0].batch_from == BatchOrigin::littles_law);
  }));
}

TEST_CASE("a ratio that is no whole number is kept as it is and named") {
  MeasuredFile file = with_point(100.0, 0.028, 2.0);
  apply_littles_law(file, 0);
  CHECK(*file.loads[0].request_batch == doctest::Approx(1.4));
  REQUIRE(file.notes.size() == 2);
  CHECK(file.notes[1] ==
        "Little's law gives no whole number of items a request (line 7: 1.4): the batches vary, or the measurement was "
        "too short.");
}

TEST_CASE("five percent beside a whole number is that number, a little more is not") {
  MeasuredFile near = with_point(104.9, 0.01, 1.0);
  apply_littles_law(near, 0);
  CHECK(*near.loads[0].request_batch == 1.0);
  MeasuredFile far = with_point(105.1, 0.01, 1.0);
  apply_littles_law(far, 0);
  CHECK(*far.loads[0].request_batch == doctest::Approx(1.051));
}

TEST_CASE("a given batch stays, and the law's contradiction is named") {
  MeasuredFile file = with_point(400.0, 0.02, 2.0);
  file.loads[0].request_batch = 2.0;
  file.loads[0].batch_from = BatchOrigin::given;
  apply_littles_law(file, 0);
  CHECK(*file.loads[0].request_batch == 2.0);
  CHECK(file.loads[0].batch_from == BatchOrigin::given);
  REQUIRE(file.notes.size() == 1);
  CHECK(file.notes[0].starts_with("Little's law contradicts the given items of a request (line 7: 4 instead of 2)"));
}

TEST_CASE("Little's ratio compares what clients can have in flight with rate times latency") {
  PublishedPoint point;
  point.values = {{.quantity = find_measured_quantity("items_per_s"), .value = 400, .sd = {}, .sem = {}},
                  {.quantity = find_measured_quantity("latency_mean_s"), .value = 0.05, .sd = {}, .sem = {}}};
  CHECK(little_ratio(point, 16.0).value() == doctest::Approx(16.0 / 20.0));
  point.values.pop_back();
  CHECK(!little_ratio(point, 16.0).has_value());
}

}  // namespace saturn::tests::server_files
