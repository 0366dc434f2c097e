#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

#include "tests/temporary_folder.hpp"

namespace saturn {

struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

/// A text with every run of blanks and line ends as one blank: what a sentence says, wherever its lines break.
std::string in_one_line(std::string_view text);

/// Does what the program does, in a forked child of the test; the built program itself where something goes before it.
/// @param arguments  as a shell reads them
/// @param folder     current folder of the program; empty: the test's own
/// @param before     goes before the program, for example "NO_COLOR=1"
ProcessResult saturn_process(const std::string& arguments, const std::string& folder = "",
                             const std::string& before = "");

/// What the program answers as JSON, without notes, whatever its exit code.
nlohmann::json json_answer(const std::string& arguments, const std::string& folder = "");

/// The same, of a command as the program spells it: "saturn run first-steps".
nlohmann::json json_of_command(const std::string& command);

/// What the program prints on a terminal, stderr among it.
/// @param environment  an env(1) command that sets what the terminal is
std::string terminal_output(const std::string& arguments, const std::string& environment);

}  // namespace saturn
