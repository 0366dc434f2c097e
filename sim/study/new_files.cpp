#include "sim/study/new_files.hpp"

#include <unistd.h>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/sweep/result_log.hpp"
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

bool write_whole(const std::filesystem::path& path, const std::string& text) {
  try {
    replace_file(path, text);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void write_new_file(const AnswerFile& file) {
  std::error_code failed;
  if (file.path.has_parent_path()) std::filesystem::create_directories(file.path.parent_path(), failed);
  if (failed || !write_whole(file.path, file.text))
    refuse_input(file.option, file.not_writable, file.path.string() + " cannot be written.");
}

void make_folder(const std::string& option, const std::string& codes, const std::filesystem::path& folder) {
  std::error_code failed;
  if (folder.empty()) refuse_input(option, codes + ".no_name", option + " needs the name of a folder.");
  if (std::filesystem::exists(folder, failed) && !std::filesystem::is_directory(folder, failed))
    refuse_input(option, codes + ".not_a_folder",
                 folder.string() + " is a file; " + option + " needs the name of a folder.");
  std::filesystem::create_directories(folder, failed);
  if (failed)
    refuse_input(option, codes + ".not_writable", folder.string() + " cannot be made: " + failed.message() + ".");
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    refuse_input(option, codes + ".not_writable", folder.string() + " cannot be written.");
}

namespace {

/// Where a name leads: links are followed, as far as it exists.
std::filesystem::path resolved(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  const std::filesystem::path real = std::filesystem::weakly_canonical(absolute, failed);
  return failed ? absolute.lexically_normal() : real;
}

bool are_same(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  // Two names of one file on the disk (hard links) have different paths.
  return resolved(a) == resolved(b) || std::filesystem::equivalent(a, b, ignored);
}

}  // namespace

std::vector<OutputFile> files_of_out(const OutputOptions& options) {
  std::vector<OutputFile> files;
  if (!options.out) return files;
  const std::filesystem::path folder = *options.out;
  make_folder("--out", "out", folder);
  std::string present;
  for (const char* name : result_file_names) {
    files.push_back({"--out", folder / name});
    // A link to nowhere is a name that is taken, too.
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(folder / name, ignored)))
      append_part(present, (folder / name).string());
  }
  if (!present.empty() && !options.force)
    refuse_input("--out", "out.exists", present + " would be overwritten; name another folder, or add --force.");
  return files;
}

std::vector<std::string> files_read(const ReadScenario& read, const std::string& scenario) {
  const std::filesystem::path folder = std::filesystem::path(scenario).parent_path();
  std::vector<std::string> files{scenario};
  for (const FittedFile& file : read.fitted_files) files.push_back(file.path);
  if (read.scenario.platform_file) files.push_back((folder / *read.scenario.platform_file).string());
  for (const auto& [name, model] : read.scenario.models)
    if (model.triton_config) files.push_back(*model.triton_config);
  return files;
}

std::string path_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
  const std::filesystem::path base = std::filesystem::absolute(folder).lexically_normal();
  const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
  const std::filesystem::path by_name = path.lexically_relative(base);
  if (!by_name.empty() && *by_name.begin() != "..") return by_name.string();
  std::error_code failed;
  const std::filesystem::path by_links = std::filesystem::relative(path, base, failed);
  return failed || by_links.empty() ? path.string() : by_links.string();
}

std::vector<std::string> files_of_sweep(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const char* name : sweep_file_names) files.push_back((folder / name).string());
  for (const std::filesystem::path& file : result_files(folder)) files.push_back(file.string());
  return files;
}

void refuse_overlaps(const std::vector<OutputFile>& written, const std::vector<std::string>& read) {
  Complaints complaints;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const OutputFile& file = written[i];
    for (std::size_t k = 0; k < i; ++k)
      if (are_same(file.path, written[k].path))
        complaints.add(file.option, "out.same_file",
                       file.option + " and " + written[k].option + " both write " + file.path.string() +
                           "; they need a file each.");
    for (const std::string& input : read) {
      std::error_code ignored;
      if (std::filesystem::exists(input, ignored) && are_same(file.path, input))
        complaints.add(file.option, "out.is_input",
                       file.option + " would write over " + input + ", which this command reads; name another file.");
    }
  }
  complaints.raise();
}

}  // namespace saturn
