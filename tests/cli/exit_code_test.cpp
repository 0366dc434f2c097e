#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <sys/wait.h>

#include "models/values/sha256.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "tests/cli/saturn_process.hpp"

using namespace saturn;

using nlohmann::json;

TEST_CASE("an answered question ends with 0 and keeps stderr empty when quiet") {
  const ProcessResult check = saturn_process("check protodune-big-batch --quiet");
  CHECK(check.exit_code == 0);
  CHECK(check.err.empty());
  CHECK(check.out.starts_with("ProtoDUNE"));
}

TEST_CASE("plan --jobs asks for so many jobs, whatever number of streams each has") {
  const std::string threads =
      "plan protodune-big-batch --set /run/brief=true --set /jobs/0/event/2/request_batch=55000 --set "
      "/jobs/0/threads=4 --set /jobs/0/count=25 --format json ";
  const ProcessResult jobs = saturn_process(threads + "--jobs 50");
  const json answer = json::parse(jobs.out)["answer"];
  CHECK(answer["jobs"] == 50);
  CHECK(answer["streams"] == 200);
  CHECK(answer["streams_per_job"] == 4);
}

TEST_CASE("a verb explains itself with --help as by saturn help") {
  for (const char* verb : {"plan", "schema", "help"}) {
    const ProcessResult result = saturn_process(std::string(verb) + " --help");
    CAPTURE(verb);
    CHECK(result.exit_code == 0);
    CHECK(result.out.find(std::string("Examples:\n  saturn ")) != std::string::npos);
    CHECK(result.out == saturn_process(std::string("help ") + verb).out);
  }
  CHECK(saturn_process("--help").out == saturn_process("help").out);
}

TEST_CASE(
    "when no number of GPUs carries the jobs that are asked for the exit code is 3 and the answer says which resource "
    "is to blame" *
    doctest::test_suite("release")) {
  // One event sends 4.06 Gb, so a link of 2 Gbps carries an event in 2.03 s: it saturates at about 60 jobs, and no
  // number of GPUs lets 268 through.
  const std::string plan = "plan protodune-big-batch --set '/network/links/0/bandwidth=2 Gbps' --quiet";
  const ProcessResult result = saturn_process(plan + " --jobs 268");
  CHECK(result.exit_code == 3);
  CHECK(result.out.find("for 268 jobs no number of devices") != std::string::npos);
  CHECK(result.out.find("fnal to iowa") != std::string::npos);
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

namespace {

/// The command as an interrupt leaves it. A slow build on a busy machine may know nothing in the first second: then it
/// prints nothing, and is given twice the time.
ProcessResult interrupted_with_an_answer(const std::string& command) {
  ProcessResult result;
  for (const char* seconds : {"1.5", "3", "6", "12", "24"}) {
    result = saturn_process(command, "", std::string("timeout --preserve-status -s INT ") + seconds);
    CHECK(result.exit_code == 130);
    if (!result.out.empty()) return result;
  }
  return result;
}

}  // namespace

TEST_CASE("an interrupt ends the program with 130 and what is known, marked for people and programs") {
  // Not by its precision, which one of two in a comparison may reach in seconds.
  const std::string endless =
      " --set /run/min_replications=10000 --set /run/max_replications=10000 --set /run/precision='\"0.01 %\"' "
      "--set /run/cycles=20000 --quiet";
  for (const std::string verb : {"run first-steps", "plan first-steps", "compare first-steps --alternatives",
                                 "compare first-steps --set-b /servers/0/devices/count=3"}) {
    CAPTURE(verb);
    CHECK(interrupted_with_an_answer(verb + endless).out.find("INTERRUPTED") != std::string::npos);
    const ProcessResult programs = interrupted_with_an_answer(verb + endless + " --format json");
    CHECK(nlohmann::json::parse(programs.out).at("interrupted") == true);
  }
}

TEST_CASE("a search that is interrupted among its formulas has their answer, also where two signals come at once") {
  // timeout tells the process and its group.
  const ProcessResult cut = interrupted_with_an_answer(
      "plan cms-scale-out --gpus ak4=1:100 --gpus ak8=1:50 --gpus tau=1:50 --gpus met=1:50 --objective rent "
      "--require 'latency_p99 <= 400 ms' --format json --quiet");
  const nlohmann::json known = nlohmann::json::parse(cut.out);
  CHECK(known.at("interrupted") == true);
  CHECK(known.at("answer").is_object());
}

TEST_CASE("an interrupted validation says so beside the cases that it has") {
  const ProcessResult cut = interrupted_with_an_answer("validate --all --format json --quiet");
  const nlohmann::json known = nlohmann::json::parse(cut.out);
  CHECK(known.at("interrupted") == true);
  CHECK(known.at("rows").is_array());
}

TEST_CASE("a simulation that exceeds the user's time limit is named with its seed and the command that repeats it") {
  const ProcessResult result = saturn_process("run protodune-small-batch --time-limit '1 ms' --replica 0 --quiet");
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(result.err.find("out of time") != std::string::npos);
  CHECK(result.err.find("again: saturn run protodune-small-batch --seed 42 --replica 0") != std::string::npos);
  CHECK(result.err.find("--time-limit") != std::string::npos);
}

namespace {

/// Runs a shell command in a folder. @returns its exit code
int shell(const TemporaryFolder& folder, const std::string& command) {
  const int status = std::system(("cd '" + folder.path().string() + "' && " + command).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const std::string program = std::string("'") + SATURN_PROGRAM + "' ";

/// Nothing that a terminal obeys, but new lines and tabs, and no mark that turns the direction of writing.
bool is_harmless(const std::string& text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F) return false;
  }
  for (const char* hostile : {"\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xFF"})
    if (text.find(hostile) != std::string::npos) return false;
  return true;
}

}  // namespace

TEST_CASE("what cannot be printed is an error of every verb, of --help and of --version") {
  const TemporaryFolder folder;
  for (const char* verb : {"--help", "--version", "plan --help", "completion bash", "schema", "check first-steps"}) {
    CAPTURE(verb);
    for (const char* where : {">/dev/full", ">&-"}) {
      CAPTURE(where);
      CHECK(shell(folder, program + verb + " " + where + " 2>err") == 2);
      CHECK(text_of_file(folder.path() / "err") ==
            "stdout: stdout.not_writable\n  The answer cannot be written: stdout is closed, or its disk is full.\n");
    }
    CHECK(shell(folder, program + verb + " >out 2>&- <&-") == 0);
    CHECK(text_of_file(folder.path() / "out").size() > 20);
  }
}

TEST_CASE("a sweep that was given no stderr writes its messages into none of its files") {
  const TemporaryFolder folder;
  const std::string sweep = program + "sweep protodune-big-batch --set /run/brief=true --axis /jobs/0/count=30,60 ";
  CHECK(shell(folder, sweep + "--out whole >/dev/null 2>&1") == 0);
  CHECK(shell(folder, sweep + "--out closed >/dev/null 2>&- <&-") == 0);
  CHECK(text_of_file(folder.path() / "closed/points.csv") == text_of_file(folder.path() / "whole/points.csv"));
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path() / "closed")) {
    CAPTURE(file.path().string());
    if (file.is_regular_file()) CHECK(text_of_file(file.path()).find("Rows:") == std::string::npos);
  }
}

TEST_CASE("a link in the place of a file that is about to be written leads nowhere") {
  const TemporaryFolder folder;
  folder.write("victim", "three years of work");
  folder.write("streams.csv",
               "clients,event_time_s,sd\n1,3.5,0.1\n2,3.6,0.1\n4,4.0,0.1\n8,5.5,0.1\n16,9.5,0.1\n32,18.9,0.1\n");
  CHECK(shell(folder,
              "mkdir d && for name in d/result.json.partial d/result.csv.partial fit.json.partial t.json.partial "
              "db.partial first-steps.json.partial; do ln -s \"$PWD/victim\" $name; done") == 0);
  const auto exit_code = [&](const std::string& command) {
    return saturn_process(command, folder.path().string()).exit_code;
  };
  CHECK(exit_code("check first-steps --out d --quiet") == 0);
  CHECK(exit_code("calibrate streams.csv --out fit.json --quiet") == 0);
  CHECK(exit_code("run first-steps --set /run/brief=true --replica 0 --trace t.json --quiet") == 0);
  CHECK(exit_code("examples first-steps --copy .") == 0);
  for (const char* name : {"d/result.json", "d/result.csv", "d/result.txt", "fit.json", "t.json", "first-steps.json"})
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.path() / name)));
  CHECK(text_of_file(folder.path() / "victim") == "three years of work");

  // A link that leads to nothing is a name that is taken, and never followed.
  CHECK(shell(folder, "mkdir e c && ln -s ../made e/result.json && ln -s ../made c/first-steps.json") == 0);
  const ProcessResult taken = saturn_process("check first-steps --out e --quiet", folder.path().string());
  CHECK(taken.exit_code == 2);
  CHECK(taken.err.starts_with("--out: out.exists\n"));
  CHECK(exit_code("examples first-steps --copy c") == 2);
  CHECK(exit_code("examples first-steps --copy c --force") == 0);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "made"));
}

TEST_CASE("outputs of one command need a file each, and never go over its inputs, however they are spelt") {
  const TemporaryFolder folder;
  const std::string scenario = saturn_process("examples first-steps").out;
  folder.write("mine.json", scenario);
  folder.write("rtt.txt", "rtt_ms\n11.8\n12.1\n12.4\n");
  CHECK(shell(folder, "mkdir d && ln -s . here && ln mine.json twin.json") == 0);
  struct Overlap {
    const char* command;
    const char* code;
  };
  for (const Overlap& overlap :
       {Overlap{"run mine.json --out d --trace d/result.json", "--trace: out.same_file"},
        {"run mine.json --out d --trace here/d/../d/result.csv --force", "--trace: out.same_file"},
        {"run mine.json --trace here/mine.json --force", "--trace: out.is_input"},
        {"run mine.json --timeline twin.json --force", "--timeline: out.is_input"},
        {"validate mine.json rtt.txt --write here/rtt.txt --force", "--write: out.is_input"},
        {"calibrate rtt.txt --out here/rtt.txt --force", "--out: out.is_input"},
        {"calibrate rtt.txt --scenario mine.json --out here/mine.json --force", "--out: out.is_input"},
        {"report mine.json --out here/mine.json --force", "--out: out.is_input"}}) {
    CAPTURE(overlap.command);
    const ProcessResult result = saturn_process(std::string(overlap.command) + " --quiet", folder.path().string());
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(std::string(overlap.code) + "\n") != std::string::npos);
  }
  CHECK(text_of_file(folder.path() / "mine.json") == scenario);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "d/result.json"));
}

TEST_CASE("names of files and folders, in files and on the command line reach a terminal without their controls") {
  const TemporaryFolder folder;
  const std::string hostile = "a\033[2J\302\233\342\200\256\342\201\246\177\377b";
  folder.write(hostile + ".txt", "clients,event_time_s,sd\n1,3.5,0.1\n2,3.6,0.1\n4,4.0,0.1\n8,5.5,0.1\n16,9.5,0.1\n");
  folder.write("m.txt", "Request concurrency: 2\n  Client: \n    Request count: 500\n    Throughput: 200 infer/sec\n");
  const std::string name = "\"$(printf 'a\\033[2J\\302\\233\\342\\200\\256\\342\\201\\246\\177\\377b')\"";
  for (const std::string& command :
       {"calibrate " + name + ".txt", "calibrate " + name + ".txt --model " + name, "calibrate m.txt --model " + name,
        "check " + name, "check first-steps --" + name, name, "plan first-steps --format " + name,
        "sweep first-steps --dry-run --axis /title=" + name + ",x", "show " + name,
        "sweep first-steps --set /run/brief=true --axis /jobs/0/count=2,3 --out " + name,
        "examples first-steps --copy " + name, "merge " + name}) {
    CAPTURE(command);
    shell(folder, program + command + " >out 2>err");
    CHECK(is_harmless(text_of_file(folder.path() / "out")));
    CHECK(is_harmless(text_of_file(folder.path() / "err")));
    CHECK(text_of_file(folder.path() / "out").size() + text_of_file(folder.path() / "err").size() > 0);
  }
}

TEST_CASE("a scenario whose name is no UTF-8 is answered in JSON, with a character that says so") {
  const TemporaryFolder folder;
  folder.write("caf\351.json", saturn_process("examples first-steps").out);
  const json document = json_answer("check caf\351.json", folder.path().string());
  CHECK(document["provenance"]["command"].get<std::string>().find("caf\xEF\xBF\xBD.json") != std::string::npos);
}

TEST_CASE("an interrupt ends the trials of --dry-run at once with 130") {
  const TemporaryFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  CHECK(shell(folder, "timeout --preserve-status -s INT 1 " + program +
                          "sweep protodune-big-batch --axis /jobs/0/count=1000:1020 --set /run/cycles=600 --dry-run "
                          "--quiet >/dev/null 2>&1") == 130);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(4));
}

namespace {

/// points.csv without the column of ids, which say what was asked.
std::string without_ids(const std::string& csv) {
  std::string result;
  std::stringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(',');
    result += line.substr(0, first) + line.substr(line.find(',', first + 1)) + "\n";
  }
  return result;
}

std::string fingerprint(const std::string& scenario_and_axes) {
  const TemporaryFolder folder;
  const std::string out = " --format csv --quiet --out " + folder.path().string();
  return sha256_hex(without_ids(saturn_process("sweep " + scenario_and_axes + out).out)).substr(0, 16);
}

}  // namespace

// No oracle: what is right is tested elsewhere. Here a change of results is noticed, of which sweeps have to know.
TEST_CASE("results of sweeps are those of results_version, which is raised and these renewed where results change") {
  const std::string three = " --set /run/max_replications=3 --set /run/min_replications=3 --axis ";
  REQUIRE(results_version == "14");
  CHECK(fingerprint("machine-repairman" + three + "/jobs/0/count=2,8") == "9040e3e900ce0237");
  CHECK(fingerprint("mm1" + three + "/run/seed=1,2") == "016820ce68f2871c");
  CHECK(fingerprint("protodune-big-batch --set /run/brief=true --axis /jobs/0/count=100,300") == "74e14b74ee4ccb07");
  CHECK(fingerprint("triton-fastpitch-a100 --set /run/brief=true --axis /run/seed=1") == "6da51b0c5374568d");
  CHECK(fingerprint("two-sites --set /run/brief=true --axis /run/seed=1") == "78e871fd42b571b9");
  CHECK(fingerprint("cms-scale-out" + three + "/run/seed=1") == "624722c572448748");
}

TEST_CASE("--out writes the three forms of the answer that stdout can show") {
  const TemporaryFolder folder;
  const std::string where = folder.path().string();
  const ProcessResult table = saturn_process("check first-steps --details --out results", where);
  CHECK(table.exit_code == 0);
  CHECK(text_of_file(folder.path() / "results" / "result.txt") == table.out);
  CHECK(text_of_file(folder.path() / "results" / "result.json") ==
        saturn_process("check first-steps --format json").out);
  CHECK(text_of_file(folder.path() / "results" / "result.csv") == saturn_process("check first-steps --format csv").out);
  CHECK(folder.files().size() == 3);
}

TEST_CASE("--out replaces results with --force") {
  const TemporaryFolder folder;
  folder.write("result.csv", "mine");
  CHECK(saturn_process("check first-steps --out . --force", folder.path().string()).exit_code == 0);
  CHECK(text_of_file(folder.path() / "result.csv") != "mine");
}
