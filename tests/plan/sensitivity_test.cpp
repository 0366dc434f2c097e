#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "models/bounds.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/quantity_text.hpp"
#include "sim/plan/mva_crossing.hpp"
#include "sim/plan/sensitivity_of.hpp"
#include "tests/plan/plan_scenarios.hpp"
#include "tests/plan/sensitivity_problems.hpp"

using namespace saturn;

TEST_CASE("ProtoDUNE's jobs per GPU at saturation are t_ideal/t_GPU, and so are their elasticities") {
  const ReadScenario read = read_scenario_file("protodune-big-batch", {});
  const Sensitivity found =
      sensitivity_of_plan(saturating_plan(read.scenario), {}, read, maker_of(read), no_simulation, 0.1);
  // The published numbers: 110 s and 7 s on the CPU, 55,000 patches of 9,216 B in 32 requests over 2 Gb/s and 11.8 ms.
  const double gpu_s = 55000 * 32.2e-6;
  const double there_s = 55000 * 9216 / 0.25e9;
  const double back_s = 55000 * 16 / 0.25e9;
  const double travel_s = 32 * 11.8e-3;
  const double ideal_s = 110 + 7 + gpu_s + there_s + back_s + travel_s;
  CHECK(found.answer == "jobs per GPU");
  CHECK(found.value == doctest::Approx(ideal_s / gpu_s).epsilon(1e-9));
  const auto is = [&](const std::string& pointer, double expected) {
    CAPTURE(pointer);
    CHECK(elasticity_of(found, pointer) == doctest::Approx(expected).epsilon(1e-6));
  };
  is("/models/emtrk/service/t4/per_item", gpu_s / ideal_s - 1);
  is("/jobs/0/event/0/cpu", 110 / ideal_s);
  is("/jobs/0/event/1/cpu", 7 / ideal_s);
  is("/network/links/0/rtt", travel_s / ideal_s);
  is("/network/links/0/per_flow", -(there_s + back_s) / ideal_s);
  is("/models/emtrk/input", there_s / ideal_s);
  is("/models/emtrk/output", back_s / ideal_s);
  is("/servers/0/nic", 0);
  is("/devices/t4/price/value", 0);
  is("/jobs/0/event/2/cpu_alternative", 0);
  CHECK(found.rows.front().input.pointer == "/models/emtrk/service/t4/per_item");
  CHECK(found.rows.front().when_low == doctest::Approx((ideal_s - 0.1 * gpu_s) / (0.9 * gpu_s)).epsilon(1e-9));
  CHECK(found.rows.front().when_high == doctest::Approx((ideal_s + 0.1 * gpu_s) / (1.1 * gpu_s)).epsilon(1e-9));
}

TEST_CASE("Units cannot matter: scaling all durations and slowing all bandwidths changes no number of jobs per GPU") {
  CHECK(rc::check([] {
    const auto tenths = [](int low, int high) { return *rc::gen::inRange(low, high) * 0.1; };
    const ReadScenario read = read_scenario_text(
        loop_text(tenths(1, 900), tenths(1, 50), tenths(0, 9), tenths(0, 900), *rc::gen::inRange(1, 5)), "s.json", {});
    const Sensitivity found =
        sensitivity_of_plan(saturating_plan(read.scenario), {}, read, maker_of(read), no_simulation, 0.1);
    RC_ASSERT(!found.rows.empty());
    const double durations = sum_over(found, Dimension::duration);
    const double sizes = sum_over(found, Dimension::size);
    const double bandwidths = sum_over(found, Dimension::bandwidth);
    RC_ASSERT(std::abs(durations - bandwidths) < 1e-6);
    RC_ASSERT(std::abs(sizes + bandwidths) < 1e-6);
    double shares = 0.0;
    for (const SensitivityRow& row : found.rows) shares += row.variance_share;
    RC_ASSERT(std::abs(shares - 1.0) < 1e-9);
  }));
}

TEST_CASE("At the tolerated slowdown the elasticities are those of the crossing itself") {
  const ReadScenario read = read_scenario_text(loop_text(40, 0.5, 0.2, 10, 4), "s.json", {});
  const PlanQuestion question{.slowdown = 0.02, .clients = {}};
  const auto crossing = [&](std::vector<Override> changes) {
    return *mva_crossing(read.again(changes), question.slowdown).clients;
  };
  Plan plan;
  plan.answer.within_slowdown = crossing({}) / 4;
  plan.answer.saturates_at = 2 * plan.answer.within_slowdown;
  const Sensitivity found = sensitivity_of_plan(plan, question, read, maker_of(read), by_mva, 0.1);
  CHECK(found.value == plan.answer.within_slowdown);
  const auto is = [&](const std::string& pointer, const std::string& lower, const std::string& higher, double step) {
    CAPTURE(pointer);
    const double expected = std::log(crossing({{pointer, higher}}) / crossing({{pointer, lower}})) / step;
    CHECK(elasticity_of(found, pointer) == doctest::Approx(expected).epsilon(0.02));
  };
  const double step = std::log(1.05 / 0.95);
  is("/models/model/service/gpu/per_batch/exponential/mean", "0.475 s", "0.525 s", step);
  is("/jobs/0/event/0/cpu/exponential/mean", "38 s", "42 s", step);
  CHECK(std::abs(sum_over(found, Dimension::duration) - sum_over(found, Dimension::bandwidth)) < 0.04);
  const std::vector<std::string> money{"/devices/gpu/price", "/devices/gpu/power"};
  CHECK(std::all_of(money.begin(), money.end(), [&](const std::string& one) {
    return std::count(found.without_effect.begin(), found.without_effect.end(), one) == 1;
  }));
}

TEST_CASE("What noise alone may make takes no share of the variance, and its interval says so") {
  const ReadScenario read = read_scenario_text(loop_text(40, 0.5, 0.2, 10, 4), "s.json", {});
  const PlanQuestion question{.slowdown = 0.02, .clients = {}};
  Plan plan;
  plan.answer.within_slowdown = *mva_crossing(read.scenario, question.slowdown).clients / 4;
  plan.answer.saturates_at = 2 * plan.answer.within_slowdown;
  std::size_t calls = 0;
  const Sensitivity found = sensitivity_of_plan(
      plan, question, read, maker_of(read),
      [&](std::span<const SearchedScenario> scenarios) {
        ++calls;
        std::vector<SearchedRun> runs = by_mva(scenarios);
        // Noise of 1 % that the two replications of a scenario share with nobody.
        for (std::size_t i = 0; i < runs.size(); ++i)
          for (std::size_t r = 0; r < 2; ++r)
            runs[i].replications[r].all_jobs["slowdown"].mean *=
                1 + 0.005 * (static_cast<double>((i * 7 + r * 3) % 5) - 2);
        return runs;
      },
      0.1);
  CHECK(calls == 1);
  REQUIRE(!found.rows.empty());
  for (const SensitivityRow& row : found.rows) {
    CHECK(row.elasticity.low <= row.elasticity.mean);
    if (row.elasticity.low < 0 && row.elasticity.high > 0) CHECK(row.variance_share == 0);
  }
}

TEST_CASE("The next measurement is the one that brings most of the variance, and it says how much it would help") {
  const ReadScenario read = read_scenario_file("protodune-big-batch", {});
  const Plan plan = saturating_plan(read.scenario);
  const Sensitivity assumed = sensitivity_of_plan(plan, {}, read, maker_of(read), no_simulation, 0.1);
  // Half a bar is what an input that is off by its uncertainty does to the answer.
  double variance = 0.0;
  for (const SensitivityRow& row : assumed.rows) variance += std::pow((row.when_high - row.when_low) / 2, 2);
  double widest = 0.0;
  for (const SensitivityRow& row : assumed.rows) widest = std::max(widest, std::abs(row.when_high - row.when_low) / 2);
  const double shrinks = 1 - std::sqrt(1 - 0.75 * widest * widest / variance);
  CHECK(assumed.next_measurement ==
        "Measure /models/emtrk/service/t4/per_item to half its uncertainty and the part of the answer's interval that "
        "the inputs bring shrinks by " +
            std::to_string(std::lround(100 * shrinks)) +
            " %. All uncertainties are assumed, 10 % each: this says where the answer is sensitive, not where it is "
            "least known.");
}

TEST_CASE("An input that comes from a fit has the fit's uncertainty, at 95 %") {
  ReadScenario read = read_scenario_file("protodune-big-batch", {});
  read.fits = {{.file = "fitted.json",
                .name = "gpu",
                .parameters = {.names = {"per_item"}, .values = {32.2e-6}, .covariance = {1e-14}},
                .at = {"/per_item"},
                .units = {"s"},
                .places = {"/models/emtrk/service/t4"}}};
  const std::vector<SensitivityInput> inputs = sensitivity_inputs(read, 0.2);
  const auto at = [&](const std::string& pointer) {
    return *std::find_if(inputs.begin(), inputs.end(), [&](const auto& one) { return one.pointer == pointer; });
  };
  CHECK(at("/models/emtrk/service/t4/per_item").uncertainty == doctest::Approx(1.959964 * 1e-7 / 32.2e-6));
  CHECK(at("/models/emtrk/service/t4/per_item").fit == "fitted.json: gpu");
  CHECK(at("/models/emtrk/service/t4/per_item").value == "32.2 us");
  CHECK(at("/network/links/0/rtt").uncertainty == 0.2);
  CHECK(uncertainty_from(at("/network/links/0/rtt")) == "assumed");
}

TEST_CASE("A value that the reader refuses is varied to its other side, and a failed simulation becomes a note") {
  // A batch may not be larger than allowed, so that items can only be fewer.
  std::string text = loop_text(40, 0.5, 0.2, 1, 4);
  text.replace(text.find("\"items\": 1"), 10, "\"items\": 100");
  text.replace(text.find("\"max_batch_size\": 1"), 19, "\"max_batch_size\": 100");
  const ReadScenario read = read_scenario_text(text, "s.json", {});
  const Plan plan = saturating_plan(read.scenario);
  const Sensitivity found = sensitivity_of_plan(plan, {}, read, maker_of(read), no_simulation, 0.1);
  // One item fewer is 1 MB less of 100 MB on its way; the service time stays.
  const double ideal_s = 40.7 + 100 * 1e6 / 0.25e9;
  const double fewer_s = ideal_s - 1e6 / 0.25e9;
  CHECK(elasticity_of(found, "/jobs/0/event/1/items") ==
        doctest::Approx(std::log(ideal_s / fewer_s) / std::log(100.0 / 99.0)).epsilon(1e-6));

  Plan crossing = plan;
  crossing.answer.within_slowdown = 0.8 * plan.answer.saturates_at;
  const Sensitivity failed = sensitivity_of_plan(
      crossing, {}, read, maker_of(read),
      [](std::span<const SearchedScenario> scenarios) {
        std::vector<SearchedRun> runs = by_mva(scenarios);
        for (SearchedRun& run : runs) run.failure = "the run took more than 600 s";
        return runs;
      },
      0.1);
  CHECK(failed.rows.empty());
  CHECK(failed.next_measurement.empty());
  CHECK(has_note(failed,
                 "there are no elasticities: a simulation beside the answer failed: the run took more than 600 s"));
}
