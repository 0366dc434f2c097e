#include "sim/cli/whole_file.hpp"

#include "scenarios/complaint.hpp"
#include "sim/sweep/points_csv.hpp"

namespace saturn {

bool write_whole(const std::filesystem::path& path, const std::string& text) {
  try {
    replace_file(path, text);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace saturn
