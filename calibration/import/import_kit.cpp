#include "calibration/import/import_kit.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

namespace {

constexpr std::string_view blanks = " \t";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

Complaint complaint_at_line(const std::string& path, const ImportedLine& line, std::size_t column,
                            const std::string& code, const std::string& text) {
  constexpr std::size_t longest_excerpt = 400;
  return {.source = path,
          .line = line.number,
          .column = std::min(column, longest_excerpt),
          .code = code,
          .text = text,
          .excerpt = std::string(line.text.substr(0, longest_excerpt))};
}

void Import::leave_out(const ImportedLine& line, const std::string& code, const std::string& text, std::size_t column) {
  leave_out(complaint_at_line(path(), line, column, code, text));
}

void Import::leave_out(Complaint complaint) {
  if (!full()) {
    file_.left_out.push_back(std::move(complaint));
    return;
  }
  if (++more_ == 1) file_.left_out.push_back({.source = path(), .code = "import.more_left_out"});
  file_.left_out.back().text = std::to_string(more_) + " more complaints like these are not listed.";
}

void Import::refuse(const std::string& code, const std::string& text) const {
  std::vector<Complaint> all{{.source = path(), .code = code, .text = text}};
  all.insert(all.end(), file_.left_out.begin(), file_.left_out.end());
  throw InputError(std::move(all));
}

bool next_line(std::string_view& rest, ImportedLine& line) {
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    line.ended = end != std::string_view::npos;
    line.text = rest.substr(0, end);
    rest.remove_prefix(line.ended ? end + 1 : rest.size());
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    ++line.number;
    if (line.text.find_first_not_of(white_space) != std::string_view::npos) return true;
  }
  return false;
}

std::vector<ImportedLine> lines_to_import(std::string_view text) {
  std::vector<ImportedLine> lines;
  for (ImportedLine line; next_line(text, line);) lines.push_back(line);
  return lines;
}

std::string_view beginning_of(std::string_view text) {
  constexpr std::size_t looked_at = 1'000'000;
  return text.substr(0, looked_at);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool holds_one(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return holds(text, part); });
}

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t begin = line.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
  return words;
}

std::string column_key(std::string_view name) {
  std::string key;
  for (const char c : lower_case(trimmed(name))) {
    const bool blank = white_space.find(c) != std::string_view::npos;
    if (!blank || !key.ends_with(' ')) key += blank ? ' ' : c;
  }
  return key;
}

std::optional<double> imported_number(std::string_view text) {
  // from_chars takes no plus sign, and takes "inf" and "nan".
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const std::string_view unsigned_part = text.starts_with('-') ? text.substr(1) : text;
  if (unsigned_part.empty() || (!is_digit(unsigned_part.front()) && unsigned_part.front() != '.')) return std::nullopt;
  return read_number(text);
}

std::optional<double> plain_number(std::string_view text) {
  const std::optional<double> value = imported_number(trimmed(text));
  return value && is_measurable(std::abs(*value)) ? value : std::nullopt;
}

std::optional<std::size_t> take_count(std::string_view& text) {
  constexpr std::size_t largest_count = 1'000'000'000'000'000;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value > largest_count) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<std::size_t> imported_count(std::string_view text) {
  const std::optional<std::size_t> value = take_count(text);
  return text.empty() ? value : std::nullopt;
}

bool is_measurable(double value) {
  constexpr double least = 1e-15;
  constexpr double most = 1e15;
  return value == 0.0 || (value >= least && value <= most);
}

std::string valid_utf8(std::string text) {
  std::size_t begin = 0;
  for (std::size_t bad = first_invalid_utf8(text); bad != std::string_view::npos;) {
    text[begin + bad] = '?';
    begin += bad + 1;
    bad = first_invalid_utf8(std::string_view(text).substr(begin));
  }
  return text;
}

std::string named_all(const std::vector<std::string>& names) {
  return joined_and(texts_of(names, [](const std::string& name) { return shown(name); }), 20);
}

namespace {

// Takes a quoted cell away from the front of the text, closing quote included.
bool take_quoted_cell(std::string_view& text, std::string& cell) {
  text.remove_prefix(1);
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '"' && !text.starts_with('"')) return true;
    if (c == '"') text.remove_prefix(1);
    cell += c;
  }
  return false;
}

}  // namespace

bool CellLine::has_number() const {
  return std::any_of(cells.begin(), cells.end(),
                     [](const ImportedCell& cell) { return plain_number(cell.text).has_value(); });
}

CellLine cells_of(const ImportedLine& line, char separator) {
  constexpr std::size_t most_cells = 1000;
  CellLine result{.line = line};
  std::string_view text = line.text;
  while (true) {
    ImportedCell cell{.column = line.text.size() - text.size() + 1};
    // A tab may be the separator itself.
    text.remove_prefix(std::min(text.find_first_not_of(separator == '\t' ? " " : " \t"), text.size()));
    if (text.starts_with('"') && !take_quoted_cell(text, cell.text)) {
      result.fault = "a quote is not closed";
      return result;
    }
    const std::size_t end = std::min(text.find(separator), text.size());
    cell.text += text.substr(0, end);
    cell.text = trimmed(cell.text);
    result.cells.push_back(std::move(cell));
    if (end == text.size()) return result;
    if (result.cells.size() == most_cells) {
      result.fault = "it has more than " + std::to_string(most_cells) + " cells";
      return result;
    }
    text.remove_prefix(end + 1);
  }
}

}  // namespace saturn
