#include "tests/house/document_blocks.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <sys/wait.h>

namespace saturn::house {

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

BlockFolder::BlockFolder() : path_((std::filesystem::temp_directory_path() / "saturn-document-XXXXXX").string()) {
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  std::filesystem::create_directory_symlink(root() / "calibration", std::filesystem::path(path_) / "calibration");
}

BlockFolder::~BlockFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

CommandResult BlockFolder::run(const std::string& command) const {
  const std::string shell = "cd '" + path_ + "' && export NO_COLOR=1 && saturn() { '" + SATURN_PROGRAM +
                            "' \"$@\"; } && { " + command + "\n} 2>/dev/null";
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
