#include "sim/sweep/result_files.hpp"

#include <algorithm>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <unordered_map>

#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/whole_files.hpp"

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

namespace {

// What the machine did to a point says nothing of the point: every other result replaces it.
bool says_nothing(const PointResult& result) {
  return result.status == PointStatus::failed && is_of_machine(result.failure);
}

class ResultsByPoint {
 public:
  explicit ResultsByPoint(ReadResults& read) : read_(read) {}

  void take(IdentifiedResult found, const std::filesystem::path& file) {
    const auto [place, is_new] = read_.by_id.try_emplace(std::move(found.id), std::move(found.result));
    PointResult& kept = place->second;
    if (is_new)
      file_of_[&kept] = &file;
    else if (!decided_by_kind(kept, found.result, file))
      compare(place->first, kept, found.result, file);
  }

 private:
  bool decided_by_kind(PointResult& kept, PointResult& other, const std::filesystem::path& file) {
    if (says_nothing(other) && !says_nothing(kept)) return true;
    if (!says_nothing(kept)) return false;
    // Of two failures of the machine the choice must not depend on which was read first.
    if (!says_nothing(other) || result_text(other) < result_text(kept)) {
      kept = std::move(other);
      file_of_[&kept] = &file;
    }
    return true;
  }

  void compare(const std::string& id, const PointResult& kept, const PointResult& other,
               const std::filesystem::path& file) {
    if (result_text(kept) == result_text(other)) return;
    read_.conflicts.push_back({.id = id, .first = *file_of_[&kept], .second = file});
  }

  ReadResults& read_;
  // Nodes of a map stay where they are.
  std::unordered_map<const PointResult*, const std::filesystem::path*> file_of_{};
};

}  // namespace

ReadResults read_results(const std::filesystem::path& folder, const std::string& beginning) {
  ReadResults read;
  ResultsByPoint results(read);
  std::vector<Complaint> complaints;
  std::vector<std::filesystem::path> files = result_files(folder);
  std::erase_if(files, [&](const auto& file) { return !file.filename().string().starts_with(beginning); });
  for (const std::filesystem::path& file : files) {
    const int error = read_lines(file, longest_result_line, [&](std::string_view line, bool whole) {
      if (whole && line.empty()) return;
      ++read.lines;
      std::optional<IdentifiedResult> found = whole ? parse_result_line(line) : std::nullopt;
      if (found)
        results.take(std::move(*found), file);
      else
        ++read.torn;
    });
    if (error != 0) complaints.push_back(not_read(file, error));
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
  read.files = files.size();
  return read;
}

bool is_of_machine(const std::string& failure) {
  return failure == "out of time" || failure == "out of memory" || failure == killed_kind;
}

}  // namespace saturn
