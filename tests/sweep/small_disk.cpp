#include "tests/sweep/small_disk.hpp"

#include <sched.h>
#include <sys/mount.h>

namespace saturn::tests {

bool mount_small_disk(const std::filesystem::path& folder, const std::string& options) {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("small", folder.c_str(), "tmpfs", 0, options.c_str()) == 0;
}

bool make_disk_read_only(const std::filesystem::path& folder) {
  return mount(nullptr, folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

}  // namespace saturn::tests
