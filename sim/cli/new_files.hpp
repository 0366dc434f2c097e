#pragma once

#include <filesystem>
#include <string>

namespace saturn {

/// Refuses a file that an option would write, before anything is computed.
/// @param option  "--out"
/// @param force   a file that exists may be replaced
/// @throws InputError  out.no_name, out.exists, out.not_a_file (a folder), out.not_writable
void refuse_to_replace(const std::string& option, const std::filesystem::path& file, bool force);

/// Writes it whole or not at all.
/// @throws InputError  out.not_writable
void write_new_file(const std::string& option, const std::filesystem::path& file, const std::string& text);

/// Writes a file that is there whole or not at all: beside its place first, then moved there.
/// @returns false when it cannot be written; nothing is left behind then
bool write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace saturn
