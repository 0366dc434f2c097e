#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

#include "models/results/measure_reference.hpp"
#include "reports/page/scenario/scenario_figures.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/house/source_tree.hpp"
#include "tests/temporary_folder.hpp"

using namespace saturn::house;

namespace saturn::house {

/// A command of a ```console block and what the document says it prints.
struct ShownCommand {
  std::string document;
  std::size_t line = 0;
  std::size_t block = 0;         ///< line at which its block begins
  std::string command;           ///< without "$ "
  std::string shown_output;      ///< the lines after it, up to the next command or the end of the block
  bool promises_output = false;  ///< the block is marked as output of the program: it has to be exactly that
};

/// What a shell command printed on stdout, and its exit code.
struct CommandResult {
  int exit_code = -1;
  std::string output;
};

/// A file that a document shows: a block below a line "<!-- file: NAME -->". Its later commands may read it.
struct ShownFile {
  std::string name;
  std::string text;
};

/// The folder in which the commands of a block are run, one after the other: empty but for "calibration", the
/// checkout's, and the files that the document shows. It goes with the object.
class BlockFolder {
 public:
  explicit BlockFolder(const std::vector<ShownFile>& files);

  /// Runs the command with `saturn` being the built program, without colours.
  CommandResult run(const std::string& command) const;

 private:
  TemporaryFolder folder_{};
};

std::vector<ShownFile> shown_files(const SourceFile& document) {
  const std::string mark = "<!-- file: ";
  std::vector<ShownFile> files;
  for (std::size_t i = 0; i + 1 < document.lines.size(); ++i) {
    if (!document.lines[i].starts_with(mark)) continue;
    ShownFile file{.name = document.lines[i].substr(mark.size()), .text = {}};
    file.name.resize(file.name.find(" -->"));
    for (i += 2; i < document.lines.size() && document.lines[i] != "```"; ++i) file.text += document.lines[i] + "\n";
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<ShownCommand> shown_commands(const SourceFile& document) {
  std::vector<ShownCommand> commands;
  bool in_block = false;
  bool marked = false;
  std::size_t block = 0;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    const std::string& line = document.lines[i];
    if (line == "<!-- output of the program -->") {
      marked = true;
    } else if (!in_block) {
      in_block = line == "```console";
      block = i + 1;
    } else if (line == "```") {
      in_block = marked = false;
    } else if (line.starts_with("$ ")) {
      commands.push_back({.document = document.path,
                          .line = i + 1,
                          .block = block,
                          .command = line.substr(2),
                          .shown_output = "",
                          .promises_output = marked});
    } else if (!commands.empty()) {
      commands.back().shown_output += line + "\n";
    }
  }
  return commands;
}

BlockFolder::BlockFolder(const std::vector<ShownFile>& files) {
  std::filesystem::create_directory_symlink(root() / "calibration", folder_ / "calibration");
  for (const ShownFile& file : files) folder_.write(file.name, file.text);
}

CommandResult BlockFolder::run(const std::string& command) const {
  const std::string shell = "cd '" + folder_.path().string() + "' && export NO_COLOR=1 && saturn() { '" +
                            SATURN_PROGRAM + "' \"$@\"; } && { " + command + "\n} 2>/dev/null";
  FILE* pipe = popen(shell.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  CommandResult result;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.output.append(buffer.data(), got);
  }
  const int status = pclose(pipe);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace saturn::house

namespace {

std::vector<ShownCommand> all_commands() {
  std::vector<ShownCommand> commands = shown_commands(read_source("README.md"));
  for (const SourceFile& file : read_tree({"docs"}, {".md"})) {
    for (const ShownCommand& command : shown_commands(file)) commands.push_back(command);
  }
  return commands;
}

}  // namespace

TEST_CASE("the README shows on its first screen a command with its real output") {
  const std::vector<ShownCommand> commands = shown_commands(read_source("README.md"));
  REQUIRE(!commands.empty());
  CHECK(commands.front().line < 20);
  CHECK(commands.front().promises_output);
  CHECK(commands.front().command.starts_with("saturn plan "));
}

TEST_CASE("the README has fewer than 900 words") {
  std::istringstream words(saturn::text_of_file(root() / "README.md"));
  std::size_t count = 0;
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  for (std::string word; words >> word;)
    if (std::any_of(word.begin(), word.end(), is_letter)) ++count;
  CHECK(count < 900);
}

TEST_CASE("every command that the documents show works, and prints what they show where they promise it" *
          doctest::test_suite("release")) {
  std::optional<BlockFolder> folder;
  std::pair<std::string, std::size_t> block;
  for (const ShownCommand& shown : all_commands()) {
    if (const std::pair here{shown.document, shown.block}; !folder || here != block) {
      folder.emplace(shown_files(read_source(shown.document)));
      block = here;
    }
    CAPTURE(shown.document);
    CAPTURE(shown.line);
    CAPTURE(shown.command);
    // Other programs belong into ```sh blocks, which nobody runs here.
    REQUIRE(shown.command.starts_with("saturn "));
    const CommandResult result = folder->run(shown.command);
    CHECK(result.exit_code == 0);
    if (shown.promises_output) CHECK(result.output == shown.shown_output);
  }
}

TEST_CASE("the guide's lines for pandas print the use of the GPU, where pandas is there" *
          doctest::test_suite("release")) {
  const BlockFolder folder({});
  if (folder.run("python3 -c 'import pandas'").exit_code != 0) {
    MESSAGE("not tried: python3 has no pandas (Debian: python3-pandas)");
    return;
  }
  std::size_t tried = 0;
  for (const std::string& line : read_source("docs/guide.md").lines) {
    if (line.find("import pandas") == std::string::npos) continue;
    ++tried;
    CAPTURE(line);
    const CommandResult result = folder.run(line);
    CHECK(result.exit_code == 0);
    CHECK(result.output.find("server/small_gpu") != std::string::npos);
  }
  CHECK(tried == 2);
}

TEST_CASE("the reference of a run's numbers is the one that the program prints") {
  const bool is_current = saturn::text_of_file(root() / "docs/measures.md") == saturn::measure_reference();
  CHECK_MESSAGE(is_current, "run scripts/refresh-docs.sh");
}

TEST_CASE("the scenario reference is the one that the program prints") {
  const bool is_current = saturn::text_of_file(root() / "docs/scenario-reference.md") == saturn::scenario_reference();
  CHECK_MESSAGE(is_current, "run scripts/refresh-docs.sh");
}

TEST_CASE("docs/figures.md says of every figure of a page what it shows, and of no other but a fit's") {
  std::set<std::string> listed;
  std::istringstream lines(saturn::text_of_file(root() / "docs/figures.md"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `")) listed.insert(line.substr(3, line.find('`', 3) - 3));
  std::set<std::string> drawn{"fit"};
  for (const saturn::FigureRow& row : saturn::scenario_figures()) drawn.emplace(row.name);
  CHECK(listed == drawn);
}
