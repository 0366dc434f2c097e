#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// Refuses a file that an option would write, before anything is computed.
/// @param option  "--out"
/// @param force   a file that exists may be replaced
/// @throws InputError  out.no_name, out.exists, out.not_a_file (a folder), out.not_writable
void refuse_to_replace(const std::string& option, const std::filesystem::path& file, bool force);

/// Writes it whole or not at all, and makes its folder.
/// @throws InputError  AnswerFile::not_writable
void write_new_file(const AnswerFile& file);

/// Writes a file that is there whole or not at all: beside its place first, then moved there.
/// @returns false when it cannot be written; nothing is left behind then
bool write_whole(const std::filesystem::path& path, const std::string& text);

/// Makes the folder that an option names before anything is simulated, so that nobody waits for files that have no
/// place.
/// @param codes  "out": what the codes of its complaints begin with
/// @throws InputError  out.no_name, out.not_a_folder, out.not_writable
void make_folder(const std::string& option, const std::string& codes, const std::filesystem::path& folder);

/// The files of --out DIR.
inline constexpr std::array<const char*, 3> result_file_names{"result.json", "result.csv", "result.txt"};

/// A file that a command is going to write.
struct OutputFile {
  std::string option{};  ///< "--trace"
  std::filesystem::path path{};
};

/// The files of --out DIR, whose folder is made before anything is computed; none where it is not given.
/// @throws InputError  out.exists (a folder that holds results already), out.no_name, out.not_a_folder,
/// out.not_writable
std::vector<OutputFile> files_of_out(const OutputOptions& options);

/// The files that a scenario was read from: itself and those that it names.
std::vector<std::string> files_read(const ReadScenario& read, const std::string& scenario);

/// The files of a sweep's folder that are written anew.
inline constexpr std::array<const char*, 3> sweep_file_names{"plan.jsonl", "points.csv", "provenance.json"};

/// A file as a text in the folder has to name it; through links where the folder does not lead there by names.
std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& file);

/// Those and the files with results.
/// @throws InputError  sweep.not_readable
std::vector<std::string> files_of_sweep(const std::filesystem::path& folder);

/// Refuses outputs of one command that are the same file, and those over a file that the command reads, whatever links
/// and spellings their names take, and with --force as well. To be asked before anything runs.
/// @param read  names of files; those that do not exist are passed over
/// @throws InputError  out.same_file, out.is_input, all at once
void refuse_overlaps(const std::vector<OutputFile>& written, const std::vector<std::string>& read);

}  // namespace saturn
