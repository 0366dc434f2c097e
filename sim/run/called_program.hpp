#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace saturn {

/// Another program, and how it is called.
struct ProgramCall {
  std::filesystem::path program{};
  std::vector<std::string> arguments{};                            ///< after its name; no shell reads them
  std::vector<std::pair<std::string, std::string>> environment{};  ///< beside or in place of what is there
  double limit_s = 60.0;                                           ///< wall time, after which it is killed
};

/// How a program ended.
struct ProgramEnd {
  int exit_code = -1;  ///< 128 + signal when a signal ended it; 127 when it could not be started
  bool timed_out = false;
  std::string words{};  ///< the last 4 KiB that it wrote to stdout and stderr, without white space at the end
};

/// The program that a shell would take: the first of that name in the folders of PATH.
std::optional<std::filesystem::path> program_on_path(const std::string& name);

/// Runs it with an empty stdin and waits for its end. It dies with this process.
/// @throws std::system_error  the system gives no process or no pipe
ProgramEnd call_program(const ProgramCall& call);

}  // namespace saturn
