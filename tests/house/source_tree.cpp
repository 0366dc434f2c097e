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
      files.push_back(read_source(fs::relative(entry.path(), root()).generic_string()));
    }
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

SourceFile read_source(const std::string& path) {
  SourceFile file{.path = path, .lines = {}};
  std::ifstream stream(root() / path);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  return file;
}

std::vector<std::string> back_ticked(const std::string& line) {
  std::vector<std::string> texts;
  for (std::size_t open = line.find('`'); open != std::string::npos;) {
    const std::size_t close = line.find('`', open + 1);
    if (close == std::string::npos) break;
    texts.push_back(line.substr(open + 1, close - open - 1));
    open = line.find('`', close + 1);
  }
  return texts;
}

std::vector<SourceFile> cpp_files() {
  return read_tree({"models", "scenarios", "calibration", "sim", "reports", "tests", "bench"}, {".cpp", ".hpp"});
}

}  // namespace saturn::house
