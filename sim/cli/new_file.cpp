#include "sim/cli/new_file.hpp"

#include <unistd.h>

#include "scenarios/complaint.hpp"
#include "sim/cli/whole_file.hpp"

namespace saturn {

namespace {

[[noreturn]] void complain(const std::string& option, const std::string& code, const std::string& text) {
  throw InputError({{.source = option, .code = code, .text = text, .excerpt = ""}});
}

}  // namespace

void refuse_to_replace(const std::string& option, const std::filesystem::path& file, bool force) {
  if (file.filename().empty()) complain(option, "out.no_name", option + " needs the name of a file.");
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    complain(option, "out.not_a_file", file.string() + " is a folder; " + option + " needs the name of a file.");
  // A link to nowhere is a name that is taken, too.
  if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored)) && !force)
    complain(option, "out.exists", file.string() + " would be overwritten; name another file, or add --force.");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    complain(option, "out.not_writable", file.string() + " cannot be written: its folder is missing or closed.");
}

void write_new_file(const std::string& option, const std::filesystem::path& file, const std::string& text) {
  if (!write_whole(file, text)) complain(option, "out.not_writable", file.string() + " cannot be written.");
}

}  // namespace saturn
