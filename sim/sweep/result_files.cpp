#include "sim/sweep/result_files.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <tuple>

#include "sim/sweep/folder_errors.hpp"

namespace saturn {

namespace {

namespace fs = std::filesystem;

// Links to folders are not followed below results/, so that loops end.
void add_result_files(const fs::path& results, std::vector<fs::path>& files, std::vector<Complaint>& complaints) {
  std::error_code failed;
  if (!fs::is_directory(results, failed)) return;
  fs::recursive_directory_iterator entry(results, failed);
  while (!failed && entry != fs::recursive_directory_iterator()) {
    std::error_code no_file;
    if (entry->path().extension() == ".jsonl" && entry->is_regular_file(no_file)) files.push_back(entry->path());
    entry.increment(failed);
  }
  if (failed) complaints.push_back(not_read(results, failed.value()));
}

void keep_each_file_once(std::vector<fs::path>& files) {
  std::set<std::tuple<dev_t, ino_t, off_t>> seen;
  std::erase_if(files, [&](const fs::path& file) {
    struct stat facts {};
    return ::stat(file.c_str(), &facts) == 0 && !seen.insert({facts.st_dev, facts.st_ino, facts.st_size}).second;
  });
}

}  // namespace

fs::path made_results_folder(const fs::path& folder) {
  fs::path results = folder / "results";
  std::error_code failed;
  fs::create_directories(results, failed);
  std::error_code no_folder;
  if (!failed && !fs::is_directory(results, no_folder)) failed = std::make_error_code(std::errc::not_a_directory);
  if (failed) throw InputError({not_written(results, failed.value())});
  return results;
}

std::vector<fs::path> result_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::vector<Complaint> complaints;
  add_result_files(folder / "results", files, complaints);
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  while (!failed && entry != fs::directory_iterator()) {
    std::error_code no_folder;
    if (entry->is_directory(no_folder)) add_result_files(entry->path() / "results", files, complaints);
    entry.increment(failed);
  }
  if (failed && failed != std::errc::no_such_file_or_directory) complaints.push_back(not_read(folder, failed.value()));
  if (!complaints.empty()) throw InputError(std::move(complaints));
  std::sort(files.begin(), files.end());
  keep_each_file_once(files);
  return files;
}

}  // namespace saturn
