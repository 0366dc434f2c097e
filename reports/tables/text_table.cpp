#include "reports/tables/text_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr std::size_t least_wrapped_width = 30;
const std::string indent = "  ";
const std::string gap = "  ";

}  // namespace

std::string heading(const std::string& text, TextStyle style) {
  return style.colour ? "\033[1m" + text + "\033[0m\n" : text + "\n";
}

std::string markdown_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    // A line break would end a row of a table, or an item of a list.
    if (static_cast<unsigned char>(c) < 0x20U) {
      escaped += ' ';
      continue;
    }
    if (std::string_view("\\`*<>[]|").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) throw std::invalid_argument("a table row needs one cell a column");
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(TextStyle style, std::size_t width) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t widest = width_of(columns_[c].heading);
    for (const auto& row : rows_) widest = std::max(widest, width_of(row[c]));
    widths.push_back(widest);
  }

  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line = indent;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const bool right = columns_[c].align == Align::right;
      if (c > 0) line += gap;
      line += right ? right_aligned(cells[c], widths[c]) : left_aligned(cells[c], widths[c]);
    }
    return std::string(trimmed_end(line));
  };

  std::size_t before_last = indent.size();
  for (std::size_t c = 0; c + 1 < widths.size(); ++c) before_last += widths[c] + gap.size();
  const bool wraps = !columns_.empty() && columns_.back().align == Align::left;
  const std::size_t room =
      std::max(least_wrapped_width, width > before_last ? width - before_last : least_wrapped_width);

  std::string result;
  const bool has_headings =
      std::any_of(columns_.begin(), columns_.end(), [](const Column& column) { return !column.heading.empty(); });
  if (has_headings) {
    std::vector<std::string> names;
    for (const auto& column : columns_) names.push_back(column.heading);
    const std::string line = line_of(names);
    result += style.colour ? "\033[2m" + line + "\033[0m\n" : line + "\n";
  }
  for (const auto& row : rows_) {
    std::vector<std::string> cells = row;
    std::vector<std::string> pieces;
    if (wraps) {
      pieces = wrapped(cells.back(), room);
      cells.back() = pieces.front();
    }
    result += line_of(cells) + "\n";
    for (std::size_t i = 1; i < pieces.size(); ++i) result += std::string(before_last, ' ') + pieces[i] + "\n";
  }
  return result;
}

std::string TextTable::markdown() const {
  const auto line_of = [](const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += " " + markdown_text(cell) + " |";
    return line + "\n";
  };
  std::vector<std::string> names;
  std::string rule = "|";
  for (const Column& column : columns_) {
    names.push_back(column.heading);
    rule += column.align == Align::right ? "---:|" : "---|";
  }
  std::string result = line_of(names) + rule + "\n";
  for (const auto& row : rows_) result += line_of(row);
  return result;
}

}  // namespace saturn
