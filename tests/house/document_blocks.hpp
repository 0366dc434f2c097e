#pragma once

#include <string>
#include <vector>

#include "tests/house/source_tree.hpp"

namespace saturn::house {

/// A command of a ```console block and what the document says it prints.
struct ShownCommand {
  std::string document;
  std::size_t line = 0;
  std::string command;           ///< without "$ "
  std::string shown_output;      ///< the lines after it, up to the next command or the end of the block
  bool promises_output = false;  ///< the block is marked as output of the program: it has to be exactly that
};

std::vector<ShownCommand> shown_commands(const SourceFile& document);

/// What a shell command printed on stdout, and its exit code.
struct CommandResult {
  int exit_code = -1;
  std::string output;
};

/// Runs the command with `saturn` being the built program, without colours, in an empty folder of its own.
CommandResult run_shown(const std::string& command);

}  // namespace saturn::house
