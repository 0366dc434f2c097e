#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

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
  const json result = json::parse(saturn_process("run protodune-big-batch --format json --quiet").out)["result"];
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
  for (const auto& [law, holds] : result["checks"].items()) CHECK_MESSAGE(holds == true, law);
}

TEST_CASE("a plan says that one T4 carries 68 jobs of the big batch and 45 of the small one" *
          doctest::skip(left_to_release_builds)) {
  const json big = json::parse(saturn_process("plan protodune-big-batch --format json --quiet").out);
  // Just below the knee, requests of different jobs interleave, so that a job or two are lost to the tolerated 1 %.
  CHECK(big["formula"]["clients_per_gpu"].get<double>() == doctest::Approx(68.4).epsilon(0.005));
  CHECK(std::abs(big["answer"]["clients_per_gpu"]["value"].get<double>() - 68) <= 1);
  const json small = json::parse(saturn_process("plan protodune-small-batch --format json --quiet").out);
  CHECK(std::abs(small["answer"]["clients_per_gpu"]["value"].get<double>() - 45) <= 1);
  CHECK(small["answer"]["binding"] == "gke/t4");
}

TEST_CASE("one replication of a run is printed alone and is no other one") {
  const json first = json::parse(saturn_process("run first-steps --replica 0 --format json --quiet").out);
  const json second = json::parse(saturn_process("run first-steps --replica 1 --format json --quiet").out);
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
