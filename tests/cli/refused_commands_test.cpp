#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/saturn_process.hpp"
#include "tests/complaint_table.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

const std::string help = "Run \"saturn --help\" or \"saturn VERB --help\" for what is allowed.";

/// True for the lines that show a piece of a file and the mark below it.
bool shows_a_file(const std::string& line) {
  const std::size_t bar = line.find_first_not_of(" 0123456789");
  return line.starts_with("  ") && bar != std::string::npos && line[bar] == '|';
}

/// What was said on stderr: a complaint with its indented sentence is one, without the lines of the file.
std::vector<std::string> complaints_on(const std::string& err) {
  std::vector<std::string> all;
  std::istringstream lines(err);
  for (std::string line; std::getline(lines, line);) {
    if (shows_a_file(line)) continue;
    if (line.starts_with("  ") && !all.empty())
      all.back() += (all.back().ends_with(":") ? " " : ": ") + line.substr(line.find_first_not_of(' '));
    else
      all.push_back(line);
  }
  return all;
}

/// The exit code, then what was said. A usage error says "64" where its last line tells where to look.
std::vector<std::string> found_of(const ProcessResult& result, const std::string& folder) {
  std::string err = result.err;
  for (std::size_t at = err.find(folder + "/"); at != std::string::npos; at = err.find(folder + "/"))
    err.erase(at, folder.size() + 1);
  std::vector<std::string> found{std::to_string(result.exit_code)};
  for (const std::string& complaint : complaints_on(err)) found.push_back(on_one_line(complaint));
  if (result.exit_code == 64 && found.back() == help)
    found.pop_back();
  else if (result.exit_code == 64)
    found.front() += " with its own help";
  return found;
}

}  // namespace

TEST_CASE("every refused command of the tables says just this, with this exit code, soon, and writes nothing") {
  for (const ComplaintRow& row : read_complaint_tables(SATURN_SOURCE_DIR "/tests/cli/complaints")) {
    const TemporaryFolder folder;
    std::map<std::string, std::string> beside = row.files;
    for (std::size_t i = 1; i < row.input.size(); ++i)
      change_text(beside[row.input[i].substr(0, row.input[i].find(' '))], row.input[i]);
    for (const auto& [name, text] : beside) folder.write(name, text);
    const std::vector<std::string> files = folder.files();
    const auto begin = std::chrono::steady_clock::now();
    const ProcessResult result = saturn_process(row.input.at(0).substr(6), folder.path().string());
    std::vector<std::string> found = found_of(result, folder.path().string());
    if (!result.out.empty()) found.emplace_back("and stdout is not empty");
    if (folder.files() != files) found.emplace_back("and a file was written");
    for (const auto& [name, text] : beside)
      if (text_of_file(folder.path() / name) != text) found.push_back("and " + name + " was changed");
    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) found.emplace_back("and it took its time");
    compare_row(row, found);
  }
}
