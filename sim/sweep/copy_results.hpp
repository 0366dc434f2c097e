#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace saturn {

/// Copies the result files of other folders into results/ of a sweep's folder, under names of their own, but for those
/// whose bytes are there already.
/// @returns how many files were copied
/// @throws InputError  as merge_folders()
std::uint64_t copy_results(const std::filesystem::path& folder, std::span<const std::filesystem::path> others);

}  // namespace saturn
