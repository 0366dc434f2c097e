#include "calibration/measured_case.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sim/study/measured/validation.hpp"
#include "tests/cli/saturn_process.hpp"
#include "tests/cli/validated_cases.hpp"

using namespace saturn;

using nlohmann::json;

namespace {

std::string measured_case(const std::string& hypotheses, const std::string& rows) {
  return R"({"schema": "saturn-measured/1", "id": "mine", "title": "mine", "source": {"text": "made up"},
    "verified": false, "scenario": "protodune-big-batch", )" +
         hypotheses + R"("rows": [)" + rows + "]}";
}

const std::string rivals = R"("hypotheses": [
    {"name": "slow", "scenario": "protodune-big-batch", "says": "1.771 s on a T4"},
    {"name": "fast", "scenario": "protodune-big-batch", "says": "1.1 s on a T4",
     "set": {"/models/emtrk/service/t4/per_item": "20 us"}}],
  "decides_by": "event_time_s", "decides_because": "it is what was measured", )";

/// Saturated rows, as GPUs of 1.1 s an event would give them: N x 1.1 s / 4; with one request an event, which is quick.
std::string rows_of_fast_gpus() {
  std::string rows;
  for (const int jobs : {500, 520, 540, 560, 580, 600}) {
    rows += (rows.empty() ? "" : ", ") + std::string(R"({"set": {"/jobs/0/count": )") + std::to_string(jobs) +
            R"(, "/jobs/0/event/2/request_batch": 55000}, "measured": {"event_time_s": {"value": )" +
            std::to_string(jobs * 1.1 / 4) + "}}}";
  }
  return rows;
}

}  // namespace

TEST_CASE("rows that one of two hypotheses made are found to favour it") {
  const TemporaryFolder folder;
  folder.write("mine.json", measured_case(rivals, rows_of_fast_gpus()));
  const json one = cases_of(json_answer("validate mine.json", folder.path().string())).at(0);
  const json judgement = one["judgements"][0];
  CHECK(judgement["favours"] == "fast");
  CHECK(judgement["telling_rows"] == 6);
  CHECK(judgement["second_rows_closer"] == 6);
  // All signs alike are 2 of 64.
  CHECK(judgement["p_value"] == 2.0 / 64);
  CHECK(judgement["log_likelihood_ratio"].get<double>() < -5.0);
  // 500 jobs on four T4 of 4.83 ms and 55,000 times 29.37 us: 202.5 s.
  CHECK(one["predictions"][0]["predicted"]["mean"].get<double>() == doctest::Approx(202.52).epsilon(1e-3));
  const std::string table = saturn_process("validate mine.json --quiet --details", folder.path().string()).out;
  CHECK(table.find("  The rows favour fast: typical error ") != std::string::npos);
}

TEST_CASE("the hypotheses of the shipped cases are scenarios in which every row can be set") {
  std::size_t rivals_of_cases = 0;
  for (const MeasuredCase& measured : read_measured_cases("protodune_4T4")) {
    CAPTURE(measured.about.id);
    rivals_of_cases += measured.about.hypotheses.size();
    for (const MeasuredHypothesis& hypothesis : measured.about.hypotheses) {
      for (const MeasuredRow& row : measured.rows) {
        std::vector<Override> overrides = hypothesis.set;
        overrides.insert(overrides.end(), row.set.begin(), row.set.end());
        CHECK_NOTHROW(read_scenario_file(hypothesis.scenario, overrides));
      }
    }
  }
  // GPU and network card, of three cases.
  CHECK(rivals_of_cases == 6);
}

TEST_CASE("the card of the ProtoDUNE card hypothesis saturates before its GPUs, and the GPUs in the other") {
  const json card = json_answer("check protodune-card-limit");
  const json gpu = json_answer("check protodune-big-batch");
  CHECK(card["result"]["knees"][0]["name"] == "gke nic in");
  // 55,000 patches of 9216 B at 10 Gb/s, and 5.7 ms a request and 25.8 us a patch on one of four T4.
  CHECK(card["result"]["knees"][0]["demand_s_per_event"].get<double>() == doctest::Approx(55000.0 * 9216 * 8 / 10e9));
  CHECK(card["result"]["knees"][1]["demand_s_per_event"].get<double>() ==
        doctest::Approx((32 * 5.7e-3 + 55000 * 25.8e-6) / 4));
  CHECK(gpu["result"]["knees"][0]["name"] == "gke/t4");
}

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

// The clients of GPUNet, TFT and Wide & Deep were on another host; those of FastPitch, nnU-Net and ResNet-50 were not.
TEST_CASE("printed rates of shipped Triton rows lack what a count window of 1.7 to 2.2 s does not see, or nothing") {
  const std::vector<MeasuredCase> cases = read_measured_cases("triton");
  CHECK(cases.size() == 16);
  for (const MeasuredCase& measured : cases) {
    CAPTURE(measured.about.id);
    CHECK(measured.offline.size() >= 3);
    // PyTorch on a T4: latencies of more than a second, and a window of 4.5 s.
    const bool longer_window = measured.about.id == "triton_tft_pytorch_t4";
    std::vector<ClosedLoopRate> loads;
    for (const MeasuredRow& row : measured.rows) {
      CAPTURE(row.point.label);
      const Scenario scenario = read_scenario_file(measured.about.scenario, row.set).scenario;
      const std::optional<ClosedLoopRate> loop =
          measured_row(row, scenario, measured_model(measured, row, scenario)).loop();
      REQUIRE(loop.has_value());
      CHECK(std::abs(loop->lacks()) < (longer_window ? 0.29 : 0.1));
      loads.push_back(*loop);
    }
    const std::optional<CountWindow> window = count_window(loads);
    const bool same_host = measured.about.notes.find("over HTTP from another host") == std::string::npos;
    REQUIRE(window.has_value() == !same_host);
    if (!window) continue;
    CHECK(window->window_s > 1.7);
    CHECK((window->window_s < 2.2) != longer_window);
  }
}

TEST_CASE("a name stands for its case, or for all cases that begin with it") {
  CHECK(read_measured_cases("traccc_a100").size() == 1);
  CHECK(read_measured_cases("traccc_a100.json").size() == 1);
  CHECK(read_measured_cases("traccc").size() == 2);
  CHECK_THROWS_AS(read_measured_cases("no-such-case"), InputError);
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

TEST_CASE("what a case sets comes before what its rows set") {
  const MeasuredCase measured = read_measured_text(R"({"schema": "saturn-measured/1", "id": "x", "title": "t",
    "source": {"text": "s"}, "verified": true, "scenario": "first-steps", "set": {"/a": 1, "/b": "2 s"},
    "rows": [{"point": "p", "set": {"/a": 3}, "measured": {"items_per_s": {"value": 7}}}]})",
                                                   "x.json");
  std::vector<std::string> changes;
  for (const Override& one : measured.rows.at(0).set) changes.push_back(one.pointer + "=" + one.value);
  CHECK(changes == std::vector<std::string>{"/a=1", "/b=2 s", "/a=3"});
  CHECK(scenario_in_words("first-steps", measured.about.set) == "first-steps with /a=1, /b=2 s");
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

TEST_CASE("the service laws of the Triton cases are their offline rows, none below that of a smaller batch") {
  for (const MeasuredCase& one : read_measured_cases("triton")) {
    CAPTURE(one.about.id);
    const Scenario scenario = read_scenario_file(one.about.scenario, one.about.set).scenario;
    const ServiceLaw& law = scenario.models.at("model").service.begin()->second;
    std::map<double, double> least_s;  // by the size
    double so_far_s = 0.0;
    for (const OfflineRow& offline : one.offline) {
      std::map<std::string, double> row = offline.measured;
      // Where the server told its own times, they are the law; else what the only client saw.
      const bool told = row.contains("compute_infer_s");
      const double time_s =
          told ? row["compute_input_s"] + row["compute_infer_s"] + row["compute_output_s"] : row["latency_mean_s"];
      so_far_s = std::max(so_far_s, time_s);
      least_s[static_cast<double>(offline.batch)] = so_far_s;
    }
    REQUIRE(law.points.size() >= least_s.size());
    for (std::size_t i = 0; i < law.points.size(); ++i) {
      const double items = static_cast<double>(law.points[i].items);
      CAPTURE(items);
      if (!least_s.contains(items)) {
        // Before a size that smaller batches undercut, the line through the two smaller sizes goes on.
        REQUIRE(i >= 2);
        const auto& [a, b] = std::pair(law.points[i - 2], law.points[i - 1]);
        const double slope_s = (b.time - a.time).value / static_cast<double>(b.items - a.items);
        least_s[items] = law.speed * (b.time.value + slope_s * (items - static_cast<double>(b.items)));
      }
      CHECK(law.points[i].time.value * law.speed == doctest::Approx(least_s[items]).epsilon(1e-6));
    }
  }
}

TEST_CASE("the GPU's part of FastPitch follows from the row with two clients and the offline rows") {
  for (const std::string gpu : {"a100", "v100"}) {
    CAPTURE(gpu);
    const MeasuredCase one = read_measured_cases("triton_fastpitch_" + gpu).front();
    const auto used = std::find_if(one.rows.begin(), one.rows.end(),
                                   [](const MeasuredRow& row) { return row.point.label == "concurrency 2"; });
    REQUIRE(used != one.rows.end());
    const Scenario scenario = read_scenario_file("triton-fastpitch-" + gpu, {}).scenario;
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
