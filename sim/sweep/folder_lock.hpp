#pragma once

#include <filesystem>
#include <string>

namespace saturn {

/// For as long as it lives, no other sweep works in the folder. It goes with the process, however that ends.
class FolderLock {
 public:
  /// @param name  of the lock: "sweep", "shard-0003-of-0008"
  /// @throws InputError  sweep.in_use (says who: process, host, since when, and the way out), sweep.not_writable
  FolderLock(const std::filesystem::path& folder, const std::string& name);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// In a forked child: the lock stays with the parent alone.
  void forget();

 private:
  int file_ = -1;
};

}  // namespace saturn
