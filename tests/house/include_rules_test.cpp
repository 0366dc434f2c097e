#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/house/source_tree.hpp"

using namespace saturn::house;

namespace saturn::house {

namespace {

struct Room {
  std::string folder;
  std::vector<std::string> may_include;  ///< folders, or single headers, besides itself
};

const std::vector<Room>& rooms() {
  static const std::vector<Room> all{
      {"models/", {}},
      {"scenarios/", {"models/"}},
      {"calibration/", {"models/", "scenarios/"}},
      {"sim/engine/", {"models/", "scenarios/"}},
      {"sim/run/",
       {"models/", "scenarios/", "sim/engine/simulate.hpp", "sim/engine/run_length.hpp",
        "sim/engine/recording/run_trace.hpp", "sim/engine/network/platform_file.hpp"}},
      {"sim/sweep/", {"models/", "scenarios/", "sim/run/process_pool.hpp"}},
      {"sim/plan/", {"models/", "scenarios/"}},
      {"sim/study/",
       {"models/", "scenarios/", "calibration/", "sim/engine/simulate.hpp", "sim/engine/recording/run_trace.hpp",
        "sim/run/", "sim/sweep/", "sim/plan/", "reports/"}},
      {"sim/cli/", {"models/", "scenarios/", "reports/", "sim/study/"}},
      {"reports/",
       {"models/", "scenarios/", "calibration/", "sim/engine/recording/run_trace.hpp", "sim/plan/", "sim/run/",
        "sim/sweep/"}},
  };
  return all;
}

/// A library of others, and the only files that may include it, so that no other file waits for it to compile.
struct Library {
  std::string headers;              ///< what they begin with
  std::vector<std::string> in_cpp;  ///< .cpp files, or folders of them
  std::vector<std::string> in_hpp;  ///< the few headers that cannot do without
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> all{
      {"boost/", {"models/statistics/quantiles.cpp"}, {}},
      {"CLI/", {"sim/cli/read_typed_command.cpp"}, {}},
      {"Eigen/",
       {"models/queueing/column_generation.cpp", "models/laws/parameter_spread.cpp",
        "calibration/fit/linear_squares.cpp"},
       {}},
      {"expat.h", {"scenarios/topology/simgrid_platform.cpp"}, {}},
      {"fmt/", {"models/", "scenarios/", "calibration/", "sim/", "reports/"}, {}},
      {"google/protobuf/", {"scenarios/triton/triton_syntax.cpp"}, {}},
      {"muParser.h", {"scenarios/sweep/sweep_conditions.cpp"}, {}},
      {"nlohmann/", {"scenarios/", "calibration/", "sim/sweep/", "reports/"}, {}},
      {"openssl/", {"models/values/sha256.cpp"}, {}},
      {"Random123/", {"models/laws/random_stream.cpp"}, {}},
      {"simgrid/", {"sim/engine/"}, {}},
      {"xbt/", {"sim/engine/"}, {}},
      {"sqlite3.h", {"calibration/import/frameworks/timetracker_database.cpp", "reports/sweep/sweep_sqlite.cpp"}, {}},
  };
  return all;
}

/// Of the operating system and the compiler.
const std::vector<std::string> system_headers{"sys/",    "unistd.h", "fcntl.h",  "poll.h",
                                              "sched.h", "signal.h", "cxxabi.h", "gcov.h"};
const std::vector<std::string> system_folders{"sim/run/", "sim/sweep/", "sim/study/", "sim/cli/"};

bool starts_with_any(const std::string& text, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](const std::string& beginning) { return text.starts_with(beginning); });
}

std::string listed(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + path;
  return text;
}

// A header of the standard library has neither a folder nor an ending.
bool is_standard(const std::string& header) {
  return header.find_first_of("/.") == std::string::npos;
}

/// Empty when the file may include the header.
std::string broken_library_rule(const std::string& path, const std::string& header) {
  if (starts_with_any(header, system_headers))
    return starts_with_any(path, system_folders) ? "" : "belongs into " + listed(system_folders);
  const auto library = std::find_if(libraries().begin(), libraries().end(),
                                    [&](const Library& one) { return header.starts_with(one.headers); });
  if (library == libraries().end()) return "is of no library that the house knows";
  if (starts_with_any(path, library->in_hpp)) return "";
  if (!starts_with_any(path, library->in_cpp)) return "belongs into " + listed(library->in_cpp) + " alone";
  return path.ends_with(".cpp") ? "" : "belongs into .cpp files alone";
}

}  // namespace

/// What is wrong with the #include lines of a file: one sentence each, "path:line: rule".
/// The rules are the table of docs/architecture.md.
std::vector<std::string> broken_include_rules(const SourceFile& file) {
  std::vector<std::string> broken;
  const auto room =
      std::find_if(rooms().begin(), rooms().end(), [&](const Room& one) { return file.path.starts_with(one.folder); });
  if (room == rooms().end()) return broken;
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_search(file.lines[i], match, include)) continue;
    const std::string header = match[2];
    const std::string where = file.path + ":" + std::to_string(i + 1) + ": ";
    if (match[1] == "\"") {
      if (header.find('/') == std::string::npos) {
        broken.push_back(where + "\"" + header + "\" is not named from the root");
      } else if (!header.starts_with(room->folder) && !starts_with_any(header, room->may_include)) {
        broken.push_back(where + room->folder + " may not include \"" + header + "\": arrows never turn back");
      }
    } else if (!is_standard(header)) {
      const std::string rule = broken_library_rule(file.path, header);
      if (!rule.empty()) broken.push_back(where + "<" + header + "> " + rule);
    }
  }
  return broken;
}

}  // namespace saturn::house

TEST_CASE("no #include of the project breaks the rules of the house") {
  std::set<std::string> folders;
  for (const SourceFile& file : cpp_files()) {
    folders.insert(file.path.substr(0, file.path.find('/')));
    for (const std::string& sentence : broken_include_rules(file)) FAIL_CHECK(sentence);
  }
  CHECK(folders.contains("models"));
  CHECK(folders.contains("sim"));
}

TEST_CASE("an arrow that turns back is named with its line and its rule") {
  const SourceFile back{.path = "models/a.hpp", .lines = {"#pragma once", "#include \"scenarios/scenario.hpp\""}};
  CHECK(broken_include_rules(back) ==
        std::vector<std::string>{
            "models/a.hpp:2: models/ may not include \"scenarios/scenario.hpp\": arrows never turn back"});
  const SourceFile inner{.path = "sim/run/a.cpp", .lines = {"#include \"sim/engine/calendar.hpp\""}};
  CHECK(broken_include_rules(inner).size() == 1);
  const SourceFile allowed{.path = "sim/run/a.cpp",
                           .lines = {"#include \"sim/engine/simulate.hpp\"", "#include <vector>"}};
  CHECK(broken_include_rules(allowed).empty());
}

TEST_CASE("a third-party header outside its place is named") {
  const SourceFile header{.path = "reports/a.hpp", .lines = {"#include <nlohmann/json.hpp>"}};
  CHECK(broken_include_rules(header) ==
        std::vector<std::string>{"reports/a.hpp:1: <nlohmann/json.hpp> belongs into .cpp files alone"});
  const SourceFile second{.path = "models/a.cpp", .lines = {"#include <boost/math/distributions/normal.hpp>"}};
  CHECK(
      broken_include_rules(second) ==
      std::vector<std::string>{
          "models/a.cpp:1: <boost/math/distributions/normal.hpp> belongs into models/statistics/quantiles.cpp alone"});
  const SourceFile unknown{.path = "models/a.cpp", .lines = {"#include <zlib.h>", "#include <unistd.h>"}};
  CHECK(broken_include_rules(unknown) ==
        std::vector<std::string>{"models/a.cpp:1: <zlib.h> is of no library that the house knows",
                                 "models/a.cpp:2: <unistd.h> belongs into sim/run/, sim/sweep/, sim/study/, sim/cli/"});
  const SourceFile planner{.path = "sim/plan/a.cpp", .lines = {"#include <simgrid/s4u.hpp>", "#include \"near.hpp\""}};
  CHECK(broken_include_rules(planner) ==
        std::vector<std::string>{"sim/plan/a.cpp:1: <simgrid/s4u.hpp> belongs into sim/engine/ alone",
                                 "sim/plan/a.cpp:2: \"near.hpp\" is not named from the root"});
}
