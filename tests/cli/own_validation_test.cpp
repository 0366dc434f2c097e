#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "reports/validation_report.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

namespace {

// Ten seconds of CPU and one of the only GPU: R = max(11 s, N · 1 s), without any scatter.
constexpr const char* deterministic = R"({"schema": "saturn-scenario/1", "title": "t",
  "jobs": [{"name": "reco", "site": "s", "count": 1, "event": [{"cpu": "10 s"}, {"infer": "net", "items": 1}]}],
  "models": {"net": {"input": "0 B", "max_batch_size": 64, "service": {"t4": {"per_item": "1 s"}}}},
  "servers": [{"name": "gpus", "site": "s", "devices": {"type": "t4", "count": 1}, "models": ["net"]}],
  "devices": {"t4": {"kind": "gpu"}}})";

std::string formula_rows(double factor) {
  std::ostringstream csv;
  csv << "clients,event_time_s\n";
  for (const int clients : {1, 4, 8, 15, 20, 40})
    csv << clients << "," << factor * std::max(11.0, 1.0 * clients) << "\n";
  return csv.str();
}

}  // namespace

TEST_CASE("times by the saturation formula are predicted exactly, and the same times longer by a tenth too low") {
  const TemporaryFolder folder;
  folder.write("s.json", deterministic);
  folder.write("formula.csv", formula_rows(1.0));
  folder.write("longer.csv", formula_rows(1.1));
  const ProcessResult result =
      saturn_process("validate s.json formula.csv longer.csv --format json --quiet", folder.path().string());
  REQUIRE(result.exit_code == 0);
  const json cases = json::parse(result.out)["cases"];
  REQUIRE(cases.size() == 2);
  for (const json& row : cases[0]["rows"]) CHECK(std::abs(row["event_time_s"]["error"].get<double>()) < 1e-6);
  for (const json& row : cases[1]["rows"])
    CHECK(row["event_time_s"]["error"].get<double>() == doctest::Approx(1.0 / 1.1 - 1.0).epsilon(1e-6));
  CHECK(cases[0]["errors"]["event_time_s"]["says"] ==
        "median 0.0 %, worst 0.0 % at " + cases[0]["errors"]["event_time_s"]["worst_at"].get<std::string>() +
            ", bias 0.0 %, no trend with load: within 1 % everywhere");
  const std::string says = cases[1]["errors"]["event_time_s"]["says"];
  CHECK(says.find("bias -9.1 % (too low in every row)") != std::string::npos);
  CHECK(says.ends_with(": within 10 % everywhere"));
}

TEST_CASE("a band that is asked for decides the exit code") {
  const TemporaryFolder folder;
  folder.write("s.json", deterministic);
  folder.write("longer.csv", formula_rows(1.1));
  const std::string command = "validate s.json longer.csv --quiet --median ";
  const ProcessResult within = saturn_process(command + "'10 %' --worst 10%", folder.path().string());
  CHECK(within.exit_code == 0);
  CHECK(within.out.find("within the band asked for (median 10 %, worst 10 %)") != std::string::npos);
  const ProcessResult outside = saturn_process(command + "5%", folder.path().string());
  CHECK(outside.exit_code == 3);
  CHECK(outside.out.find("OUTSIDE the band asked for (median 5 %)") != std::string::npos);
}

TEST_CASE("ProtoDUNE's rows as a table give the errors of the shipped case") {
  const TemporaryFolder folder;
  json shipped =
      json::parse(text_of_file(std::string(SATURN_SOURCE_DIR) + "/calibration/data/protodune_4T4_bigbatch_nodyn.json"));
  const json all = shipped["rows"];
  shipped["rows"] = {all[1], all[6], all[12]};
  for (const char* key : {"hypotheses", "decides_by", "decides_because"}) shipped.erase(key);
  folder.write("case.json", shipped.dump());
  std::ostringstream csv;
  csv << "clients,event_time_s,module_time_s,nonml_s,events_per_s\n";
  for (const json& row : shipped["rows"]) {
    const json& measured = row["measured"];
    csv << row["set"]["/jobs/0/count"] << "," << measured["event_time_s"]["value"] << ","
        << measured["module_time_s"]["value"] << "," << row["nonml_s"] << "," << measured["events_per_s"]["value"]
        << "\n";
  }
  folder.write("rows.csv", csv.str());
  const auto errors = [&](const std::string& arguments) {
    const ProcessResult result = saturn_process(
        "validate " + arguments + " --set '/run/precision=\"20 %\"' --set /run/cycles=6 --format json --quiet",
        folder.path().string());
    std::vector<double> found;
    const json document = json::parse(result.out);
    for (const json& row : document["cases"][0]["rows"]) {
      for (const char* quantity : {"event_time_s", "module_time_s", "events_per_s"})
        found.push_back(row[quantity]["error"].get<double>());
    }
    return found;
  };
  const std::vector<double> expected = errors("case.json");
  REQUIRE(expected.size() == 9);
  CHECK(errors("protodune-big-batch rows.csv") == expected);
}

TEST_CASE("mistakes about scenario, files and options are named together") {
  const TemporaryFolder folder;
  folder.write("s.json", deterministic);
  const ProcessResult wrong = saturn_process("validate s.json no.csv --worst x", folder.path().string());
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err ==
        "--worst: option.not_a_quantity\n  --worst is \"x\"; a share above 0 is written as \"1 %\" or 0.01.\n"
        "no.csv: import.no_file\n  This is given as a file of measurements, but there is no such file.\n");
  const ProcessResult cases = saturn_process("validate triton traccc_a100", folder.path().string());
  CHECK(cases.exit_code == 2);
  CHECK(cases.err.find("triton: score.case_not_scenario\n") != std::string::npos);
  const ProcessResult alone = saturn_process("validate triton --worst 5%", folder.path().string());
  CHECK(alone.exit_code == 2);
  CHECK(alone.err.find("option.without_measurements") != std::string::npos);
}

TEST_CASE("rows that the scenario refuses are left out by name, and without another row nothing is simulated") {
  const TemporaryFolder folder;
  std::string points = deterministic;
  const std::string law = R"("per_item": "1 s")";
  points.replace(points.find(law), law.size(),
                 R"("points": [{"items": 1, "time": "1 s"}, {"items": 4, "time": "2 s"}])");
  folder.write("s.json", points);
  folder.write("some.csv", "concurrency,batch,items_per_s\n1,4,2\n1,32,4\n");
  folder.write("none.csv", "concurrency,batch,items_per_s\n1,32,4\n");
  const ProcessResult some = saturn_process("validate s.json some.csv --format json", folder.path().string());
  CHECK(some.exit_code == 0);
  CHECK(some.err.starts_with(
      "warning: some.csv: scenario.law_extrapolated\n  concurrency 1, batch 32: /jobs/0/event/0/"));
  const json one = json::parse(some.out)["cases"][0];
  CHECK(one["rows"].size() == 1);
  CHECK(std::abs(one["rows"][0]["items_per_s"]["error"].get<double>()) < 1e-6);
  CHECK(one["notes"].get<std::string>().ends_with(
      " Left out, since the scenario refuses to simulate them: concurrency 1, batch 32."));
  const ProcessResult none = saturn_process("validate s.json none.csv", folder.path().string());
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("none.csv: score.no_rows\n  The scenario refuses every row of the file; the reasons stand "
                      "above.\n") != std::string::npos);
}

TEST_CASE("a score in words says bias, trend and how far off") {
  Score score{.quantity = find_measured_quantity("event_time_s"),
              .rows = 4,
              .median_absolute_error = 0.032,
              .worst_error = -0.081,
              .worst_at = "300 clients",
              .mean_error = -0.01,
              .rows_above = 1,
              .rows_below = 3,
              .trend = RankCorrelation{.rho = -0.4, .p_value = 0.6},
              .target = {}};
  CHECK(
      verdict_in_words(score) ==
      "median 3.2 %, worst -8.1 % at 300 clients, bias -1.0 %, no trend with load (p = 0.60): within 10 % everywhere");
  score.trend = RankCorrelation{.rho = -1.0, .p_value = 0.002};
  score.worst_error = -0.62;
  score.target = ErrorTarget{.quantity = score.quantity, .median = 0.05, .worst = {}};
  CHECK(
      verdict_in_words(score) ==
      "median 3.2 %, worst -62.0 % at 300 clients, bias -1.0 %, errors that fall with load (rank correlation -1.00, p "
      "= 0.0020): within the band asked for (median 5 %)");
  score.target.reset();
  CHECK(verdict_in_words(score).ends_with(": off by up to 62 %"));
  score.rows = 2;
  CHECK(verdict_in_words(score).find("too few rows for a trend") != std::string::npos);
  score.rows = 0;
  CHECK(verdict_in_words(score) == "no row counts");
}
