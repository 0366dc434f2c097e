#include "tests/house/include_rules.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace saturn::house;

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
  CHECK(broken_include_rules(second) ==
        std::vector<std::string>{
            "models/a.cpp:1: <boost/math/distributions/normal.hpp> belongs into models/quantiles.cpp alone"});
  const SourceFile unknown{.path = "models/a.cpp", .lines = {"#include <zlib.h>", "#include <unistd.h>"}};
  CHECK(broken_include_rules(unknown) ==
        std::vector<std::string>{"models/a.cpp:1: <zlib.h> is of no library that the house knows",
                                 "models/a.cpp:2: <unistd.h> belongs into sim/run/, sim/sweep/, sim/cli/"});
  const SourceFile planner{.path = "sim/plan/a.cpp", .lines = {"#include <simgrid/s4u.hpp>", "#include \"near.hpp\""}};
  CHECK(broken_include_rules(planner) ==
        std::vector<std::string>{"sim/plan/a.cpp:1: <simgrid/s4u.hpp> belongs into sim/engine/ alone",
                                 "sim/plan/a.cpp:2: \"near.hpp\" is not named from the root"});
}
