#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/house/source_tree.hpp"

using namespace saturn::house;

namespace {

namespace fs = std::filesystem;

/// Folders with a page, README.md, that says what a newcomer finds in which file.
const std::vector<std::string> folders_with_page{
    "models/",   "scenarios/", "calibration/", "sim/formula/", "sim/engine/", "sim/run/", "sim/sweep/",
    "sim/plan/", "sim/study/", "sim/cli/",     "reports/",     "tests/",      "scripts/"};

/// A page is read in a minute.
constexpr std::size_t longest_page = 60;

/// Whether a path has the form of a pattern, in which "*" stands for any part of a name.
bool has_form(std::string_view path, std::string_view pattern) {
  if (pattern.empty()) return path.empty();
  if (pattern.front() != '*')
    return !path.empty() && path.front() == pattern.front() && has_form(path.substr(1), pattern.substr(1));
  return has_form(path, pattern.substr(1)) ||
         (!path.empty() && path.front() != '/' && has_form(path.substr(1), pattern));
}

/// Whether a name of a page stands for a file: "fields/" for all that is in the room, "queueing/mva" for the header
/// and its .cpp file, "write_reference.cpp" for the one file.
/// @param path  of the file, from the page's folder on
bool stands_for(const std::string& name, const std::string& path) {
  if (name.ends_with('/')) return path.starts_with(name);
  return has_form(path, name) || has_form(path.substr(0, path.rfind('.')), name);
}

/// The names that begin the lines of a page's lists: "- `service`, `times`: what they are".
std::vector<std::string> names_on_page(const SourceFile& page) {
  std::vector<std::string> names;
  for (const std::string& line : page.lines) {
    if (!line.starts_with("- `")) continue;
    for (std::string& name : back_ticked(line.substr(0, line.find(": ")))) names.push_back(std::move(name));
  }
  return names;
}

/// What is wrong with a page, one sentence each. @param files  of its folder, from the folder on
std::vector<std::string> page_faults(const std::vector<std::string>& names, const std::vector<std::string>& files) {
  std::vector<std::string> faults;
  for (const std::string& file : files)
    if (std::none_of(names.begin(), names.end(), [&](const std::string& name) { return stands_for(name, file); }))
      faults.push_back("does not name " + file);
  for (const std::string& name : names)
    if (std::none_of(files.begin(), files.end(), [&](const std::string& file) { return stands_for(name, file); }))
      faults.push_back("names " + name + ", which is not there");
  return faults;
}

/// All files and folders of the project, from the root on, folders with a "/" at their end.
const std::vector<std::string>& whole_tree() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> paths;
    for (auto entry = fs::recursive_directory_iterator(root()); entry != fs::end(entry); ++entry) {
      const std::string path = fs::relative(entry->path(), root()).generic_string();
      if (path == "build" || path == ".git") entry.disable_recursion_pending();
      paths.push_back(entry->is_directory() ? path + "/" : path);
    }
    return paths;
  }();
  return all;
}

/// Documents that say where something stands.
std::vector<SourceFile> documents() {
  std::vector<SourceFile> all = read_tree({"docs"}, {".md"});
  for (const char* path : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}) all.push_back(read_source(path));
  for (const std::string& folder : folders_with_page) all.push_back(read_source(folder + "README.md"));
  return all;
}

/// True of "sim/run/", "client.cpp", "answer_*.cpp"; not of a JSON pointer, a command or a name in the code.
bool is_path(const std::string& text) {
  static const std::regex path(R"([A-Za-z][\w.*/-]*)");
  static const std::regex file(R"(.*\.(cpp|hpp|in|md|sh|js|mjs|json|txt|cmake))");
  return std::regex_match(text, path) && (text.find('/') != std::string::npos || std::regex_match(text, file));
}

/// Whether a path is there, from the root on or from a folder of the project on: "client.cpp".
bool is_in_tree(const std::string& path) {
  const auto names = [&](const std::string& one) {
    for (std::size_t begin = 0;; begin = one.find('/', begin) + 1) {
      const std::string end = one.substr(begin);
      if (has_form(end, path) || has_form(end, path + "/")) return true;
      if (one.find('/', begin) == std::string::npos) return false;
    }
  };
  return std::any_of(whole_tree().begin(), whole_tree().end(), names);
}

/// The names in a text: "PoolMeter::event_times" has two.
std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// What stands in the code and in the shipped files, word by word.
std::set<std::string> words_of_the_code() {
  std::set<std::string> words;
  for (const SourceFile& file : read_tree({"models", "scenarios", "calibration", "sim", "reports", "scripts"},
                                          {".cpp", ".hpp", ".js", ".mjs", ".json", ".sh", ".txt"}))
    for (const std::string& line : file.lines)
      for (std::string& word : words_in(line)) words.insert(std::move(word));
  return words;
}

}  // namespace

TEST_CASE("the page of a folder names every file that is there, and none that is not") {
  for (const std::string& folder : folders_with_page) {
    const SourceFile page = read_source(folder + "README.md");
    std::vector<std::string> files;
    for (const SourceFile& file :
         read_tree({folder.substr(0, folder.size() - 1)}, {".cpp", ".hpp", ".js", ".mjs", ".sh"}))
      files.push_back(file.path.substr(folder.size()));
    CHECK(!files.empty());
    for (const std::string& fault : page_faults(names_on_page(page), files)) FAIL_CHECK(page.path << " " << fault);
    if (page.lines.size() > longest_page) FAIL_CHECK(page.path << " has " << page.lines.size() << " lines");
  }
}

TEST_CASE("a page may name a room, a pair, a file or a pattern") {
  const SourceFile page{.path = "a/README.md",
                        .lines = {"# a", "- `laws/`: all of it", "- `b`, `read_*`: and `no_name`", "- `c.cpp`: one"}};
  const std::vector<std::string> names = names_on_page(page);
  CHECK(names == std::vector<std::string>{"laws/", "b", "read_*", "c.cpp"});
  CHECK(page_faults(names, {"laws/x.cpp", "b.hpp", "b.cpp", "read_it.cpp", "c.cpp"}).empty());
  CHECK(page_faults({"b"}, {"b.cpp", "bb.cpp"}) == std::vector<std::string>{"does not name bb.cpp"});
  CHECK(page_faults({"b", "d*"}, {"b.cpp"}) == std::vector<std::string>{"names d*, which is not there"});
}

TEST_CASE("every path and every name of the code that the pages on the architecture give is there") {
  std::vector<SourceFile> pages{read_source("docs/architecture.md"), read_source("docs/one-number.md")};
  for (const std::string& folder : folders_with_page) pages.push_back(read_source(folder + "README.md"));
  const std::set<std::string> words = words_of_the_code();
  for (const SourceFile& page : pages) {
    REQUIRE(!page.lines.empty());
    for (std::size_t i = 0; i < page.lines.size(); ++i) {
      for (const std::string& text : back_ticked(page.lines[i])) {
        // A pair is named without its ending, from the page's folder on.
        if (is_in_tree(text) || is_in_tree(text + ".*")) continue;
        const std::string where = page.path + ":" + std::to_string(i + 1) + ": ";
        if (is_path(text)) {
          FAIL_CHECK(where << "there is no " << text);
        } else {
          for (const std::string& word : words_in(text))
            if (!words.contains(word)) FAIL_CHECK(where << "the code has no " << word);
        }
      }
    }
  }
  CHECK(is_path("sim/run/"));
  CHECK_FALSE(is_path("/jobs/0/count"));
  CHECK_FALSE(is_in_tree("models/queueing/no_such.cpp"));
}

TEST_CASE("every link between documents leads to a file") {
  static const std::regex link(R"(\]\(([^)#\s]+)[^)]*\))");
  std::size_t count = 0;
  for (const SourceFile& document : documents()) {
    for (std::size_t i = 0; i < document.lines.size(); ++i) {
      const std::string& line = document.lines[i];
      for (auto match = std::sregex_iterator(line.begin(), line.end(), link); match != std::sregex_iterator();
           ++match) {
        const std::string target = (*match)[1];
        if (target.find("://") != std::string::npos) continue;
        ++count;
        if (!fs::exists(root() / fs::path(document.path).parent_path() / target))
          FAIL_CHECK(document.path << ":" << i + 1 << ": there is no " << target);
      }
    }
  }
  CHECK(count > 50);
}
