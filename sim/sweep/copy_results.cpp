#include "sim/sweep/copy_results.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "sim/sweep/file_bytes.hpp"
#include "sim/sweep/folder_errors.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/whole_file_writer.hpp"

namespace saturn {

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
    const auto [first, last] = files_.equal_range(size_of(file));
    return std::any_of(first, last, [&](const auto& known) { return same_bytes(known.second, file); });
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

}  // namespace saturn
