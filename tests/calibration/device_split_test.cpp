#include "calibration/fit/device_split.hpp"

#include "calibration/measured_case.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/calibration/synthetic.hpp"

namespace saturn {

namespace {

std::vector<FitPoint> offline_points(const MeasuredCase& measured) {
  std::vector<FitPoint> points;
  for (const OfflineRow& row : measured.offline)
    points.push_back({.x = row.batch, .y = row.measured.at("latency_mean_s")});
  return points;
}

}  // namespace

TEST_CASE("the split of shipped measurements is that of the shipped scenarios") {
  struct Case {
    const char* name;
    double rate;  // of two clients
    std::vector<double> device;
  };
  // Numbers of scenarios/library/triton-fastpitch-*.json, which were worked out by hand.
  for (const Case& one : {Case{"triton_fastpitch_a100", 209.1, {4.7824e-3, 5.2942e-3, 6.3177e-3, 8.3647e-3}},
                          Case{"triton_fastpitch_v100", 119.4, {8.3752e-3, 11.6622e-3, 18.5532e-3, 31.1882e-3}}}) {
    const std::vector<MeasuredCase> cases = read_measured_cases(one.name);
    const DeviceSplit split = split_host_device(offline_points(cases.front()), {.items_per_s = one.rate});
    REQUIRE(split.fit.parameters.values.size() == 8);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(split.fit.parameters.values[4 + i] == doctest::Approx(one.device[i]).epsilon(2e-5));
      CHECK(split.host[i] == doctest::Approx(split.fit.parameters.values[i] - one.device[i]).epsilon(2e-3));
    }
    CHECK(split.fit.error_unknown);
    CHECK(split.saturated);
  }
}

TEST_CASE("intervals of host and device part hold the truth in 93 to 97 %") {
  const std::vector<double> sizes{1, 2, 4, 8};
  const std::vector<double> alone{6.5e-3, 7.2e-3, 8.6e-3, 11.4e-3};
  Coverage smallest;
  Coverage largest;
  Coverage host;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(400, static_cast<std::uint32_t>(set));
    std::vector<FitPoint> points;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      points.push_back(
          {.x = sizes[i], .y = alone[i] * (1.0 + 0.005 * standard_normal(stream)), .standard_error = 0.005 * alone[i]});
    // Device part 4.5 ms at a batch of one; seven clients of two instances form batches of 3, 2 and 2, 7/3 on average.
    const double cycle = 3.0 * 4.5e-3 + (8.6e-3 + 7.2e-3) / 2.0 + 2.0 * 7.2e-3 - 3.0 * 6.5e-3;
    const double rate = 7.0 / cycle;
    const DeviceSplit split = split_host_device(points, {.clients = 7,
                                                         .executed_batch = 7.0 / 3.0,
                                                         .items_per_s = rate * (1.0 + 0.004 * standard_normal(stream)),
                                                         .standard_error = 0.004 * rate});
    smallest.add(split.fit, 4, 4.5e-3);
    largest.add(split.fit, 7, 4.5e-3 + 11.4e-3 - 6.5e-3);
    const double half = 1.959964 * split.host_error[0];
    host.add(ParameterInterval{split.host[0] - half, split.host[0] + half}, 2e-3);
  }
  check_coverage("device(1)", smallest);
  check_coverage("device(8)", largest);
  check_coverage("host", host);
}

TEST_CASE("instances that do not wait for each other, and those that disturb each other, are told") {
  const std::vector<FitPoint> alone{{.x = 1, .y = 5e-3}, {.x = 2, .y = 6e-3}};
  CHECK_FALSE(split_host_device(alone, {.items_per_s = 400.0}).saturated);
  const DeviceSplit disturbed = split_host_device(alone, {.items_per_s = 160.0});
  REQUIRE(disturbed.contention);
  CHECK(*disturbed.contention == doctest::Approx(0.25));
  CHECK(disturbed.host[0] == doctest::Approx(0.0));
}

TEST_CASE("rows that cannot be split are refused") {
  const std::vector<FitPoint> alone{{.x = 1, .y = 5e-3}, {.x = 2, .y = 6e-3}};
  CHECK_THROWS_AS(split_host_device(alone, {.clients = 1, .items_per_s = 100.0}), InputError);
  CHECK_THROWS_AS(split_host_device(alone, {.clients = 4, .items_per_s = 100.0}), InputError);
  CHECK_THROWS_AS(split_host_device(alone, {.clients = 30, .executed_batch = 3.0, .items_per_s = 100.0}), InputError);
  CHECK_THROWS_AS(split_host_device(alone, {.items_per_s = -1.0}), InputError);
  CHECK_THROWS_AS(split_host_device({}, {.items_per_s = 1.0}), InputError);
}

}  // namespace saturn
