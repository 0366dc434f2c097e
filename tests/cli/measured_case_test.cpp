#include "calibration/measured_case.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/cli/compared_row.hpp"
#include "tests/cli/measured_complaints.hpp"

using namespace saturn;

namespace {

const MeasuredValue* value_of(const MeasuredRow& row, std::string_view name) {
  for (const MeasuredValue& value : row.point.values) {
    if (value.quantity->name == name) return &value;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("every shipped measurement is read and has a scenario of ours in which each of its rows can be set") {
  CHECK(shipped_measurements().size() >= 15);
  for (const MeasuredCase& measured : read_measured_cases("")) {
    CAPTURE(measured.about.id);
    CHECK(measured.about.verified);
    std::set<std::string> labels;
    for (const MeasuredRow& row : measured.rows) {
      CAPTURE(row.point.label);
      CHECK(labels.insert(row.point.label).second);
      CHECK_NOTHROW(read_scenario_file(measured.about.scenario, row.set));
    }
  }
}

TEST_CASE("the parts of the shipped ProtoDUNE measurements add up to what was measured") {
  for (const MeasuredCase& measured : read_measured_cases("protodune_4T4")) {
    for (const MeasuredRow& row : measured.rows) {
      CAPTURE(row.point.label);
      const double event_time = value_of(row, "event_time_s")->value;
      // The source rounds the part outside the module to four digits.
      CHECK(std::abs(event_time - value_of(row, "module_time_s")->value - row.nonml_s.value()) <= 0.06);
      // It gives the rate as jobs over event time.
      const double jobs = std::stod(row.point.label);
      CHECK(value_of(row, "events_per_s")->value == doctest::Approx(jobs / event_time).epsilon(1e-3));
      CHECK(row.point.remark.empty() == (jobs > 1.0));
    }
  }
}

TEST_CASE(
    "rate and latency of every shipped Triton row agree with the requests that its scenario's jobs have in flight") {
  const std::vector<MeasuredCase> cases = read_measured_cases("triton");
  CHECK(cases.size() == 6);
  for (const MeasuredCase& measured : cases) {
    CAPTURE(measured.about.id);
    CHECK(measured.offline.size() >= 3);
    for (const MeasuredRow& row : measured.rows) {
      CAPTURE(row.point.label);
      const Scenario scenario = read_scenario_file(measured.about.scenario, row.set).scenario;
      const double ratio =
          little_ratio(row.point, most_in_flight(scenario, measured_model(measured, row, scenario))).value();
      CHECK(ratio > 0.95);
      // The measuring client waits a little between requests, above all with many clients.
      CHECK(ratio < 1.07);
    }
  }
}

TEST_CASE("a name stands for its case, or for all cases that begin with it") {
  CHECK(read_measured_cases("traccc_a100").size() == 1);
  CHECK(read_measured_cases("traccc_a100.json").size() == 1);
  CHECK(read_measured_cases("traccc").size() == 2);
  CHECK_THROWS_AS(read_measured_cases("no-such-case"), InputError);
}

TEST_CASE("everything that is wrong with a measured file is said at once") {
  const std::string quantities =
      "event_time_s, module_time_s, events_per_s, requests_per_s, items_per_s, ingress_bytes_per_s, "
      "latency_mean_s, latency_p99_s, "
      "latency_p50_s, latency_p95_s, queue_s, compute_s";
  CHECK(
      measured_complaints(R"({"schema": "saturn-measured/1", "id": "x", "title": "t", "source": {"text": "s"},
    "verified": 1, "scenario": "first-steps", "colour": "red", "targets": {"items_per_s": {}, "queue_s": 3},
    "rows": [{"set": {"/jobs/0/count": 3}, "measured": {"module_time_s": {"value": -2}, "speed": {"value": 1}}},
             {"set": {}, "used": "fit"},
             {"point": "p", "set": {}, "score": false, "measured": {}}],
    "offline": [{"batch": 4, "measured": {"items_per_s": -1}}]})") ==
      "measured.unknown_key: /colour is not a key of the schema; here are known: schema, id, title, source, verified, "
      "notes, calibration, targets, scenario, model, rows, offline, hypotheses, decides_by, decides_because.\n"
      "measured.wrong_type: /verified is 1; it has to be true or false.\n"
      "measured.missing: /targets/items_per_s is empty; give median, worst or both, as fractions: 0.03 for 3 %.\n"
      "measured.wrong_type: /targets/queue_s is 3; it has to be an object { ... }.\n"
      "measured.unknown_key: /rows/0/measured/speed is not a key of the schema; here are known: " +
          quantities +
          ".\n"
          "measured.out_of_range: /rows/0/measured/module_time_s/value is -2; it has to be above 0.\n"
          "measured.missing: /rows/0/nonml_s is missing; module_time_s is compared with the event time minus it.\n"
          "measured.missing: /rows/1/point is missing: a short name of the row, such as \"concurrency 16\"; only a row "
          "whose set has \"/jobs/0/count\" does without.\n"
          "measured.out_of_range: /rows/1/used is \"fit\"; it can only be \"calibration\" or \"identity\".\n"
          "measured.missing: /rows/1/measured is missing.\n"
          "measured.missing: /rows/2/remark is missing; a row that is kept out of the score says why.\n"
          "measured.missing: /rows/2/measured holds no quantity; give one or more of " +
          quantities +
          ".\n"
          "measured.out_of_range: /offline/0/measured/items_per_s is -1; it has to be 0 or above.\n");
}

TEST_CASE("a shipped case without a band for what it is compared by, or without a row that counts, is refused") {
  const auto complaints = [](const std::string& targets, const std::string& row) {
    const std::string text = R"({"schema": "saturn-measured/1", "id": "x", "title": "t", "source": {"text": "s"},
      "verified": true, "scenario": "first-steps", )" +
                             targets + R"("rows": [{"point": "p", "set": {}, )" + row + R"(
      "measured": {"items_per_s": {"value": 7}, "queue_s": {"value": 1, "score": false}}}]})";
    CHECK_NOTHROW(read_measured_text(text, "x.json"));
    try {
      read_shipped_text(text, "x.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  const std::string lacking =
      "x.json: measured.no_band\n"
      "  /targets/items_per_s has to say the median and the worst error that the rows of a shipped case must keep "
      "within, for example { \"median\": 0.05, \"worst\": 0.2 }.";
  CHECK(complaints("", "") == lacking);
  CHECK(complaints(R"("targets": {"items_per_s": {"worst": 0.1}}, )", "") == lacking);
  CHECK(complaints(R"("targets": {"queue_s": {"median": 0.1, "worst": 0.1}}, )", "") == lacking);
  const std::string band = R"("targets": {"items_per_s": {"median": 0.1, "worst": 0.1}}, )";
  CHECK(complaints(band, "") == "none");
  CHECK(complaints(band, R"("used": "identity", )") == "none");
  CHECK(
      complaints(band, R"("used": "calibration", )") ==
      "x.json: measured.no_band\n"
      "  /rows has no row that counts, so no band could be left; a shipped case predicts one at least, or marks it as "
      "\"used\": \"identity\".");
}

TEST_CASE("a measured row keeps its label, its use, its values and what it sets") {
  const MeasuredCase measured = read_measured_text(R"({"schema": "saturn-measured/1", "id": "x", "title": "t",
    "source": {"text": "s", "url": "u", "file": "f"}, "verified": true, "scenario": "first-steps", "model": "m",
    "targets": {"queue_s": {"worst": 0.1}},
    "rows": [{"set": {"/jobs/0/count": 3}, "used": "calibration",
              "measured": {"queue_s": {"value": 0.5, "sem": 0.1, "score": false}}},
             {"point": "p", "set": {"/a": "2 s"}, "score": false, "remark": "cold",
              "measured": {"items_per_s": {"value": 7}, "event_time_s": {"value": 8}}}],
    "offline": [{"batch": 4, "measured": {"queue_s": 0, "compute_infer_s": 0.02}}]})",
                                                   "x.json");
  CHECK(measured.about.source == "s, u, f");
  CHECK(measured.model == "m");
  REQUIRE(measured.about.targets.size() == 1);
  CHECK(measured.about.targets[0].worst == 0.1);
  CHECK(!measured.about.targets[0].median.has_value());
  const PublishedPoint& first = measured.rows.at(0).point;
  CHECK(first.label == "3 jobs");
  CHECK(first.use == PointUse::calibration);
  CHECK(first.values.at(0).sem == 0.1);
  CHECK(!first.values.at(0).scored);
  const MeasuredRow& second = measured.rows.at(1);
  CHECK(second.point.label == "p");
  CHECK(second.point.use == PointUse::shown);
  CHECK(second.point.values.size() == 2);
  CHECK(second.set.at(0).value == "2 s");
  CHECK(measured.offline.at(0).measured == std::map<std::string, double>{{"compute_infer_s", 0.02}, {"queue_s", 0.0}});
}

TEST_CASE("a text that is not JSON is refused with its line and column") {
  try {
    read_measured_text("{\n  \"schema\": oops\n}\n", "x.json");
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    REQUIRE(error.complaints().size() == 1);
    CHECK(error.complaints()[0].code == "measured.not_json");
    CHECK(error.complaints()[0].line == 2);
    CHECK(error.complaints()[0].column == 13);
  }
}

TEST_CASE("the service laws of the Triton scenarios are the offline rows of their cases") {
  for (const MeasuredCase& one : read_measured_cases("triton")) {
    CAPTURE(one.about.id);
    const Scenario scenario = read_scenario_file(one.about.scenario, {}).scenario;
    const ServiceLaw& law = scenario.models.at("model").service.begin()->second;
    REQUIRE(law.points.size() == one.offline.size());
    for (std::size_t i = 0; i < one.offline.size(); ++i) {
      std::map<std::string, double> row = one.offline[i].measured;
      // Where the server told its own times, they are the law; else what the only client saw.
      const bool told = row.contains("compute_infer_s");
      const double time_s =
          told ? row["compute_input_s"] + row["compute_infer_s"] + row["compute_output_s"] : row["latency_mean_s"];
      CHECK(law.points[i].items == one.offline[i].batch);
      CHECK(law.points[i].time.value == doctest::Approx(time_s).epsilon(1e-9));
    }
  }
}

TEST_CASE("the GPU's part of FastPitch follows from the row with two clients and the offline rows") {
  for (const MeasuredCase& one : read_measured_cases("triton_fastpitch")) {
    CAPTURE(one.about.id);
    const auto used = std::find_if(one.rows.begin(), one.rows.end(),
                                   [](const MeasuredRow& row) { return row.point.use == PointUse::calibration; });
    REQUIRE(used != one.rows.end());
    const Scenario scenario = read_scenario_file(one.about.scenario, {}).scenario;
    const std::vector<MeasuredPoint>& points = scenario.models.at("model").service.begin()->second.points;
    const auto slope = [&](std::size_t i) {
      return (points[i].time - points[i - 1].time).value / (points[i].items - points[i - 1].items);
    };
    double device_s = 1.0 / value_of(*used, "items_per_s")->value;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double grown = i == 0 ? 0.0 : points[i].items - points[i - 1].items;
      if (i > 0) device_s += grown * std::max(slope(i), slope(points.size() - 1));
      CHECK(points[i].device.value().value == doctest::Approx(device_s).epsilon(1e-4));
    }
  }
}
