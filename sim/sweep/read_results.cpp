#include <algorithm>
#include <cerrno>
#include <unordered_map>

#include "sim/sweep/file_bytes.hpp"
#include "sim/sweep/folder_errors.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"

namespace saturn {

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

ReadResults read_results(const std::filesystem::path& folder) {
  ReadResults read;
  ResultsByPoint results(read);
  std::vector<Complaint> complaints;
  const std::vector<std::filesystem::path> files = result_files(folder);
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

}  // namespace saturn
