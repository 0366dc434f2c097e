#include "sim/cli/new_files.hpp"

#include <unistd.h>

#include "scenarios/document/complaints.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

void refuse_to_replace(const std::string& option, const std::filesystem::path& file, bool force) {
  if (file.filename().empty()) refuse_input(option, "out.no_name", option + " needs the name of a file.");
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    refuse_input(option, "out.not_a_file", file.string() + " is a folder; " + option + " needs the name of a file.");
  // A link to nowhere is a name that is taken, too.
  if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)) && !force)
    refuse_input(option, "out.exists", file.string() + " would be overwritten; name another file, or add --force.");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse_input(option, "out.not_writable", file.string() + " cannot be written: its folder is missing or closed.");
}

void write_new_file(const std::string& option, const std::filesystem::path& file, const std::string& text) {
  if (!write_whole(file, text)) refuse_input(option, "out.not_writable", file.string() + " cannot be written.");
}

bool write_whole(const std::filesystem::path& path, const std::string& text) {
  try {
    replace_file(path, text);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace saturn
