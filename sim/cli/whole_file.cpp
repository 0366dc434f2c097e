#include "sim/cli/whole_file.hpp"

#include <fstream>
#include <system_error>

namespace saturn {

bool write_whole(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path partial = path.string() + ".partial";
  std::error_code failed;
  {
    std::ofstream file(partial, std::ios::binary | std::ios::trunc);
    file << text;
    if (!file.flush()) failed = std::make_error_code(std::errc::io_error);
  }
  if (!failed) std::filesystem::rename(partial, path, failed);
  if (!failed) return true;
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  return false;
}

}  // namespace saturn
