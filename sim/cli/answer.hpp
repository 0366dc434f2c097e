#pragma once

#include <array>
#include <functional>
#include <string>

#include "reports/provenance.hpp"
#include "reports/text_table.hpp"
#include "sim/cli/common_options.hpp"

namespace saturn {

/// A result in the three forms that every verb offers.
struct Answer {
  std::function<std::string(TextStyle)> table;
  std::function<std::string()> json;
  std::function<std::string()> csv;
};

/// The files of --out DIR.
inline constexpr std::array<const char*, 3> result_file_names{"result.json", "result.csv", "result.txt"};

/// Refuses a folder for --out that holds results already, before anything is computed.
/// @throws InputError  out.exists, out.not_a_folder
void refuse_to_overwrite(const OutputOptions& options);

/// Prints the answer on stdout in the asked format, then writes the files of --out.
/// @throws InputError  out.not_writable
void give(const Answer& answer, const OutputOptions& options);

/// Says that there is no plan, in the form of every answer.
/// @param why  a sentence
/// @returns ExitCode::no_plan
ExitCode give_no_plan(const std::string& why, Provenance provenance, const OutputOptions& options);

/// Colour only where a person looks: stdout is a terminal and NO_COLOR is not set. Pictures only where it shows UTF-8.
TextStyle style_of_stdout();

}  // namespace saturn
