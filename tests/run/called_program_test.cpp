#include "sim/run/called_program.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>

using namespace saturn;

namespace {

ProgramEnd shell(const std::string& script, double limit_s = 60.0) {
  return call_program({.program = "/bin/sh", .arguments = {"-c", script}, .limit_s = limit_s});
}

}  // namespace

TEST_CASE("a called program gives its exit code and what it wrote to both of its outputs") {
  const ProgramEnd end = shell("echo one; echo two >&2; exit 7");
  CHECK(end.exit_code == 7);
  CHECK(end.words == "one\ntwo");
  CHECK_FALSE(end.timed_out);
}

TEST_CASE("a called program gets its words as they are, its environment, and an empty stdin") {
  const ProgramEnd end =
      call_program({.program = "/bin/sh",
                    .arguments = {"-c", "cat; echo \"$1 $SATURN_TEST_WORD\"", "sh", "$(id) ; 'a\" *"},
                    .environment = {{"SATURN_TEST_WORD", "a b"}}});
  CHECK(end.words == "$(id) ; 'a\" * a b");
}

TEST_CASE("a called program that hangs is killed when its time is over, even if it has closed its outputs") {
  const auto begin = std::chrono::steady_clock::now();
  for (const char* script : {"exec sleep 100", "exec sleep 100 >&- 2>&-"}) {
    const ProgramEnd end = shell(script, 0.1);
    CHECK(end.timed_out);
    CHECK(end.exit_code == 128 + 9);
  }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
}

TEST_CASE("a called program that a signal ends, or that does not exist, is told apart") {
  CHECK(shell("kill -TERM $$").exit_code == 128 + 15);
  const ProgramEnd none = call_program({.program = "/nonexistent/program"});
  CHECK(none.exit_code == 127);
  CHECK(none.words == "No such file or directory");
}

TEST_CASE("the end of what a called program wrote is kept, however much it wrote") {
  const ProgramEnd end = shell("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i + 1)); done");
  CHECK(end.exit_code == 0);
  CHECK(end.words.size() <= 4096);
  CHECK(end.words.ends_with("19998\n19999"));
}

TEST_CASE("a program is looked for in the folders of PATH, past folders and files that cannot be run") {
  std::string name = (std::filesystem::temp_directory_path() / "saturn-path-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const std::filesystem::path root = name;
  std::filesystem::create_directories(root / "a" / "node");
  for (const char* folder : {"b", "c", "d"}) {
    std::filesystem::create_directory(root / folder);
    std::ofstream(root / folder / "node") << "#!/bin/sh\n";
    std::filesystem::permissions(root / folder / "node", *folder == 'b' ? std::filesystem::perms::owner_read
                                                                        : std::filesystem::perms::owner_all);
  }
  const std::string before = std::getenv("PATH");
  const auto in = [&](const std::string& folder) { return (root / folder).string(); };
  setenv("PATH", (in("a") + ":" + in("b") + ":" + in("c") + ":" + in("d")).c_str(), 1);
  CHECK(program_on_path("node") == root / "c" / "node");
  CHECK_FALSE(program_on_path("no-such-program"));
  setenv("PATH", before.c_str(), 1);
  std::filesystem::remove_all(root);
}
