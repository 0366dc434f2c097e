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

}  // namespace saturn
