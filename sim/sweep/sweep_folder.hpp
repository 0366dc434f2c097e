#pragma once

#include <filesystem>

namespace saturn {

/// Makes sure that a sweep can work in a folder: makes it where it is not there, with its parents, and tries whether
/// files can be made in it. A folder that holds something else is left alone.
/// @throws InputError  sweep.not_a_sweep_folder (a file; a folder with other things in it and no plan.jsonl),
///                     sweep.not_writable, sweep.not_readable, sweep.disk_full
void prepare_sweep_folder(const std::filesystem::path& folder);

/// Whether an existing folder holds a sweep, or nothing but what a sweep leaves that was ended at its very beginning.
/// @throws InputError  sweep.not_a_sweep_folder, sweep.not_readable
void require_sweep_folder(const std::filesystem::path& folder);

}  // namespace saturn
