#include "reports/falsification_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/reports/report_samples.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

Prediction prediction(PredictedNumber quantity, double mean, double below, double above) {
  return {.quantity = quantity,
          .predicted = {.mean = mean, .low = mean, .high = mean},
          .contradicts_below = below,
          .contradicts_above = above};
}

JobsTest jobs_test() {
  return {.pools = {{"reco", 305}},
          .jobs = 305,
          .clients = 305,
          .saturates_at = 273.7,
          .binding = "gke/t4",
          .next = "gke nic in",
          .unhindered_s = 121.2,
          .faster_s = 121.5,
          .slower_s = 148.5,
          .event_time = prediction(PredictedNumber::event_time, 135, 133.6, 136.4),
          .events_per_s = prediction(PredictedNumber::events_per_s, 2.259, 2.236, 2.282),
          .again = "saturn run x"};
}

ModelTest model_test() {
  return {.model = "emtrk",
          .request_batch = 1719,
          .concurrency = 11,
          .requests = 1100,
          .window_s = 15,
          .binding = "gke/t4",
          .command = {"perf_analyzer", "-m", "emtrk"},
          .predictions = {prediction(PredictedNumber::items_per_s, 124200, 123000, 125500),
                          prediction(PredictedNumber::compute, 0.0554, 0.0548, 0.0559)}};
}

}  // namespace

TEST_CASE("an event time tells a bottleneck that is faster from one that is not there only if the margin allows it") {
  JobsTest test = jobs_test();
  CHECK(contradiction(test, test.event_time, 0.1) ==
        "Below 133.6 s or above 136.4 s it contradicts the plan. 121.2 s, as if \"gke/t4\" made nobody wait, would say "
        "that it is faster by 10 % or more, or not what binds; 148.5 s that an event asks 10 % more of it.");
  test.unhindered_s = 110;
  CHECK(
      contradiction(test, test.event_time, 0.1) ==
      "Below 133.6 s or above 136.4 s it contradicts the plan. 110.0 s, as if \"gke/t4\" made nobody wait, would say "
      "that it is not what binds; 121.5 s that an event asks 10 % less of it; 148.5 s that an event asks 10 % more of "
      "it.");
  test.unhindered_s = 134.5;
  CHECK(contradiction(test, test.event_time, 0.1) ==
        "Below 133.6 s or above 136.4 s it contradicts the plan. \"gke nic in\" saturates with nearly as few jobs: the "
        "event time does not tell which of the two binds, only their busy shares do; 148.5 s that an event asks 10 % "
        "more of it.");
}

TEST_CASE("a prediction without an interval contradicts nothing, in words") {
  ModelTest test = model_test();
  test.predictions[0].contradicts_below.reset();
  CHECK(contradiction(test, test.predictions[0]) ==
        "Above 125,500 it contradicts the plan: \"gke/t4\", which saturates here, is slower or faster than predicted.");
  test.predictions[0].contradicts_above.reset();
  CHECK(contradiction(test, test.predictions[0]) == "No value contradicts: the simulation gives no interval for it.");
}

TEST_CASE("a plan that was asked for it carries its falsification in all three forms, and others do not") {
  PlanReport report = sample_plan_report();
  const std::string plain = plan_table(report, {});
  CHECK(plain.find("contradict") == std::string::npos);
  CHECK_FALSE(json::parse(plan_json(report)).contains("falsify"));
  CHECK(plan_csv(report).find("falsify") == std::string::npos);

  report.falsification = Falsification{.jobs = jobs_test(), .models = {model_test()}};
  const std::string text = plan_table(report, {});
  CHECK(text.find("305 jobs at once, on ") != std::string::npos);
  CHECK(text.find("\n  perf_analyzer -m emtrk\n") != std::string::npos);
  const json falsify = json::parse(plan_json(report))["falsify"];
  REQUIRE(falsify.size() == 4);
  CHECK(falsify[0]["kind"] == "jobs");
  CHECK(falsify[0]["jobs"] == 305);
  CHECK(falsify[0]["pools"]["reco"] == 305);
  CHECK(falsify[0]["quantity"] == "event_time_s");
  CHECK(falsify[0]["predicted"]["mean"] == 135);
  CHECK(falsify[0]["contradicts_below"] == 133.6);
  CHECK(falsify[2]["kind"] == "perf_analyzer");
  CHECK(falsify[2]["command"] == "perf_analyzer -m emtrk");
  CHECK(falsify[2]["again"].is_null());
  CHECK(
      falsify[3]["says"] ==
      "Below 54.80 ms or above 55.90 ms it contradicts the plan: the service law of emtrk is wrong. Within them while "
      "infer/sec is not, the network, the host or the batching is.");
  const std::string csv = plan_csv(report);
  CHECK(csv.find("falsify,jobs,event_time_s_contradicts_above,136.4") != std::string::npos);
  CHECK(csv.find("falsify,emtrk,command,perf_analyzer -m emtrk") != std::string::npos);
}

TEST_CASE("what cannot be measured stands with its reason in all three forms") {
  PlanReport report = sample_plan_report();
  report.falsification =
      Falsification{.why_no_jobs = "nothing saturates", .models = {{.model = "emtrk", .why_not = "it is too far"}}};
  CHECK(plan_table(report, {}).find("jobs: nothing saturates.") != std::string::npos);
  CHECK(plan_table(report, {}).find("none: it is too far.") != std::string::npos);
  const json falsify = json::parse(plan_json(report))["falsify"];
  CHECK(falsify[0]["why_not"] == "nothing saturates");
  CHECK(falsify[1]["model"] == "emtrk");
  CHECK(falsify[1]["why_not"] == "it is too far");
  CHECK(plan_csv(report).find("falsify,emtrk,why_not,it is too far") != std::string::npos);
}

TEST_CASE("what fitted parameters leave open is named among the errors") {
  PlanReport report = sample_plan_report();
  report.falsification = Falsification{.jobs = jobs_test()};
  CHECK(plan_table(report, {}).find("  limits: a measurement is taken to be known to 1 % itself; the predicted") !=
        std::string::npos);
  report.falsification->fitted_half_width = 0.03;
  CHECK(plan_table(report, {}).find("  limits: a measurement is taken to be known to 1 % itself, fitted parameters") !=
        std::string::npos);
}
