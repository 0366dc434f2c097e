#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace saturn {

/// How text may look where it is going: colour only on a terminal whose owner has not set NO_COLOR, pictures of blocks
/// only on a terminal that shows UTF-8.
struct TextStyle {
  bool colour = false;
  bool pictures = false;   ///< curves are drawn beside the numbers
  std::size_t width = 80;  ///< of the terminal [characters]
};

/// A line that heads a section: bold where colour is allowed, plain otherwise; ends with a newline.
std::string heading(const std::string& text, TextStyle style);

/// A text that Markdown shows as it is, in one line: characters that would format it are escaped.
std::string markdown_text(const std::string& text);

/// Columns of text, aligned by spaces alone. A left-aligned last column is broken at words so that lines stay within a
/// width.
class TextTable {
 public:
  enum class Align { left, right };
  struct Column {
    std::string heading;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns);

  /// @throws std::invalid_argument  not one cell a column
  void add_row(std::vector<std::string> cells);

  /// The heading line (left out when all headings are empty) and the rows, indented by two spaces.
  /// @param width  of a line [characters]
  std::string text(TextStyle style, std::size_t width = 110) const;
  /// The same as a table in Markdown, whatever characters the cells hold.
  std::string markdown() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace saturn
