#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

namespace {

/// Two round-trip times, two dispatches; the last point has no result, and one line is torn.
const std::string sweep_plan =
    R"json({"schema":"saturn-sweep/1","title":"Four \"GPUs\" </script>","scenario":"x.json","scenario_sha256":"5f0c2d9f6f0c1b1c9a6f5d1d6d5be6c0a3cf1f5a7d3d0ce3ad8f4b1c6e2a9b70","answer":"run","seed":42,"axes":[{"pointer":"/network/links/0/rtt","name":"rtt","unit":"s"},{"pointer":"/servers/0/dispatch","name":"dispatch","unit":""}],"points":4,"version":"0.1.0","results":"1"}
{"point":0,"id":"1f6a0c52d1c94b7fa2e60d3c5b8e9f01","values":[["0.5 ms",5e-04],["round_robin"]]}
{"point":1,"id":"9b3de2774c0f4a15b6c8a1d2e3f40516","values":[["0.5 ms",5e-04],["least_loaded"]]}
{"point":2,"id":"c04f7a1be65d42938e1726354a5b6c7d","values":[["100 ms",0.1],["round_robin"]]}
{"point":3,"id":"e8d9f0a1b2c34d5e6f70819a2b3c4d5e","values":[["100 ms",0.1],["least_loaded"]]}
)json";

const std::string sweep_results =
    R"json({"id":"1f6a0c52d1c94b7fa2e60d3c5b8e9f01","result":{"status":"answered","replications":3,"metrics":[["events","per_s",2.25,2.24,2.26],["event_time","s",119.2,118.9,119.5],["jobs","",268]],"words":[["binding","gke/t4"]]},"check":"b9080e4a85570d4c"}
{"id":"9b3de2774c0f4a15b6c8a1d2e3f40516","result":{"status":"imprecise","replications":32,"metrics":[["events","per_s",2.04,1.95,2.14],["event_time","s",131.5,125.25,137.75],["jobs","",268]],"words":[["binding","gke/t4"]]},"check":"16d5c2ebc15c37b6"}
{"id":"c04f7a1be65d42938e1726354a5b6c7d","result":{"status":"failed","failure":"out of time","reason":"the point took longer than 1 h (--point-time)"},"check":"582985c030f083c8"}
{"id":"e8d9f0a1b2c34d5e6f7081
)json";

const std::string provenance =
    R"json({"provenance":{"version":"0.1.0","simgrid":"3.32","git":"abc","seed":42,"scenario_sha256":"5f0c","command":"saturn sweep x.json --axis '/a=1, 2'"}})json";

void write_unfinished_sweep(const TemporaryFolder& folder) {
  std::filesystem::create_directories(folder.path() / "my sweep" / "results");
  folder.write("my sweep/plan.jsonl", sweep_plan);
  folder.write("my sweep/results/worker-1.jsonl", sweep_results);
  folder.write("my sweep/provenance.json", provenance);
}

}  // namespace

TEST_CASE("an unfinished sweep becomes a page that says what is missing and how to get it") {
  const TemporaryFolder folder;
  write_unfinished_sweep(folder);
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

TEST_CASE("report says what is wrong with a sweep's folder and options") {
  const TemporaryFolder folder;
  write_unfinished_sweep(folder);
  std::filesystem::create_directory(folder.path() / "empty");
  std::filesystem::create_directory(folder.path() / "foreign");
  folder.write("foreign/plan.jsonl", "not a plan\n");
  const std::string where = folder.path().string();
  const ProcessResult options =
      saturn_process("report 'my sweep' --set /run/seed=3 --slowdown '2 %' --out page.html", where);
  CHECK(options.exit_code == 2);
  CHECK(options.err ==
        "--set: report.nothing_simulated\n"
        "  A sweep's report shows what its folder holds, and simulates nothing; leave --set out, or give it to saturn "
        "sweep.\n"
        "--slowdown: report.nothing_simulated\n"
        "  A sweep's report shows what its folder holds, and simulates nothing; leave --slowdown out, or give it to "
        "saturn sweep.\n");
  const ProcessResult view = saturn_process("report 'my sweep' --metric nothing --x delay --out page.html", where);
  CHECK(view.exit_code == 2);
  CHECK(view.err ==
        "--metric: show.unknown_metric\n"
        "  No point answers with \"nothing\"; there are \"events_per_s\", \"event_time_s\", \"jobs\" and \"binding\".\n"
        "--x: show.unknown_axis\n"
        "  The sweep has no axis \"delay\"; its axes are \"rtt\" and \"dispatch\".\n");
  CHECK(saturn_process("report empty --out page.html", where).exit_code == 2);
  const ProcessResult foreign = saturn_process("report foreign --out page.html", where);
  CHECK(foreign.exit_code == 2);
  CHECK(foreign.err.find("foreign/plan.jsonl:1: sweep.bad_folder") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "page.html"));
}

TEST_CASE("a fitted file becomes a page with its fits, and says where it is wrong") {
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

  folder.write("bad.json",
               R"json({"schema":"saturn-fitted/1","fits":{"t4":{"parameters":[{"value":"x"}],"residuals":3}}})json");
  const ProcessResult bad = saturn_process("report bad.json --out page.html", where);
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find("/fits/t4/parameters/value is \"x\"; a number is needed; fit the measurements again: saturn "
                     "calibrate FILES --out FITTED.json.") != std::string::npos);
  CHECK(bad.err.find("/fits/t4/residuals is 3; a list in square brackets is needed") != std::string::npos);
  folder.write("torn.json", fitted.substr(0, fitted.size() / 2));
  CHECK(saturn_process("report torn.json --out page.html", where).err.find("report.bad_json") != std::string::npos);
  CHECK(saturn_process("report f.json --metric x --out page.html", where).err ==
        "--metric: report.only_fits\n  A fitted file's report shows what the file holds; leave --metric out.\n");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "page.html"));
}
