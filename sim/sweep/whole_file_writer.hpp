#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace saturn {

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

/// Asks the system to bring a folder's names to the disk. Where it cannot, nothing is lost but the promise.
void flush_names(const std::filesystem::path& folder);

}  // namespace saturn
