#pragma once

#include <filesystem>

#include "scenarios/complaint.hpp"

/// What the system says about a sweep's files, as complaints with a way out.
namespace saturn {

/// @param error  errno of what failed
/// @returns sweep.disk_full where there is no room (disk, quota, limit of a file's size), else sweep.not_writable
Complaint not_written(const std::filesystem::path& path, int error);

/// @returns sweep.not_readable
Complaint not_read(const std::filesystem::path& path, int error);

}  // namespace saturn
