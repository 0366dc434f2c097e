#pragma once

#include <filesystem>
#include <string>

namespace saturn {

/// Writes a file that is there whole or not at all: beside its place first, then moved there.
/// @returns false when it cannot be written; nothing is left behind then
bool write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace saturn
