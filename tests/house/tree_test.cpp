#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/house/source_tree.hpp"

using namespace saturn::house;

TEST_CASE("file names are unique in the tree") {
  std::map<std::string, std::string> seen;
  for (const SourceFile& file : cpp_files()) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const auto [first, is_new] = seen.emplace(name, file.path);
    if (!is_new) FAIL_CHECK(file.path << " has the name of " << first->second);
  }
  CHECK(seen.size() > 100);
}

TEST_CASE("no two headers define types of the same name, of which the linker would take one") {
  const std::regex definition(R"(^(struct|class|enum class) ([A-Z]\w*)( final)?( :[^;]*)? \{)");
  std::map<std::string, std::string> seen;
  for (const SourceFile& file : cpp_files()) {
    if (!file.path.ends_with(".hpp") || file.path.starts_with("tests/")) continue;
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (!std::regex_search(line, match, definition)) continue;
      const auto [first, is_new] = seen.emplace(match[2], file.path);
      if (!is_new) FAIL_CHECK(file.path << " defines " << match[2].str() << ", as " << first->second << " does");
    }
  }
  CHECK(seen.size() > 200);
}

TEST_CASE("no file is longer than 500 lines") {
  std::size_t longest = 0;
  for (const SourceFile& file : cpp_files()) {
    longest = std::max(longest, file.lines.size());
    if (file.lines.size() > 500) FAIL_CHECK(file.path << " has " << file.lines.size() << " lines");
  }
  CHECK(longest > 50);
}

TEST_CASE("no text of the project names a path of the machine that it was written on, or leaves work open") {
  // Written in pieces, so that this file does not find itself.
  const std::regex forbidden(std::string("(^|[^A-Za-z0-9_.])/(work|home|root)") + "/|" + "TO" + "DO|" + "FIX" + "ME|" +
                             "place" + "holder");
  for (const SourceFile& file :
       read_tree({"models", "scenarios", "calibration", "sim", "reports", "tests", "bench", "docs", "scripts", "cmake"},
                 {".cpp", ".hpp", ".md", ".sh", ".json", ".txt", ".cmake"})) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (std::regex_search(file.lines[i], forbidden)) FAIL_CHECK(file.path << ":" << i + 1 << ": " << file.lines[i]);
    }
  }
  CHECK(std::regex_search(std::string("see /") + "work/x", forbidden));
}
