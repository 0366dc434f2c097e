#pragma once

#include <string>
#include <vector>

#include "tests/house/source_tree.hpp"

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

std::vector<ShownCommand> shown_commands(const SourceFile& document);

/// What a shell command printed on stdout, and its exit code.
struct CommandResult {
  int exit_code = -1;
  std::string output;
};

/// The folder in which the commands of a block are run, one after the other: empty but for "calibration", the
/// checkout's. It goes with the object.
class BlockFolder {
 public:
  BlockFolder();
  ~BlockFolder();
  BlockFolder(const BlockFolder&) = delete;
  BlockFolder& operator=(const BlockFolder&) = delete;

  /// Runs the command with `saturn` being the built program, without colours.
  CommandResult run(const std::string& command) const;

 private:
  std::string path_;
};

}  // namespace saturn::house
