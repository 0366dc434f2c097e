#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>

#include "calibration/measured_case.hpp"
#include "tests/cli/measured_complaints.hpp"
#include "tests/cli/saturn_process.hpp"

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

const std::string one_row = R"({"set": {"/jobs/0/count": 5}, "measured": {"event_time_s": {"value": 121}}})";

}  // namespace

TEST_CASE("rows that one of two hypotheses made are found to favour it") {
  const TemporaryFolder folder;
  folder.write("mine.json", measured_case(rivals, rows_of_fast_gpus()));
  const ProcessResult result = saturn_process("validate mine.json --format json --quiet", folder.path().string());
  REQUIRE(result.exit_code == 0);
  const json one = json::parse(result.out)["cases"][0];
  const json judgement = one["judgements"][0];
  CHECK(judgement["favours"] == "fast");
  CHECK(judgement["telling_rows"] == 6);
  CHECK(judgement["hypotheses"][1]["rows_closer"] == 6);
  // All signs alike are 2 of 64.
  CHECK(judgement["p_value"] == 2.0 / 64);
  CHECK(judgement["log_likelihood_ratio"].get<double>() < -5.0);
  // 500 jobs on four T4 of 1.771 s: 221.4 s.
  CHECK(one["hypotheses"][0]["rows"][0]["event_time_s"]["mean"].get<double>() == doctest::Approx(221.4).epsilon(1e-3));
  const std::string table = saturn_process("validate mine.json --quiet", folder.path().string()).out;
  CHECK(table.find("  The rows favour fast: typical error ") != std::string::npos);
}

TEST_CASE("hypotheses that cannot be judged are refused with the way out") {
  CHECK(measured_complaints(measured_case(rivals, one_row)).empty());
  CHECK(measured_complaints(measured_case(R"("hypotheses": [{"name": "a", "scenario": "b", "says": "c"}],
                                       "decides_by": "events", "decides_because": "d", )",
                                          one_row)) ==
        "measured.out_of_range: /hypotheses has 1 entry; two that rival are compared.\n"
        "measured.out_of_range: /decides_by is \"events\"; it has to be a measured quantity: event_time_s, "
        "module_time_s, events_per_s, requests_per_s, items_per_s, ingress_bytes_per_s, latency_mean_s, latency_p99_s, "
        "latency_p50_s, "
        "latency_p95_s, queue_s, compute_s.\n");
  CHECK(measured_complaints(measured_case(R"("hypotheses": [{"name": "a", "says": "c"}, {"name": "b", "scenario": 3,
                                       "says": "c"}], )",
                                          one_row)) ==
        "measured.missing: /hypotheses/0/scenario is missing.\n"
        "measured.wrong_type: /hypotheses/1/scenario is 3; it has to be a text in quotes.\n"
        "measured.missing: /decides_by is missing.\n"
        "measured.missing: /decides_because is missing.\n");
}

TEST_CASE("the hypotheses of the shipped cases are scenarios in which every row can be set") {
  for (const MeasuredCase& measured : read_measured_cases("protodune_4T4")) {
    CAPTURE(measured.about.id);
    REQUIRE(measured.about.hypotheses.size() == 2);
    for (const MeasuredHypothesis& hypothesis : measured.about.hypotheses) {
      for (const MeasuredRow& row : measured.rows) {
        std::vector<Override> overrides = hypothesis.set;
        overrides.insert(overrides.end(), row.set.begin(), row.set.end());
        CHECK_NOTHROW(read_scenario_file(hypothesis.scenario, overrides));
      }
    }
  }
}

TEST_CASE("the card of the ProtoDUNE card hypothesis saturates before its GPUs, and the GPUs in the other") {
  const json card = json::parse(saturn_process("check protodune-card-limit --format json --quiet").out);
  const json gpu = json::parse(saturn_process("check protodune-big-batch --format json --quiet").out);
  CHECK(card["result"]["knees"][0]["name"] == "gke nic in");
  // 55,000 patches of 9216 B at 10 Gb/s, and 1.42 s on one of four T4.
  CHECK(card["result"]["knees"][0]["demand_s_per_event"].get<double>() == doctest::Approx(55000.0 * 9216 * 8 / 10e9));
  CHECK(card["result"]["knees"][1]["demand_s_per_event"].get<double>() == doctest::Approx(1.42 / 4).epsilon(1e-3));
  CHECK(gpu["result"]["knees"][0]["name"] == "gke/t4");
}
