#include "sim/cli/validation_file.hpp"

#include <filesystem>

#include "scenarios/complaint.hpp"
#include "sim/cli/whole_file.hpp"

namespace saturn {

namespace {

[[noreturn]] void complain_of_write(const std::string& code, const std::string& text) {
  throw InputError({{.source = "--write", .code = code, .text = text, .excerpt = ""}});
}

}  // namespace

void refuse_to_overwrite_page(const std::string& path, bool force) {
  if (path.empty()) complain_of_write("write.no_name", "--write needs the name of a file.");
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (std::filesystem::is_directory(path, ignored)) {
    complain_of_write("write.is_a_folder", path + " is a folder; --write needs the name of a file.");
  }
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    complain_of_write("write.no_folder", "There is no folder " + folder.string() + "; make it, or name another place.");
  }
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    complain_of_write("write.exists", path + " would be overwritten; name another file, or add --force.");
  }
}

void write_page(const std::string& path, const std::string& text) {
  if (!write_whole(path, text)) complain_of_write("write.not_writable", path + " cannot be written.");
}

}  // namespace saturn
