#include "calibration/fit/closed_loop_fit.hpp"

#include <algorithm>
#include <ctime>

#include "calibration/fit/device_split.hpp"
#include "calibration/measured_case.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/calibration/synthetic.hpp"

namespace saturn {

namespace {

const std::vector<double> clients{20, 60, 120, 180, 220, 260, 300, 350, 400};

std::vector<ClosedLoopRow> measure(double ideal, double demand, double relative, bool given, RandomStream& stream) {
  std::vector<ClosedLoopRow> rows;
  for (const double n : clients) {
    const double truth = std::max(ideal, n * demand);
    ClosedLoopRow row{.clients = n, .event_time_s = truth * (1.0 + relative * standard_normal(stream))};
    if (given) row.standard_error = relative * truth;
    rows.push_back(row);
  }
  return rows;
}

/// Four GPUs, each row with its own time outside the module, as on mixed worker nodes.
struct MixedNodes {
  static constexpr double module_s = 12.0;
  static constexpr double demand_s = 0.45;

  static std::vector<ClosedLoopRow> measure(RandomStream& stream) {
    std::vector<ClosedLoopRow> rows;
    for (const double n : clients) {
      const double own = 90.0 + 40.0 * stream.uniform();
      const double truth = std::max(own + module_s, n * demand_s);
      rows.push_back(
          {.clients = n, .event_time_s = truth + 0.3 * standard_normal(stream), .own_s = own, .standard_error = 0.3});
    }
    return rows;
  }
};

}  // namespace

TEST_CASE("intervals of t_ideal, demand and knee hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  for (const bool given : {true, false}) {
    CAPTURE(given);
    check_coverage(given ? 300 : 301, [&](RandomStream& stream, Coverages& held) {
      // The knee, 240, lies between rows.
      const SaturationFit fit = fit_closed_loop(measure(120.0, 0.5, 0.02, given, stream));
      REQUIRE(fit.knee);
      held["t_ideal"].add(fit.fit, 0, 120.0);
      held["demand"].add(fit.fit, 1, 0.5);
      held["knee"].add(fit.knee_95, 240.0);
    });
  }
}

TEST_CASE("rows with own times have each their own knee, and intervals hold the truth in 93 to 97 %" *
          doctest::test_suite("release")) {
  check_coverage(302, [&](RandomStream& stream, Coverages& held) {
    const std::vector<ClosedLoopRow> rows = MixedNodes::measure(stream);
    double own = 0.0;
    for (const ClosedLoopRow& row : rows) own += *row.own_s / static_cast<double>(rows.size());
    const SaturationFit fit = fit_closed_loop(rows);
    held["t_ideal"].add(fit.fit, 0, own + MixedNodes::module_s);
    held["demand"].add(fit.fit, 1, MixedNodes::demand_s);
    held["knee"].add(fit.knee_95, (own + MixedNodes::module_s) / MixedNodes::demand_s);
  });
}

TEST_CASE("rows below the knee give a bound and no demand") {
  int held = 0;
  int claimed = 0;
  for (int set = 0; set < coverage_sets; ++set) {
    RandomStream stream = set_stream(303, static_cast<std::uint32_t>(set));
    const SaturationFit fit = fit_closed_loop(measure(250.0, 0.5, 0.02, false, stream));
    claimed += fit.knee ? 1 : 0;
    held += fit.knee_above && *fit.knee_above <= 500.0 ? 1 : 0;
    if (fit.knee_above) CHECK(fit.fit.parameters.names == std::vector<std::string>{"t_ideal"});
  }
  CHECK(claimed <= 0.05 * coverage_sets);
  CHECK(held >= 0.95 * coverage_sets);
}

TEST_CASE("rows above the knee give the demand and a bound of t_ideal") {
  RandomStream stream = set_stream(304, 0);
  const SaturationFit fit = fit_closed_loop(measure(5.0, 0.5, 0.02, false, stream));
  CHECK_FALSE(fit.knee);
  CHECK(fit.fit.parameters.names == std::vector<std::string>{"demand"});
  CHECK(fit.fit.parameters.values[0] == doctest::Approx(0.5).epsilon(0.03));
  REQUIRE(fit.knee_below);
  CHECK(*fit.knee_below >= 10.0);
  CHECK(*fit.knee_below <= 22.0);
}

TEST_CASE("a fit says which rows decide") {
  const std::vector<ClosedLoopRow> rows{
      {.clients = 60, .event_time_s = 0.252, .standard_error = 0.0007, .label = "a:2"},
      {.clients = 100, .event_time_s = 0.249, .standard_error = 0.0008, .label = "a:3"},
      {.clients = 150, .event_time_s = 0.252, .standard_error = 0.0006, .label = "a:4"},
      {.clients = 180, .event_time_s = 0.265, .standard_error = 0.0005, .label = "a:5"}};
  const SaturationFit fit = fit_closed_loop(rows);
  CHECK(fit.demand_rows == std::vector<std::string>{"a:5 (N = 180)"});
  CHECK(fit.ideal_rows.size() == 3);
  REQUIRE(fit.knee);
  CHECK(*fit.knee == doctest::Approx(0.2513 / (0.265 / 180)).epsilon(0.01));
}

TEST_CASE("the measured rows of four T4 allow the 270 jobs that they carried") {
  const std::vector<MeasuredCase> cases = read_measured_cases("protodune_4T4_bigbatch_nodyn");
  std::vector<ClosedLoopRow> rows;
  for (const MeasuredRow& row : cases.front().rows) {
    ClosedLoopRow one{.own_s = row.nonml_s};
    for (const MeasuredValue& value : row.point.values)
      if (value.quantity->name == "event_time_s") one.event_time_s = value.value;
    for (const Override& set : row.set)
      if (set.pointer == "/jobs/0/count") one.clients = std::stod(set.value);
    rows.push_back(one);
  }
  // The source's nominal time outside the module.
  const SaturationFit fit = fit_closed_loop(rows, 110.0);
  REQUIRE(fit.knee);
  CHECK(fit.knee_95.low < 270.0);
  CHECK(fit.knee_95.high > 270.0);
  CHECK(fit.knee_95.high < 320.0);
  CHECK(fit.demand_rows.size() == 2);
}

namespace {

/// As many different numbers of clients as rows; the knee is in the middle.
std::vector<ClosedLoopRow> many_rows(std::size_t count, RandomStream& stream) {
  std::vector<ClosedLoopRow> rows;
  for (std::size_t i = 1; i <= count; ++i) {
    const auto n = static_cast<double>(i);
    const double truth = std::max(10.0, 20.0 * n / static_cast<double>(count));
    rows.push_back({.clients = n, .event_time_s = truth * (1.0 + 0.05 * standard_normal(stream))});
  }
  return rows;
}

/// The least chi² over every parting by clients, each part solved by itself.
double least_over_all_partings(const std::vector<ClosedLoopRow>& rows) {
  double least = 1e300;
  for (std::size_t cut = 1; cut < rows.size(); ++cut) {
    double base = 0.0;
    double products = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ClosedLoopRow& row = rows[i];
      (i < cut ? base : products) +=
          i < cut ? row.event_time_s / static_cast<double>(cut) : row.clients * row.event_time_s;
      if (i >= cut) squares += row.clients * row.clients;
    }
    double chi2 = 0.0;
    for (const ClosedLoopRow& row : rows)
      chi2 += std::pow(row.event_time_s - std::max(base, row.clients * products / squares), 2);
    least = std::min(least, chi2);
  }
  return least;
}

}  // namespace

TEST_CASE("of many numbers of clients the parting that is found is as good as the best of all") {
  for (std::uint32_t set = 0; set < 20; ++set) {
    RandomStream stream = set_stream(410, set);
    const std::vector<ClosedLoopRow> rows = many_rows(300, stream);
    const SaturationSolution found = solve_saturation(rows, std::vector<double>(rows.size(), 1.0), Parting::both);
    CHECK(found.chi2 <= least_over_all_partings(rows) * (1.0 + 1e-9));
  }
}

TEST_CASE("the time that a parting is found in grows with the rows, and not with their square" *
          doctest::test_suite("release")) {
  RandomStream stream = set_stream(411, 0);
  const auto least_time = [&](std::size_t count) {
    const std::vector<ClosedLoopRow> rows = many_rows(count, stream);
    const std::vector<double> errors(rows.size(), 1.0);
    std::clock_t least = std::numeric_limits<std::clock_t>::max();
    for (int repeat = 0; repeat < 3; ++repeat) {
      const std::clock_t start = std::clock();
      solve_saturation(rows, errors, Parting::both);
      least = std::min(least, std::clock() - start);
    }
    return static_cast<double>(least);
  };
  const double small = least_time(1000);
  const double large = least_time(16'000);
  // 16 if linear, a little more by rounds and caches; 256 if quadratic.
  CHECK(large < 64.0 * small);
}

TEST_CASE("closed-loop rows that no law can be fitted to are refused") {
  const std::vector<ClosedLoopRow> two{{.clients = 1, .event_time_s = 1.0}, {.clients = 2, .event_time_s = 1.0}};
  CHECK_THROWS_WITH_AS(fit_closed_loop(two),
                       "measurements: calibration.too_few_points\n  2 rows for the event time without load and the "
                       "demand of the bottleneck; 4 are needed, or 3 with errors: measure more numbers of clients.",
                       InputError);
  const std::vector<ClosedLoopRow> same(5, {.clients = 3, .event_time_s = 1.0});
  CHECK_THROWS_AS(fit_closed_loop(same), InputError);
  std::vector<ClosedLoopRow> bad(5, {.clients = 3, .event_time_s = -1.0});
  bad[1].own_s = 4.0;
  CHECK_THROWS_AS(fit_closed_loop(bad), InputError);
  CHECK_THROWS_AS(fit_closed_loop({}), InputError);
}

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

TEST_CASE("intervals of host and device part hold the truth in 93 to 97 %" * doctest::test_suite("release")) {
  const std::vector<double> sizes{1, 2, 4, 8};
  const std::vector<double> alone{6.5e-3, 7.2e-3, 8.6e-3, 11.4e-3};
  check_coverage(400, [&](RandomStream& stream, Coverages& held) {
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
    held["device(1)"].add(split.fit, 4, 4.5e-3);
    held["device(8)"].add(split.fit, 7, 4.5e-3 + 11.4e-3 - 6.5e-3);
    const double half = 1.959964 * split.host_error[0];
    held["host"].add(ParameterInterval{split.host[0] - half, split.host[0] + half}, 2e-3);
  });
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
