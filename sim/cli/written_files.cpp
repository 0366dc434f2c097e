#include "sim/cli/written_files.hpp"

#include <system_error>

#include "scenarios/complaint.hpp"
#include "sim/cli/answer.hpp"
#include "sim/sweep/result_files.hpp"

namespace saturn {

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
  for (const char* name : result_file_names) files.push_back({"--out", std::filesystem::path(*options.out) / name});
  return files;
}

std::vector<std::string> files_read(const ReadScenario& read, const std::string& scenario) {
  const std::filesystem::path folder = std::filesystem::path(scenario).parent_path();
  std::vector<std::string> files{scenario};
  for (const FittedFile& file : read.fitted_files) files.push_back(file.path);
  if (read.scenario.platform_file) files.push_back((folder / *read.scenario.platform_file).string());
  for (const auto& [name, model] : read.scenario.models)
    if (model.triton_config) files.push_back((folder / *model.triton_config).string());
  return files;
}

std::vector<std::string> files_of_sweep(const std::filesystem::path& folder) {
  std::vector<std::string> files;
  for (const char* name : sweep_file_names) files.push_back((folder / name).string());
  for (const std::filesystem::path& file : result_files(folder)) files.push_back(file.string());
  return files;
}

void refuse_overlaps(const std::vector<OutputFile>& written, const std::vector<std::string>& read) {
  std::vector<Complaint> complaints;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const OutputFile& file = written[i];
    for (std::size_t k = 0; k < i; ++k)
      if (are_same(file.path, written[k].path))
        complaints.push_back({.source = file.option,
                              .code = "out.same_file",
                              .text = file.option + " and " + written[k].option + " both write " + file.path.string() +
                                      "; they need a file each."});
    for (const std::string& input : read) {
      std::error_code ignored;
      if (!std::filesystem::exists(input, ignored) || !are_same(file.path, input)) continue;
      complaints.push_back(
          {.source = file.option,
           .code = "out.is_input",
           .text = file.option + " would write over " + input + ", which this command reads; name another file."});
    }
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

}  // namespace saturn
