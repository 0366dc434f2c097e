#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/wait.h>

#include "tests/cli/saturn_process.hpp"

using namespace saturn;

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
  for (const char* verb : {"--help", "--version", "plan --help", "schema", "schema --reference", "examples",
                           "examples first-steps", "check first-steps", "validate"}) {
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
  folder.write("loops.csv",
               "clients,event_time_s,sd\n1,3.5,0.1\n2,3.6,0.1\n4,4.0,0.1\n8,5.5,0.1\n16,9.5,0.1\n32,18.9,0.1\n");
  CHECK(shell(folder,
              "mkdir d && for name in d/result.json.partial d/result.csv.partial fit.json.partial t.json.partial "
              "db.partial first-steps.json.partial; do ln -s \"$PWD/victim\" $name; done") == 0);
  CHECK(shell(folder, program + "check first-steps --out d --quiet >/dev/null") == 0);
  CHECK(shell(folder, program + "calibrate loops.csv --out fit.json --quiet >/dev/null") == 0);
  CHECK(shell(folder,
              program + "run first-steps --set /run/brief=true --replica 0 --trace t.json --quiet >/dev/null") == 0);
  CHECK(shell(folder, program + "examples first-steps --copy . >/dev/null") == 0);
  for (const char* name : {"d/result.json", "d/result.csv", "d/result.txt", "fit.json", "t.json", "first-steps.json"})
    CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder.path() / name)));
  CHECK(text_of_file(folder.path() / "victim") == "three years of work");

  // A link that leads to nothing is a name that is taken, and never followed.
  CHECK(shell(folder, "mkdir e c && ln -s ../made e/result.json && ln -s ../made c/first-steps.json") == 0);
  CHECK(shell(folder, program + "check first-steps --out e --quiet >/dev/null 2>err") == 2);
  CHECK(text_of_file(folder.path() / "err").starts_with("--out: out.exists\n"));
  CHECK(shell(folder, program + "examples first-steps --copy c >/dev/null 2>&1") == 2);
  CHECK(shell(folder, program + "examples first-steps --copy c --force >/dev/null 2>&1") == 0);
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
    CHECK(shell(folder, program + overlap.command + " --quiet >/dev/null 2>err") == 2);
    CHECK(text_of_file(folder.path() / "err").find(std::string(overlap.code) + "\n") != std::string::npos);
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
  for (const char* verb : {"check", "plan"}) {
    CHECK(shell(folder, program + verb + " \"$(printf 'caf\\351.json')\" --format json --quiet >out") == 0);
    const auto document = nlohmann::json::parse(text_of_file(folder.path() / "out"));
    CHECK(document["provenance"]["command"].get<std::string>().find("caf\xEF\xBF\xBD.json") != std::string::npos);
  }
}

TEST_CASE("an interrupt ends the trials of --dry-run at once with 130") {
  const TemporaryFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  CHECK(shell(folder, "timeout --preserve-status -s INT 1 " + program +
                          "sweep protodune-big-batch --axis /jobs/0/count=1000:1020 --set /run/cycles=600 --dry-run "
                          "--quiet >/dev/null 2>&1") == 130);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(4));
}
