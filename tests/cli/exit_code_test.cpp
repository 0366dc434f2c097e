#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;
using nlohmann::json;

TEST_CASE("an answered question ends with 0 and keeps stderr empty when quiet") {
  const ProcessResult check = saturn_process("check protodune-big-batch --quiet");
  CHECK(check.exit_code == 0);
  CHECK(check.err.empty());
  CHECK(check.out.starts_with("ProtoDUNE"));
}

TEST_CASE("a command line that makes no sense ends with 64 and says where to look") {
  for (const char* arguments : {"", "pan", "run", "run a b", "run first-steps --format xml", "run first-steps --seed x",
                                "run first-steps --no-such-option", "validate x --all", "plan first-steps --jobs 0"}) {
    const ProcessResult result = saturn_process(arguments);
    CAPTURE(arguments);
    CHECK(result.exit_code == 64);
    CHECK(result.out.empty());
    CHECK(result.err.find("--help") != std::string::npos);
  }
}

TEST_CASE("a mistyped verb or option is answered with the nearest that there is") {
  const std::string help = "\nRun \"saturn --help\" or \"saturn VERB --help\" for what is allowed.\n";
  const auto said = [&](const std::string& arguments) {
    const ProcessResult result = saturn_process(arguments);
    CHECK(result.exit_code == 64);
    CHECK(result.err.ends_with(help));
    return result.err.substr(0, result.err.size() - std::min(result.err.size(), help.size()));
  };
  CHECK(said("paln first-steps") == "saturn: \"paln\" is no verb; did you mean \"plan\"?");
  CHECK(said("plan first-steps --slowdwn '5 %' --bugdet=3s") ==
        "saturn: plan has no option \"--slowdwn\"; did you mean --slowdown?\n"
        "plan has no option \"--bugdet\"; did you mean --budget?");
  CHECK(said("run first-steps --objective cost") == "saturn: run has no option \"--objective\"; plan has one.");
  CHECK(said("quux x").starts_with("saturn: \"quux\" is no verb; there are \"check\", \"run\", "));
}

TEST_CASE("former names of options are understood with a note that says the new one") {
  const std::string run = "run mm1 --set /run/brief=true --timing no ";
  const ProcessResult now = saturn_process(run + "-j 2");
  CHECK(now.err.find("note") == std::string::npos);
  const ProcessResult before = saturn_process(run + "--jobs 2");
  CHECK(before.err.find("saturn: note: --jobs of run is now --workers (or -j); the next version will not know the old "
                        "name.\n") != std::string::npos);
  CHECK(before.out == now.out);
  CHECK(saturn_process(run + "--jobs 2 --quiet").err.empty());
  CHECK(saturn_process("run mm1 --jobs 2 --workers 2").exit_code == 64);
  CHECK(saturn_process("run --help").out.find("--jobs ") == std::string::npos);
}

TEST_CASE("plan --jobs asks for so many jobs, whatever number of event loops each has") {
  const std::string threads =
      "plan protodune-big-batch --set /run/brief=true --set /jobs/0/threads=4 --set "
      "/jobs/0/count=25 --format json ";
  const ProcessResult jobs = saturn_process(threads + "--jobs 50");
  const json answer = json::parse(jobs.out)["answer"];
  CHECK(answer["jobs"] == 50);
  CHECK(answer["clients"] == 200);
  CHECK(answer["clients_per_job"] == 4);
  CHECK(
      jobs.err.find("saturn: note: plan --jobs asks for GPUs for 50 jobs; simulations at once, which it meant before, "
                    "are now --workers (or -j).\n") != std::string::npos);
  const ProcessResult loops = saturn_process(threads + "--clients 200");
  CHECK(json::parse(loops.out)["answer"] == answer);
  CHECK(loops.err.find("--clients of plan is now --jobs, which counts jobs") != std::string::npos);
  CHECK(saturn_process("plan hlt-farm --jobs 8").err.find("--jobs: option.needs_closed_jobs") != std::string::npos);
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

TEST_CASE("where there is no plan every format says so on stdout, and why, with exit code 3") {
  // 7,500 events/s of about 50 kB need some 3 Gbit/s.
  const std::string question = "plan hlt-farm --set '/network/links/0/bandwidth=1 Mbps' --quiet --format ";
  const ProcessResult in_json = saturn_process(question + "json");
  CHECK(in_json.exit_code == 3);
  CHECK(in_json.err.empty());
  const auto document = nlohmann::json::parse(in_json.out);
  CHECK(document.at("answer").is_null());
  CHECK(document.at("no_plan").get<std::string>().starts_with("no number of devices serves 7500 events/s: "));
  CHECK(document.at("provenance").contains("command"));
  for (const char* format : {"table", "csv"}) {
    const ProcessResult other = saturn_process(question + format);
    CHECK(other.exit_code == 3);
    CHECK(other.out.find("no number of devices serves 7500 events/s") != std::string::npos);
  }
}

TEST_CASE("a precision that the replications cannot reach ends with 4 and still prints the result") {
  const ProcessResult result = saturn_process(
      "run first-steps --set /run/brief=true --set /run/precision='\"0.01 %\"' --set /run/min_replications=2 --set "
      "/run/max_replications=2 --quiet");
  CHECK(result.exit_code == 4);
  CHECK(result.out.find("NOT REACHED") != std::string::npos);
}

TEST_CASE("an interrupt ends the program with 130 and prints no half result") {
  const ProcessResult result = saturn_process(
      "run first-steps --set /run/brief=true --set /run/precision='\"0.01 %\"' --set /run/max_replications=10000 --set "
      "/run/cycles=100000 --quiet",
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
