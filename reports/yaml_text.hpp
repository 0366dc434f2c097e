#pragma once

#include <string>

namespace saturn {

/// A text as a YAML scalar in double quotes, on one line, whatever characters it holds; JSON reads it too.
/// @param text  valid UTF-8
/// Source  YAML 1.2.2, sections 5.1 (printable characters) and 7.3.1 (double quotes)
std::string yaml_text(const std::string& text);

/// Lines of comments, each "# ..." within 110 characters where words allow it. Characters that would end a line in YAML
/// or cannot be printed become spaces.
/// @param indent  spaces before each line
std::string yaml_comment(const std::string& text, std::size_t indent = 0);

}  // namespace saturn
