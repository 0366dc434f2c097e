#include "sim/sweep/merge_folders.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "models/words/texts.hpp"
#include "sim/sweep/points_csv.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/whole_files.hpp"

namespace saturn {

/// Copies the result files of other folders into results/ of a sweep's folder, under names of their own, but for those
/// whose bytes are there already.
/// @returns how many files were copied
/// @throws InputError  as merge_folders()
std::uint64_t copy_results(const std::filesystem::path& folder, std::span<const std::filesystem::path> others);

namespace {

namespace fs = std::filesystem;

constexpr std::size_t bytes_a_piece = std::size_t{1} << 20U;

// Calls `use` with the pieces of a file, for as long as it returns true.
template <class Use>
void read_pieces(const fs::path& path, const Use& use) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::string piece(bytes_a_piece, '\0');
  while (file) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    if (count > 0 && !use(std::string_view(piece).substr(0, count))) return;
  }
  if (file.bad() || !file.eof()) throw InputError({not_read(path, errno != 0 ? errno : EIO)});
}

bool same_bytes(const fs::path& a, const fs::path& b) {
  std::ifstream other(b, std::ios::binary);
  std::string beside(bytes_a_piece, '\0');
  bool same = true;
  read_pieces(a, [&](std::string_view piece) {
    other.read(beside.data(), static_cast<std::streamsize>(piece.size()));
    same = static_cast<std::size_t>(other.gcount()) == piece.size() &&
           std::string_view(beside).substr(0, piece.size()) == piece;
    return same;
  });
  return same && other.peek() == std::ifstream::traits_type::eof();
}

// The name is taken with an empty file first, which is no result; then the whole copy takes its place.
fs::path copy_under_new_name(const fs::path& from, const fs::path& results) {
  const NewFile taken = make_new_file(results, from.stem().string(), ".jsonl");
  if (taken.number < 0) throw InputError({not_written(taken.path, taken.error)});
  const OpenFile closed_at_end(taken.number);
  try {
    WholeFileWriter copy(taken.path);
    read_pieces(from, [&](std::string_view piece) {
      copy.write(piece);
      return true;
    });
    copy.put_in_place();
  } catch (...) {
    ::unlink(taken.path.c_str());
    throw;
  }
  return taken.path;
}

class FilesBySize {
 public:
  void add(const fs::path& file) { files_.emplace(size_of(file), file); }

  bool has(const fs::path& file) const {
    const std::uint64_t size = size_of(file);
    const auto [first, last] = files_.equal_range(size);
    return size == 0 || std::any_of(first, last, [&](const auto& known) { return same_bytes(known.second, file); });
  }

 private:
  static std::uint64_t size_of(const fs::path& file) {
    std::error_code failed;
    const std::uint64_t size = fs::file_size(file, failed);
    if (failed) throw InputError({not_read(file, failed.value())});
    return size;
  }

  std::multimap<std::uint64_t, fs::path> files_{};
};

void refuse_folders_without_results(std::span<const fs::path> folders) {
  std::vector<Complaint> complaints;
  for (const fs::path& folder : folders) {
    std::error_code failed;
    if (fs::is_directory(folder / "results", failed) || !result_files(folder).empty()) continue;
    complaints.push_back(
        {.source = folder.string(),
         .code = "sweep.not_a_sweep_folder",
         .text =
             fs::is_directory(folder, failed)
                 ? "There are no results in this folder. Name a folder in which a sweep or one of its shards worked."
                 : "There is no such folder. Name a folder in which a sweep or one of its shards worked."});
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

}  // namespace

std::uint64_t copy_results(const fs::path& folder, std::span<const fs::path> others) {
  refuse_folders_without_results(others);
  if (others.empty()) return 0;
  const fs::path results = made_results_folder(folder);
  FilesBySize known;
  for (const fs::path& file : result_files(folder)) known.add(file);
  std::uint64_t copied = 0;
  for (const fs::path& other : others) {
    for (const fs::path& file : result_files(other)) {
      if (known.has(file)) continue;
      known.add(copy_under_new_name(file, results));
      ++copied;
    }
  }
  return copied;
}

namespace {

std::uint64_t results_without_point(const SweepPlan& plan, const ReadResults& results) {
  std::set<std::string_view> planned;
  for (const PlannedPoint& point : plan.points) planned.insert(point.id);
  std::uint64_t count = 0;
  for (const auto& [id, result] : results.by_id) count += planned.contains(id) ? 0U : 1U;
  return count;
}

}  // namespace

PointCounts point_counts(const SweepTable& table) {
  PointCounts counts;
  for (const SweepRow& row : table.rows) {
    switch (row.result.status) {
      case PointStatus::missing:
        ++counts.missing;
        break;
      case PointStatus::answered:
        ++counts.answered;
        break;
      case PointStatus::imprecise:
        ++counts.imprecise;
        break;
      case PointStatus::failed:
        ++counts.failed;
        break;
    }
  }
  return counts;
}

std::string missing_points(const SweepTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].result.status != PointStatus::missing) continue;
    const std::size_t first = i;
    while (i + 1 < table.rows.size() && table.rows[i + 1].result.status == PointStatus::missing) ++i;
    append_part(text, std::to_string(table.rows[first].number));
    if (i > first) text += "-" + std::to_string(table.rows[i].number);
  }
  return text;
}

MergedFolders merge_folders(const std::filesystem::path& folder, std::span<const std::filesystem::path> folders) {
  const SweepPlan plan = read_plan(folder);
  MergedFolders merged;
  merged.copied = copy_results(folder, folders);
  ReadResults results = read_results(folder);
  merged.files = results.files;
  merged.torn = results.torn;
  merged.conflicts = std::move(results.conflicts);
  merged.unasked = results_without_point(plan, results);
  merged.table = sweep_table(plan, std::move(results));
  merged.counts = point_counts(merged.table);
  merged.missing = missing_points(merged.table);
  return merged;
}

}  // namespace saturn
