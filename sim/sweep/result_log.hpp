#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "models/sweep_table.hpp"

/// results/*.jsonl: one append-only file a worker and attempt, one line a point, each line with a check of its own.
namespace saturn {

/// One line of a result file, with its newline: id, result, and the first characters of their SHA-256.
std::string result_line(const std::string& id, const PointResult& result);

/// A line that was read back.
struct IdentifiedResult {
  std::string id{};
  PointResult result{};
};

/// @param line  without its newline
/// @returns nothing where the line is torn, or its check does not fit
std::optional<IdentifiedResult> parse_result_line(std::string_view line);

/// Appends results to a file of its own. A line is written at once and whole; where that fails it is taken back.
class ResultLog {
 public:
  /// Creates results/<name>.jsonl, or with a number behind the name where that exists: no two writers ever share a
  /// file, on one machine or on many.
  /// @param name  of shard and worker: "worker-1", "shard-0003-of-0008.worker-2"
  /// @throws InputError  sweep.not_writable, sweep.disk_full
  ResultLog(const std::filesystem::path& folder, const std::string& name);
  ~ResultLog();
  ResultLog(const ResultLog&) = delete;
  ResultLog& operator=(const ResultLog&) = delete;

  /// @throws InputError  sweep.disk_full, sweep.not_writable; the file then holds what it held before
  void append(const std::string& id, const PointResult& result);

  /// Asks the system to bring what was written to the disk.
  void flush_to_disk();

 private:
  int file_ = -1;
  std::filesystem::path path_{};
};

/// Two results of one id that are not the same: two versions of the program, or a broken machine, wrote them.
struct ResultConflict {
  std::string id{};
  std::filesystem::path first{};
  std::filesystem::path second{};
};

/// Everything that a sweep's result files hold.
struct ReadResults {
  std::map<std::string, PointResult> by_id{};  ///< an answer replaces a failure that the machine caused
  std::uint64_t files = 0;
  std::uint64_t lines = 0;
  std::uint64_t torn = 0;  ///< lines that were dropped
  std::vector<ResultConflict> conflicts{};
};

/// Reads results/*.jsonl of the folder and of its subfolders (shards that brought their own). Files that are not there
/// are no results. Cost: linear in the bytes; nothing is kept but the results
ReadResults read_results(const std::filesystem::path& folder);

}  // namespace saturn
