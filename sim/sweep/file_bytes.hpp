#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

/// Bytes to and from files, with the system's error numbers.
namespace saturn {

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

}  // namespace saturn
