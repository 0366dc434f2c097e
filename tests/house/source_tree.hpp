#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saturn::house {

/// One file of the project, read whole.
struct SourceFile {
  std::string path;  ///< relative to the root, with "/"
  std::vector<std::string> lines;
};

/// The project's root.
std::filesystem::path root();

/// All files below the folders whose names end in one of the endings, sorted by path.
std::vector<SourceFile> read_tree(const std::vector<std::string>& folders, const std::vector<std::string>& endings);

/// One file of the project; without lines where there is none. @param path  relative to the root
SourceFile read_source(const std::string& path);

/// What a line of Markdown has between back-ticks, in its order.
std::vector<std::string> back_ticked(const std::string& line);

/// All C++ files of the project.
std::vector<SourceFile> cpp_files();

}  // namespace saturn::house
