#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

// Pieces of JSON lines, the same bytes wherever they are written.

/// Adds a text with its quotes. What is no UTF-8 becomes U+FFFD.
void add_json_text(std::string& line, const std::string& text);

/// Adds the shortest decimal number that reads back as the same double.
/// @param what  whose number it is, for the message
/// @throws std::logic_error  the value is not finite
void add_json_number(std::string& line, double value, std::string_view what);

/// The same, or "null".
void add_json_number(std::string& line, const std::optional<double>& value, std::string_view what);

// results/*.jsonl: one append-only file a worker and attempt, one line a point, each line with a check of its own.

/// Bytes of the longest line of a result file. Longer ones are neither written nor read.
inline constexpr std::size_t longest_result_line = std::size_t{4} << 20U;

/// A result as JSON without blanks, numbers as short as they read back the same. Equal results have equal texts.
/// @throws std::logic_error  no result (missing, an imprecise answer that calls itself precise, a failure without its
///                           kind, or with an answer), or a number that is not finite
std::string result_text(const PointResult& result);

/// One line of a result file, with its newline: {"id":"…","result":{…},"check":"…"}. The check is the first 16
/// characters of the SHA-256, in hexadecimal, of the line's bytes before `,"check"`.
/// @throws std::logic_error  as result_text(); a line longer than longest_result_line
std::string result_line(const std::string& id, const PointResult& result);

/// A line that was read back.
struct IdentifiedResult {
  std::string id{};
  PointResult result{};
};

/// @param line  without its newline; any bytes
/// @returns nothing where the line is torn, or its check does not fit
std::optional<IdentifiedResult> parse_result_line(std::string_view line);

/// Makes results/ in a sweep's folder where it is not there, and the folder with it.
/// @throws InputError  sweep.not_writable, sweep.disk_full
std::filesystem::path made_results_folder(const std::filesystem::path& folder);

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

  /// Asks the system to bring what was written to the disk. Network file systems may say only here that there was no
  /// room.
  /// @throws InputError  sweep.disk_full, sweep.not_writable
  void flush_to_disk();

 private:
  void take_back(std::size_t count);

  int file_ = -1;
  std::filesystem::path path_{};
  std::uint64_t size_ = 0;
  bool ends_with_newline_ = true;
};

/// The result files of a sweep's folder, sorted by path: all *.jsonl below results/, and below the results/ of folders
/// that stand in it. A file that has several names is there once, by its first one.
/// @throws InputError  sweep.not_readable
std::vector<std::filesystem::path> result_files(const std::filesystem::path& folder);

/// Two results of one id that are not the same: two versions of the program, or a broken machine, wrote them. Failures
/// that the machine caused conflict with nothing.
struct ResultConflict {
  std::string id{};
  std::filesystem::path first{};
  std::filesystem::path second{};
};

/// Everything that a sweep's result files hold.
struct ReadResults {
  /// The first result in order of files and lines. One that says something of the point replaces a failure that the
  /// machine caused; of two of those the one whose text is less is kept.
  std::map<std::string, PointResult> by_id{};
  std::uint64_t files = 0;
  std::uint64_t lines = 0;  ///< torn ones included, empty ones not
  std::uint64_t torn = 0;   ///< lines that were dropped
  std::vector<ResultConflict> conflicts{};
};

/// Reads the folder's result files (those of result_files()). Files that are not there are no results. Where there are
/// no conflicts, what is read does not depend on the order of files and lines.
/// Cost: linear in the bytes; nothing is kept but the results
/// @throws InputError  sweep.not_readable, for every file that cannot be read
/// @param beginning  of the names of files that are read; empty: all
ReadResults read_results(const std::filesystem::path& folder, const std::string& beginning = "");

}  // namespace saturn
