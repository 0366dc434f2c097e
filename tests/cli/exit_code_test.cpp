#include <doctest/doctest.h>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

TEST_CASE("an answered question ends with 0 and keeps stderr empty when quiet") {
  const ProcessResult check = saturn_process("check protodune-big-batch --quiet");
  CHECK(check.exit_code == 0);
  CHECK(check.err.empty());
  CHECK(check.out.starts_with("ProtoDUNE"));
}

TEST_CASE("a command line that makes no sense ends with 64 and says where to look") {
  for (const char* arguments :
       {"", "pan", "run", "run a b", "run first-steps --format xml", "run first-steps --seed x",
        "run first-steps --no-such-option", "validate x --all", "plan first-steps --clients 0"}) {
    const ProcessResult result = saturn_process(arguments);
    CAPTURE(arguments);
    CHECK(result.exit_code == 64);
    CHECK(result.out.empty());
    CHECK(result.err.find("--help") != std::string::npos);
  }
}

TEST_CASE("every verb explains itself with examples") {
  for (const char* verb : {"check", "run", "plan", "validate", "schema", "examples"}) {
    const ProcessResult result = saturn_process(std::string(verb) + " --help");
    CAPTURE(verb);
    CHECK(result.exit_code == 0);
    CHECK(result.out.find(std::string("Examples:\n  saturn ") + verb) != std::string::npos);
  }
}

TEST_CASE(
    "when no number of GPUs carries the jobs that are asked for the exit code is 3 and the answer says which resource "
    "is to blame") {
  // One event sends 4.06 Gb, so a link of 2 Gbps carries an event in 2.03 s: it saturates at about 60 jobs, and no
  // number of GPUs lets 268 through.
  const std::string plan = "plan protodune-big-batch --set '/network/links/0/bandwidth=2 Gbps' --quiet";
  const ProcessResult result = saturn_process(plan + " --clients 268");
  CHECK(result.exit_code == 3);
  const std::size_t sentence = result.out.find("For 268 jobs no number of devices carries 268 clients: ");
  REQUIRE(sentence != std::string::npos);
  CHECK(result.out.substr(sentence, 200).find("fnal to iowa") != std::string::npos);
}

TEST_CASE("a precision that the replications cannot reach ends with 4 and still prints the result") {
  const ProcessResult result = saturn_process(
      "run mm1 --set /run/precision='\"0.01 %\"' --set /run/min_replications=2 --set /run/max_replications=2 --quiet");
  CHECK(result.exit_code == 4);
  CHECK(result.out.find("NOT REACHED") != std::string::npos);
}

TEST_CASE("an interrupt ends the program with 130 and prints no half result") {
  const ProcessResult result = saturn_process(
      "run mm1 --set /run/precision='\"0.01 %\"' --set /run/max_replications=10000 --set /run/cycles=100000 --quiet",
      "", "timeout --preserve-status -s INT 0.3");
  CHECK(result.exit_code == 130);
  CHECK(result.out.empty());
}

TEST_CASE("a simulation that exceeds the user's time limit is named with its seed and the command that repeats it") {
  const ProcessResult result = saturn_process("run protodune-small-batch --time-limit '1 ms' --quiet");
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(result.err.find("out of time") != std::string::npos);
  CHECK(result.err.find("again: saturn run protodune-small-batch --seed 42 --replica 0") != std::string::npos);
  CHECK(result.err.find("--time-limit") != std::string::npos);
}
