#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

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

namespace {

// How many concepts may be shorter than a concept should be, and how many headers may have one other user. Whoever
// leaves fewer behind lowers the number; none of them ever rises.
constexpr std::size_t most_short_concepts = 19;
constexpr std::size_t most_headers_of_one_user = 23;

bool is_product(const SourceFile& file) {
  return !file.path.starts_with("tests/") && !file.path.starts_with("bench/");
}

std::string without_ending(const std::string& path) {
  return path.substr(0, path.rfind('.'));
}

std::string lines_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

}  // namespace

TEST_CASE("a concept, which is a header with its .cpp file, has 80 lines or more, but for a few") {
  std::map<std::string, std::size_t> lines;
  for (const SourceFile& file : cpp_files())
    if (is_product(file)) lines[without_ending(file.path)] += file.lines.size();
  std::vector<std::string> few;
  for (const auto& [concept_path, count] : lines)
    if (count < 80) few.push_back(concept_path + ": " + std::to_string(count) + " lines");
  CHECK_MESSAGE(few.size() <= most_short_concepts, "too short for a file of their own:" << lines_of(few));
  CHECK_MESSAGE(few.size() + 10 > most_short_concepts, "lower most_short_concepts to " << few.size());
}

TEST_CASE("no folder holds more than 25 files, so that its listing tells what is there") {
  std::map<std::string, std::size_t> files;
  for (const SourceFile& file : cpp_files()) ++files[file.path.substr(0, file.path.rfind('/'))];
  for (const auto& [folder, count] : files)
    if (count > 25) FAIL_CHECK(folder << " holds " << count << " files: make rooms by concept");
  CHECK(files.size() > 20);
}

TEST_CASE("a header is for what two others use, but for a few") {
  const std::regex include(R"re(^#include "([^"]+)")re");
  std::map<std::string, std::set<std::string>> users;
  for (const SourceFile& file :
       read_tree({"models", "scenarios", "calibration", "sim", "reports", "tests", "bench", "cmake"},
                 {".cpp", ".hpp", ".in"})) {
    for (const std::string& line : file.lines) {
      std::smatch match;
      if (std::regex_search(line, match, include) && without_ending(match[1]) != without_ending(file.path))
        users[match[1]].insert(file.path);
    }
  }
  std::vector<std::string> lonely;
  for (const SourceFile& file : cpp_files()) {
    if (!is_product(file) || !file.path.ends_with(".hpp")) continue;
    const std::set<std::string>& own = users[file.path];
    if (own.size() < 2) lonely.push_back(file.path + ", for " + (own.empty() ? "nobody" : *own.begin()));
  }
  CHECK_MESSAGE(lonely.size() <= most_headers_of_one_user, "headers of one user:" << lines_of(lonely));
  CHECK_MESSAGE(lonely.size() + 10 > most_headers_of_one_user, "lower most_headers_of_one_user to " << lonely.size());
}

TEST_CASE("every drawn property can fail its test: its verdict is taken, for RapidCheck alone would only print it") {
  const std::regex dropped(R"(^\s*rc::check\()");
  for (const SourceFile& file : read_tree({"tests"}, {".cpp", ".hpp"})) {
    for (std::size_t i = 0; i < file.lines.size(); ++i)
      if (std::regex_search(file.lines[i], dropped)) FAIL_CHECK(file.path << ":" << i + 1 << ": CHECK(rc::check(...))");
  }
  CHECK(std::regex_search(std::string("  rc::") + "check([] {", dropped));
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
