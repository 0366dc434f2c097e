#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "reports/run/check_report.hpp"
#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/options.hpp"

namespace saturn {

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

/// Prints what the formulas say where the budget ended before a simulation was complete.
/// @returns precision_not_reached
ExitCode give_unconfirmed(const UnconfirmedReport& report, const OutputOptions& output);

/// A file that a command is going to write.
struct OutputFile {
  std::string option{};  ///< "--trace"
  std::filesystem::path path{};
};

/// The files of --out DIR; none where it is not given.
std::vector<OutputFile> files_of_out(const OutputOptions& options);

/// The files that a scenario was read from: itself and those that it names.
std::vector<std::string> files_read(const ReadScenario& read, const std::string& scenario);

/// The files of a sweep's folder that are written anew.
inline constexpr std::array<const char*, 3> sweep_file_names{"plan.jsonl", "points.csv", "provenance.json"};

/// Those and the files with results.
/// @throws InputError  sweep.not_readable
std::vector<std::string> files_of_sweep(const std::filesystem::path& folder);

/// Refuses outputs of one command that are the same file, and those over a file that the command reads, whatever links
/// and spellings their names take, and with --force as well. To be asked before anything runs.
/// @param read  names of files; those that do not exist are passed over
/// @throws InputError  out.same_file, out.is_input, all at once
void refuse_overlaps(const std::vector<OutputFile>& written, const std::vector<std::string>& read);

}  // namespace saturn
