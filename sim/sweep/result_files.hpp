#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// The result files of a sweep's folder, sorted by path: all *.jsonl below results/, and below the results/ of folders
/// that stand in it. A file that has several names is there once, by its first one.
/// @throws InputError  sweep.not_readable
std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

/// Two results of one id that are not the same: two versions of the program, or a broken machine, wrote them. Failures
/// that the machine caused conflict with nothing.
struct ResultConflict {
  std::string id{};
  std::filesystem::path first{};
  std::filesystem::path second{};
};

/// Everything that a sweep's result files hold.
struct ReadResults {
  /// The first result in order of files and lines. One that says something of the point replaces a failure that the
  /// machine caused; of two of those the one whose text is less is kept.
  std::map<std::string, PointResult> by_id{};
  std::uint64_t files = 0;
  std::uint64_t lines = 0;  ///< torn ones included, empty ones not
  std::uint64_t torn = 0;   ///< lines that were dropped
  std::vector<ResultConflict> conflicts{};
};

/// Reads the folder's result files (those of result_files()). Files that are not there are no results. Where there are
/// no conflicts, what is read does not depend on the order of files and lines.
/// Cost: linear in the bytes; nothing is kept but the results
/// @throws InputError  sweep.not_readable, for every file that cannot be read
/// @param beginning  of the names of files that are read; empty: all
ReadResults read_results(const std::filesystem::path& folder, const std::string& beginning = "");

}  // namespace saturn
