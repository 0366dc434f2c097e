#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "scenarios/document/complaints.hpp"

namespace saturn {

// Bytes to and from files, with the system's error numbers.

/// An open file that is closed at the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

/// How far a write came.
struct WrittenBytes {
  std::size_t count = 0;
  int error = 0;  ///< errno; 0: all bytes are written
};

/// Writes bytes where the file stands. A limit of file sizes is an error here (EFBIG), not the signal that ends a
/// process.
WrittenBytes write_bytes(int file, std::string_view bytes);

/// A new file, with a number before its ending where the name is taken: "a.jsonl", "a.2.jsonl".
struct NewFile {
  int number = -1;  ///< open for appending; -1: it could not be made
  std::filesystem::path path{};
  int error = 0;
};

/// Makes a file that no other process has, on this machine or on another that shares the folder.
NewFile make_new_file(const std::filesystem::path& folder, const std::string& stem, const std::string& ending);

/// Takes a line without its newline.
/// @param whole  false: the line was too long, and is not given
using UseLine = std::function<void(std::string_view line, bool whole)>;

/// Reads a regular file line by line; the last line may lack its newline.
/// @param longest  lines with more bytes are not kept
/// @returns errno; 0 when the file was read to its end
int read_lines(const std::filesystem::path& path, std::size_t longest, const UseLine& use);

/// Writes a file piece by piece that takes its place whole, or not at all: what stood there before stays until then.
/// A process that is killed leaves a file "*.partial" beside it, which nobody reads.
class WholeFileWriter {
 public:
  /// @throws InputError  sweep.not_writable, sweep.disk_full
  explicit WholeFileWriter(std::filesystem::path path);
  ~WholeFileWriter();
  WholeFileWriter(const WholeFileWriter&) = delete;
  WholeFileWriter& operator=(const WholeFileWriter&) = delete;

  /// @throws InputError  sweep.not_writable, sweep.disk_full
  void write(std::string_view text);

  /// Brings everything to the disk, then puts the file in its place.
  /// @throws InputError  sweep.not_writable, sweep.disk_full
  void put_in_place();

 private:
  void write_out();
  [[noreturn]] void refuse(int error) const;

  std::filesystem::path path_;
  std::filesystem::path partial_{};
  int file_ = -1;
  std::string waiting_{};
};

/// Writes a file whole or not at all.
/// @throws InputError  sweep.not_writable, sweep.disk_full
void replace_file(const std::filesystem::path& path, const std::string& text);

/// Asks the system to bring a folder's names to the disk. Where it cannot, nothing is lost but the promise.
void flush_names(const std::filesystem::path& folder);

// What the system says about a sweep's files, as complaints with a way out.

/// @param error  errno of what failed
/// @returns sweep.disk_full where there is no room (disk, quota, limit of a file's size), else sweep.not_writable
Complaint not_written(const std::filesystem::path& path, int error);

/// @returns sweep.not_readable
Complaint not_read(const std::filesystem::path& path, int error);

}  // namespace saturn
