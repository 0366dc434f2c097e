#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "calibration/measured_case.hpp"
#include "reports/calibration/validation_report.hpp"
#include "sim/study/measured/validation.hpp"
#include "tests/cli/saturn_process.hpp"
#include "tests/cli/validated_cases.hpp"

using namespace saturn;

using nlohmann::json;

TEST_CASE("validation lists its cases") {
  const std::string listed = saturn_process("validate").out;
  CHECK(listed.find("protodune_4T4_bigbatch_nodyn") != std::string::npos);
  CHECK(listed.find("protodune_4T4_smallbatch_nodyn") != std::string::npos);
}

TEST_CASE("a measured row is simulated with its own work outside the module and compared with all that was measured") {
  const TemporaryFolder folder;
  // 300 jobs on four T4 saturate the GPUs: R = 300 x (4.83 ms + 55,000 x 29.37 us) / 4 = 121.51 s, of which 100 s are
  // outside the module.
  folder.write("mine.json", R"({"schema": "saturn-measured/1", "id": "mine", "title": "mine",
    "source": {"text": "made up"}, "verified": false, "scenario": "protodune-big-batch",
    "rows": [{"set": {"/jobs/0/count": 300, "/jobs/0/event/0/cpu": "100 s", "/jobs/0/event/2/request_batch": 55000},
              "nonml_s": 100,
              "measured": {"event_time_s": {"value": 121.51}, "module_time_s": {"value": 21.51},
                           "events_per_s": {"value": 2.469}}}]})");
  const json one = cases_of(json_answer("validate mine.json", folder.path().string())).at(0);
  for (const char* quantity : {"event_time_s", "module_time_s", "events_per_s"}) {
    CAPTURE(quantity);
    CHECK(std::abs(one["rows"][0][quantity]["error"].get<double>()) < 0.02);
    CHECK(one["errors"][quantity]["rows"] == 1);
  }
  CHECK(one["errors"]["event_time_s"]["worst_error"] == one["rows"][0]["event_time_s"]["error"]);
}

TEST_CASE("the beginning of a name validates all its cases, and changed values are named in every form of the answer" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  const std::string changed = "--set '/models/all/service/t4/per_batch/gamma/mean=20 ms'";
  const ProcessResult table = saturn_process("validate purdue " + changed, folder.path().string());
  REQUIRE(table.exit_code == 3);
  CHECK(table.out.find(", CHANGED: /models/all/service/t4/per_batch/gamma/mean=20 ms\n") != std::string::npos);
  CHECK(table.out.find("\nAll cases\n") != std::string::npos);
  CHECK(table.out.find("  purdue_four_t4  events/s") != std::string::npos);
  CHECK(table.err.find("note: every row was simulated with /models/all/service/t4/per_batch/gamma/mean=20 ms; "
                       "these are not the errors of the shipped scenarios\n") != std::string::npos);
  const ProcessResult same = saturn_process("validate exatrkx_direct --seed 7 --set '/run/precision=\"5 %\"'");
  REQUIRE(same.exit_code == 0);
  CHECK(same.out.find("CHANGED") == std::string::npos);
  const std::string summary = saturn_process("validate exatrkx_direct --summary --quiet").out;
  CHECK(summary.find("\nAll cases\n") != std::string::npos);
  CHECK(summary.find("  exatrkx_direct  event time") != std::string::npos);
}

TEST_CASE("one queue for all pods makes the knee of the pinned jobs too sharp" * doctest::test_suite("release")) {
  const ProcessResult result =
      saturn_process("validate purdue_four_t4 --set /servers/0/balancing=central_queue --format json --quiet");
  REQUIRE(result.exit_code == 3);
  const json one = cases_of(json::parse(result.out)).at(0);
  CHECK(one["errors"]["events_per_s"]["worst_error"].get<double>() > 0.15);
}

TEST_CASE("an error that leaves its band, and a band that no row counts for, end with 3 and the answer is given") {
  const ProcessResult slow = saturn_process(
      "validate resnet50_gpu_batch --quiet --set '/models/resnet50/service/gpu/points/0/time=8 ms' --summary");
  CHECK(slow.exit_code == 3);
  CHECK(slow.out.find("median 2 %, worst 5 %  OUTSIDE") != std::string::npos);
  const TemporaryFolder folder;
  folder.write("mine.json", R"({"schema": "saturn-measured/1", "id": "mine", "title": "mine",
    "source": {"text": "made up"}, "verified": false, "scenario": "exatrkx-direct",
    "targets": {"event_time_s": {"worst": 0.5}},
    "rows": [{"point": "one", "set": {}, "used": "calibration", "measured": {"event_time_s": {"value": 0.062}}}]})");
  const ProcessResult nothing = saturn_process("validate mine.json --quiet", folder.path().string());
  CHECK(nothing.exit_code == 3);
  CHECK(nothing.out.find("NO ROWS") != std::string::npos);
}

TEST_CASE("the page of a validation is written over a file with --force") {
  const TemporaryFolder folder;
  folder.write("page.md", "mine");
  CHECK(saturn_process("validate exatrkx_direct --write page.md --force", folder.path().string()).exit_code == 0);
  CHECK(text_of_file(folder.path() / "page.md").starts_with("# Published measurements"));
}

namespace {

std::string committed_page() {
  return text_of_file(std::filesystem::path(SATURN_SOURCE_DIR) / "docs/validation.md");
}

/// Every shipped case with its measured numbers in place of the simulated ones.
ValidationReport unsimulated() {
  ValidationReport report;
  report.provenance = provenance_of("", 0, "");
  for (const MeasuredCase& measured : read_measured_cases("")) {
    ValidationCase validation;
    validation.about = measured.about;
    for (const MeasuredRow& row : measured.rows) {
      const bool of_model = std::any_of(row.point.values.begin(), row.point.values.end(),
                                        [](const MeasuredValue& value) { return value.quantity->of_model(); });
      const Scenario scenario = read_scenario_file(measured.about.scenario, row.set).scenario;
      ValidationRow compared =
          measured_row(row, scenario, of_model ? measured_model(measured, row, scenario) : std::string());
      for (const MeasuredValue& value : compared.measured.values) {
        Estimate same;
        same.mean = same.low = same.high = value.value;
        compared.simulated.push_back(same);
      }
      validation.rows.push_back(compared);
    }
    report.cases.push_back(validation);
  }
  return report;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\') {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  cells.pop_back();
  return cells;
}

/// A page without the columns that only a simulation can fill, and without the texts about hypotheses.
std::string without_simulation(const std::string& page) {
  static const std::set<std::string> simulated{" simulated ", " error ", " median ", " worst ",  " at ",
                                               " mean ",      " trend ", " p ",      " verdict "};
  std::istringstream lines(page);
  std::string kept;
  std::vector<bool> dropped;
  // What two scenarios make of the same rows is simulated, all of it.
  bool in_hypotheses = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) in_hypotheses = line.starts_with("## Hypotheses");
    if (line.empty()) dropped.clear();
    if (in_hypotheses || line.empty()) continue;
    if (!line.starts_with("|")) {
      dropped.clear();
      kept += line + "\n";
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (dropped.empty()) {
      for (const std::string& cell : cells) dropped.push_back(simulated.contains(cell));
    }
    REQUIRE(cells.size() == dropped.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!dropped[c]) kept += "|" + cells[c];
    }
    kept += "\n";
  }
  return kept;
}

}  // namespace

TEST_CASE("docs/validation.md has every shipped case with its source, its measured rows and its bands, all kept") {
  // Renew it with scripts/refresh-docs.sh.
  CHECK(without_simulation(committed_page()) == without_simulation(validation_page(unsimulated())));
}

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
  const std::vector<json> cases =
      cases_of(json_answer("validate s.json formula.csv longer.csv", folder.path().string()));
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

TEST_CASE("a rate that the scenario's times forbid is named, with what they allow") {
  const TemporaryFolder folder;
  // One request of one item after the other takes a second each.
  folder.write("s.json", R"({"schema": "saturn-scenario/1", "title": "t",
  "jobs": [{"name": "clients", "site": "s", "count": 1, "event": [{"infer": "net", "items": 1}]}],
  "models": {"net": {"input": "0 B", "max_batch_size": 1, "service": {"t4": {"per_item": "1 s"}}}},
  "servers": [{"name": "gpus", "site": "s", "devices": {"type": "t4", "count": 1}, "models": ["net"]}],
  "devices": {"t4": {"kind": "gpu"}}})");
  folder.write("fast.csv", "concurrency,batch,items_per_s,latency_ms\n1,1,1,1000\n4,1,1.9,2000\n");
  folder.write("slow.csv", "concurrency,batch,items_per_s,latency_ms\n1,1,1,1000\n4,1,1,4000\n");
  const json answer = json_answer("validate s.json fast.csv slow.csv", folder.path().string());
  const std::string fast = answer["cases"]["fast.csv"]["notes"];
  CHECK(
      fast.find("THE SCENARIO FORBIDS WHAT WAS MEASURED in 1 row: the server did 2 items/s at concurrency 4, batch 1, "
                "where its times allow 1 at most") != std::string::npos);
  const std::string slow = answer["cases"]["slow.csv"]["notes"];
  CHECK(slow.find("FORBIDS") == std::string::npos);
}

TEST_CASE("a band that is asked for decides the exit code" * doctest::test_suite("release")) {
  const TemporaryFolder folder;
  folder.write("s.json", deterministic);
  folder.write("longer.csv", formula_rows(1.1));
  const std::string command = "validate s.json longer.csv --quiet --details --median ";
  const ProcessResult within = saturn_process(command + "'10 %' --worst 10%", folder.path().string());
  CHECK(within.exit_code == 0);
  CHECK(within.out.find("within the band asked for (median 10 %, worst 10 %)") != std::string::npos);
  const ProcessResult outside = saturn_process(command + "5%", folder.path().string());
  CHECK(outside.exit_code == 3);
  CHECK(outside.out.find("OUTSIDE the band asked for (median 5 %)") != std::string::npos);
}

TEST_CASE("ProtoDUNE's rows as a table give the errors of the shipped case" * doctest::test_suite("release")) {
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
    std::vector<double> found;
    const json one =
        cases_of(json_answer("validate " + arguments + " --set '/run/precision=\"20 %\"' --set /run/cycles=6",
                             folder.path().string()))
            .at(0);
    for (const json& row : one["rows"]) {
      for (const char* quantity : {"event_time_s", "module_time_s", "events_per_s"})
        found.push_back(row[quantity]["error"].get<double>());
    }
    return found;
  };
  const std::vector<double> expected = errors("case.json");
  REQUIRE(expected.size() == 9);
  CHECK(errors("protodune-big-batch rows.csv") == expected);
}

TEST_CASE("rows that the scenario refuses are left out by name, and without another row nothing is simulated" *
          doctest::test_suite("release")) {
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
  const json one = cases_of(json::parse(some.out)).at(0);
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
