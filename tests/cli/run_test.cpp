#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

using nlohmann::json;

TEST_CASE("check says what happens while a scenario runs, since formulas know nothing of it") {
  const std::string quiet = saturn_process("check --quiet protodune-link-outage --set /outages=null").out;
  CHECK(quiet.find("Not in these numbers") == std::string::npos);
  const std::string broken = saturn_process("check --quiet protodune-link-outage").out;
  CHECK(broken.find("Not in these numbers: link fnal to iowa out from 2400 s to 3000 s. saturn") != std::string::npos);
}

TEST_CASE("a run prints the same bytes whatever the number of processes, and its seed changes them") {
  const std::string run = "run first-steps --format json --quiet";
  const std::string one = saturn_process(run + " --workers 1").out;
  CHECK(!one.empty());
  CHECK(one == saturn_process(run + " --workers 2").out);
  CHECK(one == saturn_process(run + " --workers 2 --timing no").out);
  const json other = json::parse(saturn_process(run + " --seed 7").out);
  CHECK(other["provenance"]["seed"] == 7);
  CHECK(other["result"]["event_time_s"]["mean"] != json::parse(one)["result"]["event_time_s"]["mean"]);
}

TEST_CASE("the command in the provenance gives the same document again") {
  const std::string first = saturn_process("run first-steps --seed 3 --set '/title=A \"b'\\''c\"' --format json").out;
  const std::string command = json::parse(first)["provenance"]["command"];
  REQUIRE(command.starts_with("saturn run "));
  CHECK(saturn_process(command.substr(7) + " --format json").out == first);
}

TEST_CASE("the JSON of a run agrees with the laws that hold for any closed system") {
  const json result = json_answer("run protodune-big-batch")["result"];
  const double mean = result["event_time_s"]["mean"];
  const double ideal = result["ideal_event_time_s"]["mean"];
  CHECK(ideal == doctest::Approx(110 + 7 + 32 * 0.0118 + 55000 * 9216.0 * 8 / 2e9 + 55000 * 32.182e-6).epsilon(0.001));
  CHECK(result["slowdown"]["mean"].get<double>() == doctest::Approx(mean / ideal).epsilon(1e-9));
  // X(N) = N / R: 268 jobs.
  CHECK(result["events_per_s"]["mean"].get<double>() == doctest::Approx(268 / mean).epsilon(0.005));
  CHECK(result["event_time_s"]["low"].get<double>() <= mean);
  CHECK(result["binding"]["resource"] == "gke/t4");
  const json& parts = result["models"]["emtrk"]["breakdown_s"];
  const double sum = parts["send"]["mean"].get<double>() + parts["queue"]["mean"].get<double>() +
                     parts["compute"]["mean"].get<double>() + parts["receive"]["mean"].get<double>();
  CHECK(sum == doctest::Approx(result["models"]["emtrk"]["latency_s"]["mean"].get<double>()).epsilon(1e-6));
  for (const auto& law : result["checks"].items()) CHECK_MESSAGE(law.value() == true, law.key());
}

TEST_CASE("a plan says that one T4 carries 68 jobs of the big batch and 45 of the small one" *
          doctest::test_suite("release")) {
  const json big = json_answer("plan protodune-big-batch --set /run/brief=true");
  // Just below the knee, requests of different jobs interleave, so that a job or two are lost to the tolerated 1 %.
  CHECK(big["formula"]["streams_per_gpu"].get<double>() == doctest::Approx(68.4).epsilon(0.005));
  CHECK(std::abs(big["answer"]["streams_per_gpu"]["value"].get<double>() - 68) <= 1);
  const json small = json_answer("plan protodune-small-batch --set /run/brief=true");
  CHECK(std::abs(small["answer"]["streams_per_gpu"]["value"].get<double>() - 45) <= 1);
  CHECK(small["answer"]["binding"] == "gke/t4");
}

TEST_CASE("one replication of a run is printed alone and is no other one") {
  const json first = json_answer("run first-steps --replica 0");
  const json second = json_answer("run first-steps --replica 1");
  CHECK(first["result"]["replications"] == 1);
  CHECK(first["result"]["event_time_s"]["mean"] != second["result"]["event_time_s"]["mean"]);
  CHECK(first["provenance"]["command"] == "saturn run first-steps --replica 0");
}

TEST_CASE("what goes into a file holds no colour codes, with NO_COLOR and without") {
  const std::string with = saturn_process("check first-steps", "", "NO_COLOR=1").out;
  const std::string without = saturn_process("check first-steps", "", "env -u NO_COLOR TERM=xterm-256color").out;
  CHECK(with == without);
  CHECK(with.find('\033') == std::string::npos);
}

TEST_CASE("on a terminal headings are bold unless NO_COLOR asks for plain text") {
  CHECK(terminal_output("check first-steps", "env -u NO_COLOR TERM=xterm").find("\033[1m") != std::string::npos);
  CHECK(terminal_output("check first-steps", "env NO_COLOR=1 TERM=xterm").find('\033') == std::string::npos);
  CHECK(terminal_output("check first-steps", "env -u NO_COLOR TERM=dumb").find('\033') == std::string::npos);
}

namespace {

json result_of(const std::string& arguments) {
  return json_answer(arguments)["result"];
}

}  // namespace

TEST_CASE("an explanation leaves the run's own numbers as they are, and its changes are those that --set gives" *
          doctest::test_suite("release")) {
  const std::string plain = "run first-steps --set /run/min_replications=4 --set /run/max_replications=4";
  const json alone = result_of(plain);
  const json explained = result_of(plain + " --explain");
  CHECK(explained["event_time_s"] == alone["event_time_s"]);
  CHECK_FALSE(alone.contains("explain"));

  const std::string setting = "/servers/0/devices/count=2";
  const json& explain = explained["explain"];
  const auto change = std::find_if(explain.begin(), explain.end(),
                                   [&](const json& one) { return one["set"] == json::array({setting}); });
  REQUIRE(change != explain.end());
  const json varied = result_of(plain + " --set " + setting);
  const double before = alone["events_per_s"]["mean"];
  const double after = varied["events_per_s"]["mean"];
  const json& gain = (*change)["events_per_s_change"];
  CHECK(gain["mean"].get<double>() == doctest::Approx(after / before - 1.0));
  CHECK(gain["replications"] == 4);
  CHECK((*change)["verdict"] == "gains");
  // The random numbers in common: the ratio is known better than the ratio of two strangers.
  const auto relative_width = [](const json& estimate) {
    return (estimate["high"].get<double>() - estimate["low"].get<double>()) / 2 / estimate["mean"].get<double>();
  };
  const double strangers = std::hypot(relative_width(alone["events_per_s"]), relative_width(varied["events_per_s"]));
  const double ratio = 1.0 + gain["mean"].get<double>();
  CHECK((gain["high"].get<double>() - gain["low"].get<double>()) / 2 / ratio < strangers);
}

TEST_CASE("an explanation does not depend on the number of processes, and its command repeats it" *
          doctest::test_suite("release")) {
  const std::string run = "run first-steps --explain --format json --quiet";
  const std::string one = saturn_process(run + " --workers 1").out;
  CHECK(one == saturn_process(run + " --workers 3").out);
  CHECK(json::parse(one)["provenance"]["command"] == "saturn run first-steps --explain");
}

TEST_CASE("changes that the reader refuses are left out with its words" * doctest::test_suite("release")) {
  const json result = result_of("run first-steps --explain --set /servers/0/devices/count=1024");
  bool found = false;
  for (const json& one : result["explain_left_out"]) {
    if (one["change"] != "server: 1025 small_gpu in each node, not 1024") continue;
    found = true;
    CHECK(one["why"].get<std::string>().find("/servers/0/devices/count is 1025") != std::string::npos);
  }
  CHECK(found);
}

namespace {

const std::string quick_run = "run first-steps --set /run/brief=true --replica 1 ";

}  // namespace

TEST_CASE("--trace and --timeline write what a run did, and leave its answer as it is") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult plain = saturn_process(quick_run, where);
  const ProcessResult traced = saturn_process(quick_run + "--trace run.json --timeline run.csv", where);
  CHECK(traced.exit_code == 0);
  CHECK(traced.out == plain.out);
  CHECK(traced.err.find("wrote run.json: ") != std::string::npos);
  CHECK(traced.err.find("wrote run.csv: 500 samples from 0 s to ") != std::string::npos);
  const std::string trace = text_of_file(folder.path() / "run.json");
  const json document = json::parse(trace);
  CHECK(document["otherData"]["command"] == "saturn run first-steps --set /run/brief=true --replica 1");
  CHECK(document["traceEvents"].size() > 500);
  const std::string timeline = text_of_file(folder.path() / "run.csv");
  CHECK(timeline.starts_with("time_s,name,kind,value\n"));
  CHECK(timeline.find(",graph_net,queue,") != std::string::npos);
  const ProcessResult again = saturn_process(quick_run + "--trace run.json --timeline run.csv --force --quiet", where);
  CHECK(again.exit_code == 0);
  CHECK(again.err.empty());
  CHECK(text_of_file(folder.path() / "run.json") == trace);
  CHECK(text_of_file(folder.path() / "run.csv") == timeline);
  CHECK(folder.files().size() == 2);
}

TEST_CASE("--trace-from and --trace-for choose the part of the run, and what is full says so" *
          doctest::test_suite("release")) {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult chosen =
      saturn_process(quick_run + "--trace run.json --timeline run.csv --trace-from '0 s' --trace-for '1.5 s'", where);
  CHECK(chosen.err.find(" spans from 0 s to 1.50000 s of simulated time;") != std::string::npos);
  CHECK(chosen.err.find("wrote run.csv: 500 samples from 0 s to 1.50000 s of simulated time\n") != std::string::npos);
  const ProcessResult full = saturn_process(
      "run protodune-small-batch --set /run/brief=true --replica 0 --trace full.json --trace-for '1 h'", where);
  CHECK(full.exit_code == 0);
  CHECK(full.err.find("wrote full.json: 200,000 spans from ") != std::string::npos);
  CHECK(full.err.find("\n  It is full: what was asked for is 3600.00 s. Ask for less with --trace-for, or for another "
                      "part with --trace-from.\n") != std::string::npos);
}

namespace {

// Forty jobs and one device: 0.1 s of 1.1 s are the device's, so it saturates at eleven jobs.
constexpr double device_s = 0.1;
constexpr double device_error_s = 0.002;
constexpr double cpu_error_s = 0.05;
constexpr double normal_factor = 1.959964;

const std::string scenario_text = R"({
  "schema": "saturn-scenario/1",
  "title": "Fitted times",
  "jobs": [{ "name": "jobs", "site": "here", "count": 40, "start": "staggered",
             "event": [{ "cpu": CPU }, { "infer": "net", "items": 1 }] }],
  "models": { "net": { "input": "0 B", "max_batch_size": 1, "service": { "t4": LAW } } },
  "servers": [{ "name": "server", "site": "here", "devices": { "type": "t4", "count": 1 }, "models": ["net"] }],
  "devices": { "t4": { "kind": "gpu" } }
}
)";

std::string with(std::string text, const std::string& piece, const std::string& replacement) {
  return text.replace(text.find(piece), piece.size(), replacement);
}

std::string fitted_text(double device_variance, double cpu_variance) {
  return R"({ "schema": "saturn-fitted/1", "fits": {
    "net": { "kind": "service law", "about": "GPU times of net", "value": { "per_batch": "0.1 s" },
             "parameters": [{ "name": "per_batch", "at": "/per_batch", "value": 0.1, "unit": "s" }],
             "covariance": [[)" +
         std::to_string(device_variance) + R"(]] },
    "cpu": { "kind": "time", "about": "the CPU times", "value": "1 s",
             "parameters": [{ "name": "mean", "at": "", "value": 1, "unit": "s" }],
             "covariance": [[)" +
         std::to_string(cpu_variance) + "]] } } }";
}

class FittedCase {
 public:
  FittedCase(double device_variance, double cpu_variance) {
    folder_.write("fitted.json", fitted_text(device_variance, cpu_variance));
    const std::string fitted = R"({ "fitted": "fitted.json" })";
    folder_.write("fits.json", with(with(scenario_text, "CPU", fitted), "LAW", fitted));
    folder_.write("plain.json", with(with(scenario_text, "CPU", R"("1 s")"), "LAW", R"({ "per_batch": "0.1 s" })"));
  }

  ProcessResult saturn(const std::string& arguments) const {
    return saturn_process(arguments, folder_.path().string());
  }
  json result(const std::string& arguments) const { return json_answer(arguments, folder_.path().string()); }

 private:
  TemporaryFolder folder_;
};

double half_width(const json& estimate) {
  return (estimate["high"].get<double>() - estimate["low"].get<double>()) / 2;
}

}  // namespace

TEST_CASE("above saturation the device's error counts for every job, below only once" *
          doctest::test_suite("release")) {
  const FittedCase fits(device_error_s * device_error_s, cpu_error_s * cpu_error_s);
  // Saturated, an event takes N·t: 40 errors of the device, and none of the CPU time, for it only shortens the queue.
  const json full = fits.result("run fits.json")["result"]["event_time_s"];
  CHECK(full["mean"].get<double>() == doctest::Approx(40 * device_s));
  CHECK(full["from"][0]["about"] == "the CPU times");
  CHECK(std::abs(full["from"][0]["half_width"].get<double>()) < 1e-6);
  CHECK(full["from"][1]["about"] == "GPU times of net");
  CHECK(full["from"][1]["half_width"].get<double>() ==
        doctest::Approx(normal_factor * 40 * device_error_s).epsilon(1e-3));

  // Staggered jobs far below the knee wait for nobody: an event takes cpu + t, and independent errors add in squares.
  const json idle = fits.result("run fits.json --set /jobs/0/count=2")["result"]["event_time_s"];
  const double cpu_half = idle["from"][0]["half_width"];
  const double device_half = idle["from"][1]["half_width"];
  CHECK(cpu_half == doctest::Approx(normal_factor * cpu_error_s).epsilon(1e-3));
  CHECK(device_half == doctest::Approx(normal_factor * device_error_s).epsilon(1e-3));
  const double simulation = (idle["high_simulation"].get<double>() - idle["low_simulation"].get<double>()) / 2;
  CHECK(half_width(idle) == doctest::Approx(std::hypot(cpu_half, device_half, simulation)));
}

TEST_CASE("exact fits, and draws that are left out, give the numbers of the plain scenario to the last bit") {
  const json plain = FittedCase(0, 0).result("run plain.json");
  CHECK(FittedCase(0, 0).result("run fits.json")["result"] == plain["result"]);
  CHECK_FALSE(plain["provenance"].contains("fitted"));
  const FittedCase fits(4e-6, 2.5e-3);
  const json left_out = fits.result("run fits.json --no-calibration-draws");
  CHECK(left_out["result"] == plain["result"]);
  CHECK(left_out["provenance"]["command"] == "saturn run fits.json --no-calibration-draws");
  CHECK(left_out["provenance"]["fitted"][0]["path"] == "fitted.json");
  CHECK(left_out["provenance"]["fitted"][0]["sha256"].get<std::string>().size() == 64);
  CHECK(left_out["provenance"]["fitted"][0]["fits"] == json::array({"cpu", "net"}));
  const std::string text = fits.saturn("run fits.json --no-calibration-draws --details --quiet").out;
  CHECK_MESSAGE(
      in_one_line(text).find("their uncertainty is left out: the intervals are those of the simulation alone") !=
          std::string::npos,
      text);
}

TEST_CASE("draws do not depend on the number of processes, and another seed draws others" *
          doctest::test_suite("release")) {
  const FittedCase fits(4e-6, 2.5e-3);
  const std::string run = "run fits.json --set /jobs/0/start='\"random\"' --set /jobs/0/count=10 --format json --quiet";
  const std::string one = fits.saturn(run + " --workers 1").out;
  CHECK(one == fits.saturn(run + " --workers 3").out);
  CHECK(one != fits.saturn(run + " --seed 5").out);
}

TEST_CASE("the answer in words says what its interval is made of") {
  const FittedCase fits(4e-6, 2.5e-3);
  const std::string run = fits.saturn("run fits.json --details --quiet").out;
  CHECK_MESSAGE(in_one_line(run).find(" event time 4.00 ± 0.16 s: ±0 from the CPU times, ±0.16 from the GPU times of "
                                      "net, ±0 from the simulation ") != std::string::npos,
                run);
  const std::string plan = fits.saturn("plan fits.json --quiet --details").out;
  CHECK_MESSAGE(plan.find(" from the CPU times, ") != std::string::npos, plan);
  const std::string csv = fits.saturn("run fits.json --quiet --format csv").out;
  CHECK(csv.find("\nresult,/GPU times of net,event_time_s_half_width,0.15") != std::string::npos);
}

TEST_CASE("a plan's interval holds the errors of the fits in proportion to the knee") {
  // The knee is (cpu + t)/t: an error of the CPU time counts 1/t, one of the device's cpu/t².
  const FittedCase fits(device_error_s * device_error_s, cpu_error_s * cpu_error_s);
  const json answer = fits.result("plan fits.json")["answer"]["streams_per_gpu"];
  CHECK(answer["value"] == 11);
  CHECK(answer["from"][0]["half_width"].get<double>() ==
        doctest::Approx(normal_factor * cpu_error_s / device_s).epsilon(0.01));
  CHECK(answer["from"][1]["half_width"].get<double>() ==
        doctest::Approx(normal_factor * device_error_s / device_s / device_s).epsilon(0.02));
  const double below = 11.0 - answer["low_simulation"].get<double>();
  const double added =
      std::hypot(answer["from"][0]["half_width"].get<double>(), answer["from"][1]["half_width"].get<double>(), below);
  CHECK(answer["low"] == std::floor(11.0 - added));
  CHECK_FALSE(fits.result("plan fits.json --no-calibration-draws")["answer"]["streams_per_gpu"].contains("from"));
  CHECK_FALSE(fits.result("plan plain.json")["answer"]["streams_per_gpu"].contains("from"));
}
