#pragma once

#include <filesystem>
#include <string>

namespace saturn {

/// For as long as it lives, no other sweep works in the folder. It goes with the process, however that ends. Some
/// network file systems know no locks; there nobody is kept out, which costs work that is done twice, but no result.
class FolderLock {
 public:
  /// Locks the file <name>.lock, which stays in the folder, and writes into it who holds it (for messages only).
  /// @param name  of the lock: "sweep", "shard-0003-of-0008"
  /// @throws InputError  sweep.in_use (says who: process, host, since when, and the way out), sweep.not_writable,
  ///                     sweep.disk_full
  FolderLock(const std::filesystem::path& folder, const std::string& name);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// In a forked child: the lock stays with the parent alone. A child that does not call this keeps the folder locked
  /// for as long as it lives.
  void forget();

  /// Whether others are kept out: false where the file system knows no locks.
  bool keeps_others_out() const { return file_ >= 0; }

 private:
  int file_ = -1;
};

/// Makes sure that a sweep can work in a folder: makes it where it is not there, with its parents, and tries whether
/// files can be made in it. A folder that holds something else is left alone.
/// @throws InputError  sweep.not_a_sweep_folder (a file; a folder with other things in it and no plan.jsonl),
///                     sweep.not_writable, sweep.not_readable, sweep.disk_full
void prepare_sweep_folder(const std::filesystem::path& folder);

/// Whether an existing folder holds a sweep, or nothing but what a sweep leaves that was ended at its very beginning.
/// @throws InputError  sweep.not_a_sweep_folder, sweep.not_readable
void require_sweep_folder(const std::filesystem::path& folder);

}  // namespace saturn
