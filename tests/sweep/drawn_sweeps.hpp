#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/sweep_table.hpp"
#include "tests/temporary_folder.hpp"

namespace saturn::tests {

PointResult answered(double mean);
PointResult failed_result(const std::string& failure, const std::string& reason);

/// Any result that can be written, with texts of any bytes that are UTF-8 and any finite numbers. Needs RapidCheck to
/// be running.
PointResult any_result();
std::string any_text();

/// Whether all that a result line carries is the same, numbers to the last bit.
bool same_result(const PointResult& a, const PointResult& b);

/// A plan over "batch" (words, no unit) and "rtt" (s) with `points` points, called "id-0", "id-1" and so on.
SweepPlan plan_of(std::size_t points);

/// All complaints that an action is refused with, as they are printed; empty where it is not.
std::string complaints_of(const std::function<void()>& action);

/// Runs an action in a forked child, with _exit afterwards.
/// @returns what the child wrote into the text that it was given, or "killed by signal N"
std::string in_child(const std::function<std::string()>& action);

/// Mounts a file system of its own in memory over a folder, for this process and its children alone; it goes with them.
/// To be called in a forked child.
/// @param options  "size=64k"
/// @returns false where this process may not
bool mount_small_disk(const std::filesystem::path& folder, const std::string& options);

/// Makes it read-only.
bool make_disk_read_only(const std::filesystem::path& folder);

/// Lets files of this process grow no further; those of a forked child are its own matter.
void limit_file_sizes(std::uint64_t bytes);

}  // namespace saturn::tests
