#include <doctest/doctest.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "models/measure_reference.hpp"
#include "scenarios/read_scenario.hpp"
#include "tests/house/document_blocks.hpp"

using namespace saturn::house;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream stream(root() / path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

SourceFile document(const std::string& path) {
  SourceFile file{.path = path, .lines = {}};
  std::istringstream stream(text_of(path));
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

std::vector<ShownCommand> all_commands() {
  std::vector<ShownCommand> commands = shown_commands(document("README.md"));
  for (const SourceFile& file : read_tree({"docs"}, {".md"})) {
    for (const ShownCommand& command : shown_commands(file)) commands.push_back(command);
  }
  return commands;
}

}  // namespace

TEST_CASE("the README shows on its first screen a command with its real output") {
  const std::vector<ShownCommand> commands = shown_commands(document("README.md"));
  REQUIRE(!commands.empty());
  CHECK(commands.front().line < 20);
  CHECK(commands.front().promises_output);
  CHECK(commands.front().command.starts_with("saturn plan "));
}

TEST_CASE("every command that the documents show works, and prints what they show where they promise it" *
          doctest::test_suite("release")) {
  std::optional<BlockFolder> folder;
  std::pair<std::string, std::size_t> block;
  for (const ShownCommand& shown : all_commands()) {
    if (const std::pair here{shown.document, shown.block}; !folder || here != block) {
      folder.emplace();
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

TEST_CASE("the reference of a run's numbers is the one that the program prints") {
  const bool is_current = text_of("docs/measures.md") == saturn::measure_reference();
  CHECK_MESSAGE(is_current, "run scripts/refresh-docs.sh");
}

TEST_CASE("the scenario reference is the one that the program prints") {
  const bool is_current = text_of("docs/scenario-reference.md") == saturn::scenario_reference();
  CHECK_MESSAGE(is_current, "run scripts/refresh-docs.sh");
}
