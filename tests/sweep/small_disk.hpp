#pragma once

#include <filesystem>
#include <string>

namespace saturn::tests {

/// Mounts a file system of its own in memory over a folder, for this process and its children alone; it goes with them.
/// To be called in a forked child.
/// @param options  "size=64k"
/// @returns false where this process may not
bool mount_small_disk(const std::filesystem::path& folder, const std::string& options);

/// Makes it read-only.
bool make_disk_read_only(const std::filesystem::path& folder);

}  // namespace saturn::tests
