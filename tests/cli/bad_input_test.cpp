#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "scenarios/document/complaints.hpp"
#include "sim/study/measured/validation.hpp"
#include "sim/study/request.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

TEST_CASE("quantities of the command line are read with their units") {
  CHECK(parse_duration("--time-limit", "10 min").value == 600.0);
  CHECK(parse_memory("--memory-limit", "8 GB") == 8000000000U);
  CHECK(parse_memory("--memory-limit", "1 GiB") == 1U << 30U);
  CHECK(parse_fraction("--loss", "1 %") == 0.01);
  CHECK(parse_fraction("--loss", "0.01") == 0.01);
  CHECK(parse_slowdown("5 %") == 0.05);
  CHECK(parse_slowdown(std::nullopt) == 0.01);
}

TEST_CASE("a share that is not above zero or not a number is refused") {
  for (const char* text : {"0", "-1 %", "nan", "inf", "", "%", "1 s", "1e9"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_fraction("--loss", text), InputError);
  }
}

namespace {

InferStage calls(const std::string& model, std::uint64_t items, std::uint64_t request_batch, std::uint64_t in_flight) {
  InferStage stage;
  stage.model = model;
  stage.items = items;
  stage.request_batch = request_batch;
  stage.in_flight = in_flight;
  return stage;
}

Scenario two_models() {
  JobPool pool;
  pool.count = 10;
  pool.threads = 2;
  pool.event = {CpuStage{}, calls("a", 100, 8, 3), calls("a", 4, 8, 1), calls("b", 1, 1, 1)};
  Scenario scenario;
  scenario.jobs = {pool};
  return scenario;
}

MeasuredCase measured_case(const std::string& model) {
  MeasuredCase measured;
  measured.about.id = "mine";
  measured.about.scenario = "two-models";
  measured.model = model;
  return measured;
}

std::string complaint_of(const MeasuredCase& measured, const Scenario& scenario) {
  try {
    measured_model(measured, MeasuredRow{}, scenario);
  } catch (const InputError& error) {
    return error.complaints().front().code + ": " + error.complaints().front().text;
  }
  return "";
}

}  // namespace

TEST_CASE("a stream has at most the window of its widest stage in flight, and never more than the stage's items") {
  CHECK(most_in_flight(two_models(), "a") == 10 * 2 * 24);
  CHECK(most_in_flight(two_models(), "b") == 10 * 2 * 1);
  Scenario few = two_models();
  few.jobs[0].event = {calls("a", 20, 8, 3)};
  CHECK(most_in_flight(few, "a") == 10 * 2 * 20);
}

TEST_CASE("a case with quantities of a model says which, unless the jobs call only one") {
  CHECK(measured_model(measured_case("b"), MeasuredRow{}, two_models()) == "b");
  CHECK(complaint_of(measured_case(""), two_models()) ==
        "measured.model: /model is missing: the jobs of two-models call a, b; name the one that the measured rates and "
        "latencies are of.");
  CHECK(complaint_of(measured_case("c"), two_models()) ==
        "measured.model: /model is \"c\"; the jobs of two-models call a, b.");
  Scenario one = two_models();
  one.jobs[0].event.pop_back();
  CHECK(measured_model(measured_case(""), MeasuredRow{}, one) == "a");
  MeasuredRow row;
  row.model = "b";
  CHECK(measured_model(measured_case("a"), row, two_models()) == "b");
}

TEST_CASE("a row's quantities of a model are compared with the measured model, and its Little ratio is worked out") {
  Results summary;
  summary.models.resize(2);
  summary.models[0].name = "a";
  summary.models[0]["items_per_s"].mean = 500.0;
  summary.models[1].name = "b";
  summary.models[1]["items_per_s"].mean = 300.0;
  summary.models[1]["latency_s"].mean = 0.08;
  MeasuredRow row;
  row.point.values = {{.quantity = find_measured_quantity("items_per_s"), .value = 250.0, .sd = {}, .sem = {}},
                      {.quantity = find_measured_quantity("latency_mean_s"), .value = 0.1, .sd = {}, .sem = {}}};
  const ValidationRow compared = compared_row(row, two_models(), "b", summary);
  CHECK(compared.error(0) == doctest::Approx(0.2));
  CHECK(compared.error(1) == doctest::Approx(-0.2));
  // Twenty streams with one item each, over 250/s for 0.1 s: 25 in flight cannot be.
  CHECK(compared.little_ratio.value() == doctest::Approx(0.8));
  CHECK(!compared.scored(0));
}
