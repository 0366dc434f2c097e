#include "tests/house/document_blocks.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <sys/wait.h>

namespace saturn::house {

std::vector<ShownCommand> shown_commands(const SourceFile& document) {
  std::vector<ShownCommand> commands;
  bool in_block = false;
  bool marked = false;
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    const std::string& line = document.lines[i];
    if (line == "<!-- output of the program -->") {
      marked = true;
    } else if (!in_block) {
      in_block = line == "```console";
    } else if (line == "```") {
      in_block = marked = false;
    } else if (line.starts_with("$ ")) {
      commands.push_back({.document = document.path,
                          .line = i + 1,
                          .command = line.substr(2),
                          .shown_output = "",
                          .promises_output = marked});
    } else if (!commands.empty()) {
      commands.back().shown_output += line + "\n";
    }
  }
  return commands;
}

CommandResult run_shown(const std::string& command) {
  std::string folder_name = (std::filesystem::temp_directory_path() / "saturn-document-XXXXXX").string();
  if (mkdtemp(folder_name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  const std::string shell = "cd '" + folder_name + "' && export NO_COLOR=1 && saturn() { '" + SATURN_PROGRAM +
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
  std::filesystem::remove_all(folder_name);
  return result;
}

}  // namespace saturn::house
