#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_table.hpp"

/// The results of several folders brought into one.

namespace saturn {

/// How many points of a sweep have come how far.
struct PointCounts {
  std::uint64_t answered = 0;
  std::uint64_t imprecise = 0;
  std::uint64_t failed = 0;
  std::uint64_t missing = 0;
};

PointCounts point_counts(const SweepTable& table);

/// Numbers of the points without a result, runs of them joined: "3-7, 12"; empty where none is missing.
std::string missing_points(const SweepTable& table);

/// What merging found.
struct MergedFolders {
  SweepTable table{};
  PointCounts counts{};
  std::uint64_t copied = 0;   ///< result files that were brought in by this call
  std::uint64_t files = 0;    ///< result files that were read
  std::uint64_t torn = 0;     ///< lines that were dropped
  std::uint64_t unasked = 0;  ///< results of points that the plan does not have: of a former scenario or another sweep
  std::vector<ResultConflict> conflicts{};
  std::string missing{};  ///< as missing_points() writes it
};

/// Copies the result files of further folders into results/ of the sweep's, then reads all that is there. A file whose
/// bytes are there already is not copied again, whatever its name, nor an empty one; nothing is overwritten; a copy is
/// there whole or not at all. So merging again, or after an interruption, gives the same table.
/// @param folders  with results in them: of sweeps, or of shards that ran elsewhere
/// @throws InputError  sweep.not_a_sweep_folder (all that are none, before anything is copied), sweep.bad_folder,
///                     sweep.not_readable, sweep.not_writable, sweep.disk_full
MergedFolders merge_folders(const std::filesystem::path& folder, std::span<const std::filesystem::path> folders);

}  // namespace saturn
