#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
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
      {"sim/formula/", {"models/", "scenarios/"}},
      {"sim/engine/", {"models/", "scenarios/", "sim/formula/"}},
      {"sim/run/",
       {"models/", "scenarios/", "sim/formula/", "sim/engine/simulate.hpp", "sim/engine/run_length.hpp",
        "sim/engine/recording/run_trace.hpp", "sim/engine/network/platform_file.hpp"}},
      {"sim/sweep/", {"models/", "scenarios/", "sim/run/process_pool.hpp"}},
      {"sim/plan/", {"models/", "scenarios/", "sim/formula/"}},
      {"sim/study/",
       {"models/", "scenarios/", "calibration/", "sim/engine/simulate.hpp", "sim/engine/recording/run_trace.hpp",
        "sim/formula/", "sim/run/", "sim/sweep/", "sim/plan/", "reports/"}},
      {"sim/cli/", {"models/", "scenarios/", "reports/", "sim/study/"}},
      {"reports/",
       {"models/", "scenarios/", "calibration/", "sim/engine/recording/run_trace.hpp", "sim/formula/", "sim/plan/",
        "sim/sweep/"}},
  };
  return all;
}

/// A library of others, and the only files that may include it, so that no other file waits for it to compile.
struct Library {
  std::string name;                 ///< as people call it; empty where every folder may use it
  std::string headers;              ///< what they begin with
  std::vector<std::string> in_cpp;  ///< .cpp files, or folders of them
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> all{
      {"Boost.Math", "boost/", {"models/statistics/quantiles.cpp"}},
      {"CLI11", "CLI/", {"sim/cli/read_typed_command.cpp"}},
      {"Eigen",
       "Eigen/",
       {"models/queueing/column_generation.cpp", "models/laws/parameter_spread.cpp",
        "calibration/fit/linear_squares.cpp", "calibration/fit/nonlinear_squares.cpp"}},
      {"Eigen", "unsupported/Eigen/", {"calibration/fit/nonlinear_squares.cpp"}},
      {"Expat", "expat.h", {"scenarios/topology/simgrid_platform.cpp"}},
      {"", "fmt/", {"models/", "scenarios/", "calibration/", "sim/", "reports/"}},
      {"protobuf", "google/protobuf/", {"scenarios/triton/triton_syntax.cpp"}},
      {"muParser", "muParser.h", {"scenarios/sweep/sweep_conditions.cpp"}},
      {"nlohmann/json", "nlohmann/", {"scenarios/", "calibration/", "sim/sweep/", "reports/"}},
      {"OpenSSL", "openssl/", {"models/values/sha256.cpp"}},
      {"Random123", "Random123/", {"models/laws/random_stream.cpp"}},
      {"SimGrid", "simgrid/", {"sim/engine/"}},
      {"SimGrid", "xbt/", {"sim/engine/"}},
      {"SQLite",
       "sqlite3.h",
       {"calibration/import/frameworks/timetracker_database.cpp", "reports/sweep/sweep_sqlite.cpp"}},
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

/// The folder of the house in which a path lies; null where it lies in none.
const Room* room_of(const std::string& path) {
  const auto room =
      std::find_if(rooms().begin(), rooms().end(), [&](const Room& one) { return path.starts_with(one.folder); });
  return room == rooms().end() ? nullptr : &*room;
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
  if (!starts_with_any(path, library->in_cpp)) return "belongs into " + listed(library->in_cpp) + " alone";
  return path.ends_with(".cpp") ? "" : "belongs into .cpp files alone";
}

}  // namespace

/// An #include line.
struct Include {
  std::string header;
  bool is_own = false;   ///< in quotes: the project's
  std::size_t line = 0;  ///< from 1
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> found;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::smatch match;
    if (std::regex_search(file.lines[i], match, include))
      found.push_back({.header = match[2], .is_own = match[1] == "\"", .line = i + 1});
  }
  return found;
}

/// What is wrong with the #include lines of a file: one sentence each, "path:line: rule".
/// The rules are the table of docs/architecture.md.
std::vector<std::string> broken_include_rules(const SourceFile& file) {
  std::vector<std::string> broken;
  const Room* room = room_of(file.path);
  if (room == nullptr) return broken;
  for (const auto& [header, is_own, line] : includes_of(file)) {
    const std::string where = file.path + ":" + std::to_string(line) + ": ";
    if (is_own) {
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

/// Which folder includes which other one: "sim/run" -> "sim/engine".
using Arrows = std::set<std::pair<std::string, std::string>>;

/// The arrows between the folders of the house, from the #include lines of the files.
Arrows arrows_of(const std::vector<SourceFile>& files) {
  Arrows arrows;
  for (const SourceFile& file : files) {
    const Room* from = room_of(file.path);
    if (from == nullptr) continue;
    for (const Include& include : includes_of(file)) {
      const Room* to = include.is_own ? room_of(include.header) : nullptr;
      const auto name = [](const Room& room) { return room.folder.substr(0, room.folder.size() - 1); };
      if (to != nullptr && to != from) arrows.emplace(name(*from), name(*to));
    }
  }
  return arrows;
}

/// The same without those that follow from others: of a -> b, b -> c and a -> c, the third.
Arrows without_detours(const Arrows& arrows) {
  Arrows reached = arrows;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [from, middle] : Arrows(reached))
      for (const auto& [start, to] : arrows)
        if (start == middle && reached.emplace(from, to).second) grows = true;
  }
  Arrows kept;
  for (const auto& [from, to] : arrows) {
    const bool follows = std::any_of(arrows.begin(), arrows.end(), [&, begin = from, end = to](const auto& other) {
      return other.first == begin && reached.contains({other.second, end});
    });
    if (!follows) kept.emplace(from, to);
  }
  return kept;
}

/// The arrows that a document draws in Mermaid, a line each: "sim/run --> sim/engine".
Arrows drawn_arrows(const SourceFile& document) {
  static const std::regex arrow(R"(^\s*(\S+) --> (\S+)\s*$)");
  Arrows arrows;
  for (const std::string& line : document.lines) {
    std::smatch match;
    if (std::regex_match(line, match, arrow)) arrows.emplace(match[1], match[2]);
  }
  return arrows;
}

/// The names in "one, another" or "`one`, `another`".
std::set<std::string> names_in(const std::string& cell) {
  static const std::regex name(R"([^\s,`]+)");
  return {std::sregex_token_iterator(cell.begin(), cell.end(), name), std::sregex_token_iterator()};
}

/// A folder's row in the table of docs/architecture.md.
struct RoomRow {
  std::set<std::string> may_include, third_party;
};

/// The rows of the first table, by folder.
std::map<std::string, RoomRow> room_rows(const SourceFile& document) {
  static const std::regex row(R"(^\| \[`([^`]+)`\]\([^)]*\) \|[^|]*\|([^|]*)\|([^|]*)\|$)");
  std::map<std::string, RoomRow> rows;
  for (const std::string& line : document.lines) {
    std::smatch match;
    if (std::regex_match(line, match, row)) rows[match[1]] = {names_in(match[2]), names_in(match[3])};
  }
  return rows;
}

/// The libraries of others that some file of the folder may include, and "POSIX".
std::set<std::string> third_party_of(const Room& room) {
  std::set<std::string> names;
  const auto lies_here = [&](const std::string& path) { return path.starts_with(room.folder); };
  for (const Library& library : libraries())
    if (!library.name.empty() && std::any_of(library.in_cpp.begin(), library.in_cpp.end(), lies_here))
      names.insert(library.name);
  if (std::any_of(system_folders.begin(), system_folders.end(), lies_here)) names.insert("POSIX");
  return names;
}

}  // namespace saturn::house

TEST_CASE("the picture of docs/architecture.md has the arrows of the includes, but for those that follow from others") {
  const Arrows drawn = drawn_arrows(read_source("docs/architecture.md"));
  const Arrows included = without_detours(arrows_of(cpp_files()));
  for (const auto& [from, to] : included)
    if (!drawn.contains({from, to})) FAIL_CHECK("the picture lacks " << from << " --> " << to);
  for (const auto& [from, to] : drawn)
    if (!included.contains({from, to})) FAIL_CHECK("superfluous in the picture: " << from << " --> " << to);
  CHECK(included.size() >= rooms().size() - 1);
}

TEST_CASE("an arrow that follows from two others is not drawn") {
  CHECK(without_detours({{"a", "b"}, {"b", "c"}, {"a", "c"}, {"d", "c"}}) ==
        Arrows{{"a", "b"}, {"b", "c"}, {"d", "c"}});
  const std::vector<SourceFile> files{{.path = "sim/run/a.cpp", .lines = {"#include \"sim/engine/simulate.hpp\""}},
                                      {.path = "sim/run/b.cpp", .lines = {"#include \"sim/run/a.hpp\""}}};
  CHECK(arrows_of(files) == Arrows{{"sim/run", "sim/engine"}});
  CHECK(drawn_arrows({.path = "a.md", .lines = {"  a --> b/c", "flowchart TD"}}) == Arrows{{"a", "b/c"}});
}

TEST_CASE("the table of docs/architecture.md says what each folder may include, as the rules do") {
  const std::map<std::string, RoomRow> rows = room_rows(read_source("docs/architecture.md"));
  for (const Room& room : rooms()) {
    CAPTURE(room.folder);
    REQUIRE(rows.contains(room.folder));
    const RoomRow& row = rows.at(room.folder);
    const auto text = [](const std::set<std::string>& names) {
      return names.empty() ? "none" : listed({names.begin(), names.end()});
    };
    CHECK(text(row.may_include) == text({room.may_include.begin(), room.may_include.end()}));
    CHECK(text(row.third_party) == text(third_party_of(room)));
  }
}

TEST_CASE("every rule of the house allows something that some file includes") {
  std::map<std::string, std::set<std::string>> included;
  for (const SourceFile& file : cpp_files()) {
    const Room* room = room_of(file.path);
    if (room == nullptr) continue;
    for (const Include& include : includes_of(file)) included[room->folder].insert(include.header);
  }
  for (const Room& room : rooms()) {
    const std::set<std::string>& headers = included[room.folder];
    for (const std::string& allowed : room.may_include)
      if (std::none_of(headers.begin(), headers.end(),
                       [&](const std::string& one) { return one.starts_with(allowed); }))
        FAIL_CHECK("nothing in " << room.folder << " includes " << allowed << ": take it out of the rules");
  }
}

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
