#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/cli/common_options.hpp"

namespace saturn {

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
