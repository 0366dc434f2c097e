#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saturn {

/// An empty folder that goes when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// Writes a file into the folder and returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// Names of all files in the folder and below, sorted.
  std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

/// Writes a new file in the place of any other, and makes the folders above it.
void write_text(const std::filesystem::path& path, const std::string& text);

std::string text_of_file(const std::filesystem::path& path);

}  // namespace saturn
