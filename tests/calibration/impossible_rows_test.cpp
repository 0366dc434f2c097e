#include "calibration/impossible_rows.hpp"

#include <doctest/doctest.h>

#include "calibration/calibrate.hpp"

using namespace saturn;

namespace {

/// A load of so many clients that each wait so long, of one model.
LoadPoint load_of(double concurrency, double batch, double latency_s) {
  LoadPoint load{.at = {.file = "perf.csv", .line = 2}, .model = "net"};
  load.concurrency = concurrency;
  load.request_batch = batch;
  load.batch_from = BatchOrigin::given;
  load.items_per_s = concurrency * batch / latency_s;
  load.measured["latency_mean_s"] = latency_s;
  return load;
}

}  // namespace

TEST_CASE("a lone client that waits longer than each of two is named, with both times and what would decide") {
  const std::vector<LoadPoint> cold{load_of(1, 1, 8.1e-3), load_of(2, 1, 5.2e-3)};
  const std::vector<std::string> texts = slow_lone_clients(cold);
  REQUIRE(texts.size() == 1);
  CHECK(texts.front().find("A LONE CLIENT IS SLOWER THAN TWO: with requests of 1 item it waits 8.1 ms (perf.csv:2), "
                           "each of two 5.2 ms") == 0);
  CHECK(texts.front().find("two requests in flight") != std::string::npos);
  // A queue makes two wait longer; other batches and other models say nothing of each other.
  CHECK(slow_lone_clients(std::vector{load_of(1, 1, 5.2e-3), load_of(2, 1, 8.1e-3)}).empty());
  CHECK(slow_lone_clients(std::vector{load_of(1, 8, 8.1e-3), load_of(2, 1, 5.2e-3)}).empty());
}

TEST_CASE("a lone client that is slower by no more than its error is not named") {
  std::vector<LoadPoint> loads{load_of(1, 1, 5.4e-3), load_of(2, 1, 5.2e-3)};
  CHECK(slow_lone_clients(loads).empty());
  for (LoadPoint& load : loads) load.measured["latency_sem_s"] = 1e-6;
  CHECK(slow_lone_clients(loads).size() == 1);
  for (LoadPoint& load : loads) load.measured["latency_sem_s"] = 1e-4;
  CHECK(slow_lone_clients(loads).empty());
}

TEST_CASE("times of a file that fall with the batch are impossible, and are named with the file's other faults") {
  MeasuredFile file{.path = "perf.csv", .format = "perf_analyzer CSV"};
  file.loads = {load_of(1, 1, 8e-3), load_of(1, 4, 5e-3)};
  const std::vector<std::string> texts = impossible_rows(file);
  REQUIRE(texts.size() == 1);
  CHECK(texts.front().find("THESE TIMES CANNOT ALL BE TRUE") == 0);
  file.loads = {load_of(1, 1, 5e-3), load_of(1, 4, 8e-3)};
  CHECK(impossible_rows(file).empty());
}

TEST_CASE("a measured rate above what a law allows is named, at the instances that the file has") {
  // One item a millisecond, at any batch.
  const std::vector<std::pair<double, double>> law{{1, 1e-3}, {8, 8e-3}};
  std::vector<LoadPoint> loads{load_of(2, 1, 1e-3)};
  const std::string text = rates_above_law(loads, law);
  CHECK(text.find("perf.csv:2 has 2000 items/s, where its times allow 1000 with 1 instance") != std::string::npos);
  loads.front().instances = 2.0;
  CHECK(rates_above_law(loads, law).empty());
  CHECK(rates_above_law(std::vector{load_of(2, 1, 2e-3)}, law).empty());
}

TEST_CASE("a law fitted to a load generator's rows says so in its value, another does not") {
  MeasuredFile file{.path = "perf.csv", .format = "perf_analyzer CSV"};
  file.loads = {load_of(1, 1, 5e-3), load_of(1, 4, 8e-3), load_of(1, 16, 20e-3)};
  const auto value_of = [](const MeasuredFile& one) {
    Calibration result;
    calibrate_services(std::span(&one, 1), "", result);
    REQUIRE(result.fits.size() == 1);
    return result.fits.front().value;
  };
  CHECK(value_of(file).find(R"("rests_on":"synthetic")") != std::string::npos);
  file.format = "plain table";
  CHECK(value_of(file).find("rests_on") == std::string::npos);
}

TEST_CASE(
    "a law from lone clients' rows alone says how far the rates of such servers were off, beside a loaded row none "
    "does") {
  MeasuredFile file{.path = "perf.csv", .format = "perf_analyzer CSV"};
  file.loads = {load_of(1, 1, 5e-3), load_of(1, 4, 8e-3), load_of(1, 16, 20e-3)};
  const auto expected_of = [](const MeasuredFile& one) {
    Calibration result;
    calibrate_services(std::span(&one, 1), "", result);
    REQUIRE(result.fits.size() == 1);
    return result.fits.front().expected_rates;
  };
  REQUIRE(expected_of(file).has_value());
  CHECK(expected_of(file)->low < 1.0);
  CHECK(expected_of(file)->high > 1.0);
  file.loads.push_back(load_of(2, 16, 30e-3));
  CHECK_FALSE(expected_of(file).has_value());
}
