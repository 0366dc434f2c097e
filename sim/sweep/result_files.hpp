#pragma once

#include <filesystem>
#include <vector>

namespace saturn {

/// Makes results/ in a sweep's folder where it is not there, and the folder with it.
/// @throws InputError  sweep.not_writable, sweep.disk_full
std::filesystem::path made_results_folder(const std::filesystem::path& folder);

/// The result files of a sweep's folder, sorted by path: all *.jsonl below results/, and below the results/ of folders
/// that stand in it. A file that has several names is there once, by its first one.
/// @throws InputError  sweep.not_readable
std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

}  // namespace saturn
