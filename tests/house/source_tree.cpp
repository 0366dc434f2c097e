#include "tests/house/source_tree.hpp"

#include <algorithm>
#include <fstream>

namespace saturn::house {

namespace fs = std::filesystem;

fs::path root() {
  return SATURN_SOURCE_FOLDER;
}

std::vector<SourceFile> read_tree(const std::vector<std::string>& folders, const std::vector<std::string>& endings) {
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    if (!fs::exists(root() / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
      const std::string ending = entry.path().extension().string();
      if (!entry.is_regular_file() || std::find(endings.begin(), endings.end(), ending) == endings.end()) continue;
      SourceFile file{.path = fs::relative(entry.path(), root()).generic_string(), .lines = {}};
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
      files.push_back(std::move(file));
    }
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::vector<SourceFile> cpp_files() {
  return read_tree({"models", "scenarios", "calibration", "sim", "reports", "tests", "bench"}, {".cpp", ".hpp"});
}

}  // namespace saturn::house
