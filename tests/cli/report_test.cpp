#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/cli/sample_sweep.hpp"

using namespace saturn;

namespace {

/// A report of one of the fast shipped scenarios, in a folder of its own.
ProcessResult report(const TemporaryFolder& folder, const std::string& arguments) {
  return saturn_process("report " + arguments, folder.path().string());
}

}  // namespace

TEST_CASE(
    "a report says the plan's sentence and which file it wrote, with its figures, the same at any number of "
    "processes" *
    doctest::test_suite("release")) {
  const TemporaryFolder one;
  const TemporaryFolder two;
  const std::string what = "protodune-perf-client --out report.html --figures csv --budget '10 min'";
  const ProcessResult alone = report(one, what + " --workers 1");
  const ProcessResult together = report(two, what + " --workers 2");
  CHECK(alone.exit_code == 0);
  CHECK(alone.err.empty());
  CHECK(alone.out == together.out);
  CHECK(alone.out.find("report.html") != std::string::npos);
  const std::string page = text_of_file(one.path() / "report.html");
  CHECK(page == text_of_file(two.path() / "report.html"));
  // The page begins with the plan's sentence.
  const std::string whole = json_answer("plan protodune-perf-client")["sentence"];
  const std::string sentence = whole.substr(0, whole.find('.'));
  CHECK(alone.out.starts_with(sentence));
  CHECK(page.find(sentence) != std::string::npos);
  for (const char* figure : {"event_time.csv", "event_time.vl.json"})
    CHECK(std::filesystem::exists(one.path() / "report-figures" / figure));
}

TEST_CASE("the page of a shipped scenario has at most eight figures that are not folded" *
          doctest::test_suite("release")) {
  for (const char* scenario : {"first-steps", "protodune-big-batch", "two-sites"}) {
    CAPTURE(scenario);
    const TemporaryFolder folder;
    const std::string command = " --set /run/brief=true --out page.html --quiet --budget '5 min'";
    CHECK(report(folder, scenario + command).exit_code == 0);
    const std::string page = text_of_file(folder.path() / "page.html");
    const std::size_t folded = page.find("<details class=\"evidence\"");
    REQUIRE(folded != std::string::npos);
    std::size_t unfolded = 0;
    for (std::size_t at = page.find("<figure"); at < folded; at = page.find("<figure", at + 1)) ++unfolded;
    CHECK(unfolded >= 3);
    CHECK(unfolded <= 8);
  }
}

TEST_CASE("a budget that is too short gives a page all the same, which says what it lacks, with exit code 4") {
  const TemporaryFolder folder;
  const ProcessResult result = report(folder, "first-steps --out report.html --details --budget '1 ms'");
  CHECK(result.exit_code == 4);
  CHECK(
      result.out.find("Warning: The budget of 0.00100 s ended before all was simulated as precisely as asked, and how "
                      "far it came depends on the machine; cut short: the scenario as it stands") != std::string::npos);
  CHECK(std::filesystem::exists(folder.path() / "report.html"));
}

TEST_CASE("over a horizon no plan is searched that what happens makes impossible: the page says how to ask instead" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  const ProcessResult result = report(folder, "supersonic-geddes --set '/run/horizon=20 min' --out report.html");
  CHECK(result.exit_code == 0);
  const std::string page = text_of_file(folder.path() / "report.html");
  CHECK(page.find("so that no plan is named for a slowdown of the unloaded event. saturn plan --free with") !=
        std::string::npos);
}

TEST_CASE("what a scenario's file begins with stands in the report: prose in paragraphs, commands line by line") {
  const TemporaryFolder folder;
  const std::string shipped = saturn_process("examples first-steps").out;
  folder.write(
      "mine.json",
      "// Twenty jobs & one GPU: the second line of this paragraph follows, since the first one is full, to here\n"
      "// and no further.\n"
      "// Another paragraph. Compare: saturn validate brainwave\n"
      "// A third one.\n"
      "//   saturn plan mine.json          what it carries\n"
      "//   saturn run mine.json\n" +
          shipped.substr(shipped.find("{\n")));
  CHECK(report(folder, "mine.json --out report.html --budget '1 ms'").exit_code == 4);
  const std::string page = text_of_file(folder.path() / "report.html");
  CHECK(
      page.find("<p>Twenty jobs &amp; one GPU: the second line of this paragraph follows, since the first one is full, "
                "to here and no further.</p>\n<p>Another paragraph. Compare: saturn validate brainwave</p>\n"
                "<p>A third one.</p>\n<div class=\"lines\">\n<code>saturn plan mine.json   what it carries</code>\n"
                "<code>saturn run mine.json</code>\n</div>\n") != std::string::npos);
}

namespace {

const std::string provenance =
    R"json({"provenance":{"version":"0.1.0","simgrid":"3.32","git":"abc","seed":42,"scenario_sha256":"5f0c","command":"saturn sweep x.json --axis '/a=1, 2'"}})json";

}  // namespace

TEST_CASE("an unfinished sweep becomes a page that says what is missing and how to get it") {
  const TemporaryFolder folder;
  write_sample_sweep(folder, "my sweep", R"(Four \"GPUs\" </script>)", "{\"id\":\"e8d9f0a1b2c34d5e6f7081\n");
  folder.write("my sweep/provenance.json", provenance);
  const std::string where = folder.path().string();
  const ProcessResult done = saturn_process("report 'my sweep' --metric event_time_s --out page.html", where);
  CHECK(done.exit_code == 4);
  const std::string html = text_of_file(folder.path() / "page.html");
  const auto says = [&](const std::string& text) { return html.find(text) != std::string::npos; };
  CHECK(says("The lowest event time is 119.2 ± 0.3 s at round-trip time 0.5 ms, dispatch round_robin (point 0)."));
  CHECK(says("1 of 4 points (25 %) is missing: the sweep is unfinished."));
  CHECK(says("--out &#39;my sweep&#39;"));
  CHECK(says("1 of 4 points (25 %) failed: 1 out of time."));
  CHECK(says("1 of 4 points (25 %) is less precise than asked"));
  CHECK(says("1 line of the result files did not read whole and counts as missing."));
  CHECK_FALSE(says("laws that every run must satisfy"));
  CHECK_FALSE(says("Four \"GPUs\" </script>"));
  CHECK(text_of_file(folder.path() / "page.html") == html);
  std::filesystem::remove(folder.path() / "my sweep" / "provenance.json");
  CHECK(saturn_process("report 'my sweep' --out bare.html", where).exit_code == 4);
  CHECK(text_of_file(folder.path() / "bare.html").find("provenance.json, which would name it, is not in the folder") !=
        std::string::npos);
}

TEST_CASE("a fitted file becomes a page with its fits") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const std::string fitted =
      R"json({"schema":"saturn-fitted/1","tool":"saturn 0.1.0 (abc)","created":"2026-01-02T03:04:05Z",
"command":"saturn calibrate a.csv --out f.json","data":[{"path":"a.csv","sha256":"00ff","format":"table","used":3,"left_out":0}],
"fits":{"t4":{"kind":"service law","about":"GPU times of </script>","law":"affine","value":{"per_item":"1 ms"},
"parameters":[{"name":"per item","at":"/per_item","value":0.001,"unit":"s","low":0.0009,"high":0.0011}],"covariance":[[0]],
"points":3,"residuals":[{"from":"a.csv:1","x":1,"y":0.001,"fitted":0.001,"standardised":0.1,"outlier":false},
{"from":"a.csv:2","x":2,"y":0.0021,"fitted":0.002,"standardised":1.1,"outlier":false},
{"from":"a.csv:3","x":4,"y":0.004,"fitted":0.004,"standardised":null,"outlier":true}],"notes":["short"]}},
"comparisons":[{"quantity":"time [s]","first":"a","second":"b","first_value":{"mean":1,"low":0.9,"high":1.1},
"second_value":{"mean":2,"low":1.9,"high":2.1},"factor":{"mean":2,"low":1.8,"high":2.2},"p":0.001,"contradict":true}],
"scenario":"lab","saturation":[
{"from":"a","device_time_s":{"mean":2,"low":1.5,"high":2.6},"jobs":{"mean":100,"low":80,"high":130},"decided_by":"row 1"},
{"from":"b","device_time_s":{"mean":1,"low":0.9,"high":1.1},"jobs":{"mean":200,"low":190,"high":210},"decided_by":"row 2"}],
"saturation_notes":[]})json";
  folder.write("f.json", fitted);
  CHECK(saturn_process("report f.json --out fits.html", where).exit_code == 0);
  const std::string html = text_of_file(folder.path() / "fits.html");
  const auto says = [&](const std::string& text) { return html.find(text) != std::string::npos; };
  CHECK(says("1 fit from 1 file of measurements. In 1 of 1 comparison the sources contradict each other."));
  CHECK(says("Contradiction about the time [s]: 1.00 ± 0.10 by a, 2.00 ± 0.10 by b."));
  CHECK(says("GPU times of &lt;/script&gt; (t4)"));
  CHECK(
      says("Contradiction about where lab saturates: a and b differ by a factor of 2.00 in the time of a device; the "
           "interval of a excludes the 200 jobs of b; the interval of b excludes the 100 jobs of a."));
  CHECK(says("100 (80.0 to 130)"));
  CHECK(says("00ff"));
  CHECK(says("figure-fit_t4_1"));
}

using Json = nlohmann::json;

namespace {

// Two GPUs of 20 ms an event serve at most 100 events/s; 40 streams of 100 ms CPU and 20 ms GPU serve 333.
constexpr const char* counter = R"({
  "schema": "saturn-scenario/1",
  "jobs": [{ "name": "trigger", "site": "farm", "count": 40, "arrivals": { "constant": { "rate": "120 Hz" } },
             "buffer": 10, "event": [{ "cpu": "100 ms" }, { "infer": "tagger", "items": 1 }] }],
  "models": { "tagger": { "input": "0 B", "max_batch_size": 1, "service": { "t4": { "per_batch": "20 ms" } } } },
  "servers": [{ "name": "gpus", "site": "farm", "devices": { "type": "t4", "count": 2 }, "models": ["tagger"] }],
  "devices": { "t4": { "kind": "gpu" } },
  "run": { "window": "20 s", "min_replications": 3, "max_replications": 3 }
})";

std::string page_of(const TemporaryFolder& folder, const std::string& scenario) {
  folder.write("trigger.json", scenario);
  const ProcessResult result =
      saturn_process("report trigger.json --out page.html --budget '5 min' --quiet", folder.path().string());
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  return text_of_file(folder.path() / "page.html");
}

Json panel_of(const std::string& page) {
  const std::string head = "id=\"planner-data\">";
  const std::size_t at = page.find(head);
  REQUIRE(at != std::string::npos);
  const std::size_t begin = at + head.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace

TEST_CASE("where events arrive, the panel has their rate, the demands, and the plan's simulated losses") {
  const TemporaryFolder folder;
  const Json model = panel_of(page_of(folder, counter));
  CHECK(model["arrivals_per_s"].get<double>() == doctest::Approx(120.0));
  CHECK(model["streams"] == 40.0);
  CHECK(model["devices"] == 2.0);
  CHECK(model["cpu_s"].get<double>() == doctest::Approx(0.1));
  CHECK(model["device_s"].get<double>() == doctest::Approx(0.02));
  REQUIRE(model["resources"].size() == 1);
  CHECK(model["resources"][0]["demand_s"].get<double>() == doctest::Approx(0.01));
  CHECK(model["resources"][0]["follows"] == "device");
  CHECK(model["simulated"].empty());
  // By the demands alone three GPUs are needed; two of them lose 1 - 100/120.
  REQUIRE(model["losses"].size() >= 2);
  for (const Json& loss : model["losses"]) {
    const double least = std::max(0.0, 1.0 - loss["devices"].get<double>() * 50.0 / 120.0);
    CHECK(loss["lost_fraction"].get<double>() == doctest::Approx(least).epsilon(0.03));
    CHECK(loss["low"].get<double>() <= loss["lost_fraction"].get<double>());
    CHECK(loss["high"].get<double>() >= loss["lost_fraction"].get<double>());
  }
}

TEST_CASE("the panel names its answers as a sweep by bounds does in CSV, and run and plan in JSON" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  REQUIRE(saturn_process("report protodune-perf-client --out page.html --budget '1 ms'", where).exit_code == 4);
  const std::string sweep = "sweep protodune-perf-client --axis /servers/0/nodes=1,2 --method bounds --out points";
  REQUIRE(saturn_process(sweep, where).exit_code == 0);
  const std::string rows = text_of_file(folder.path() / "points" / "points.csv");
  const std::string heads = "," + rows.substr(0, rows.find('\n')) + ",";
  const Json run = json_answer("run protodune-perf-client")["result"];
  const Json plan = json_answer("plan protodune-perf-client --method bounds")["answer"];
  const Json panel = panel_of(text_of_file(folder.path() / "page.html"));
  for (const auto& [name, key] : panel["keys"].items()) {
    const std::string word = key;
    const bool known = heads.find("," + word + ",") != std::string::npos || run.contains(word) || plan.contains(word);
    CHECK_MESSAGE(known, word);
  }
}

TEST_CASE("where events arrive at some pools alone, a sentence takes the panel's place" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  Json mixed = Json::parse(counter);
  mixed["jobs"].push_back(mixed["jobs"][0]);
  mixed["jobs"][1]["name"] = "offline";
  mixed["jobs"][1].erase("arrivals");
  mixed["jobs"][1].erase("buffer");
  const std::string page = page_of(folder, mixed.dump());
  CHECK(page.find("id=\"planner-data\"") == std::string::npos);
  CHECK(page.find("the panel&#39;s formulas are those of one pool.") != std::string::npos);
}
