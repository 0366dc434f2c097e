#include "calibration/import/imported_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/document.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_complaints = 100;
constexpr std::size_t longest_excerpt = 300;

}  // namespace

void LeftOutLines::add(std::size_t line, const std::string& code, const std::string& text, std::string_view excerpt) {
  if (complaints_.size() == most_complaints) {
    ++more_;
    return;
  }
  complaints_.push_back({.source = path_,
                         .line = line,
                         .code = code,
                         .text = text,
                         .excerpt = std::string(excerpt.substr(0, longest_excerpt))});
}

void LeftOutLines::hand_over(MeasuredFile& file, bool used, const std::string& code, const std::string& text) {
  if (more_ > 0) {
    complaints_.push_back({.source = path_,
                           .code = "import.more_left_out",
                           .text = std::to_string(more_) + " more complaints like these are not listed."});
    more_ = 0;
  }
  if (!used) {
    complaints_.insert(complaints_.begin(), {.source = path_, .code = code, .text = text});
    throw InputError(complaints_);
  }
  std::move(complaints_.begin(), complaints_.end(), std::back_inserter(file.left_out));
  complaints_.clear();
}

bool LineWalk::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    ended_ = end != std::string_view::npos;
    text_ = rest_.substr(0, end);
    rest_.remove_prefix(ended_ ? end + 1 : rest_.size());
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    ++line_;
    if (text_.find_first_not_of(white_space) != std::string_view::npos) return true;
  }
  return false;
}

std::string column_key(std::string_view name) {
  std::string key;
  for (const char c : trimmed(name)) {
    if (white_space.find(c) != std::string_view::npos) {
      if (!key.ends_with(' ')) key += ' ';
    } else {
      key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return key;
}

std::optional<double> plain_number(std::string_view text) {
  const std::optional<double> value = read_number(trimmed(text));
  return value && is_measurable(std::abs(*value)) ? value : std::nullopt;
}

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::size_t largest_count = 1'000'000'000'000'000;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

std::vector<ImportedLine> lines_to_import(std::string_view text) {
  std::vector<ImportedLine> lines;
  std::size_t begin = 0;
  for (std::size_t number = 1; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!trimmed(line, blanks).empty()) lines.push_back({.number = number, .text = line});
    begin = end + 1;
  }
  return lines;
}

std::string_view beginning_of(std::string_view text) {
  constexpr std::size_t looked_at = 1'000'000;
  return text.substr(0, looked_at);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
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

std::optional<double> imported_number(std::string_view text) {
  // from_chars takes no plus sign, and takes "inf" and "nan".
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  const std::string_view unsigned_part = text.starts_with('-') ? text.substr(1) : text;
  if (unsigned_part.empty() || (!is_digit(unsigned_part.front()) && unsigned_part.front() != '.')) return std::nullopt;
  return read_number(text);
}

std::optional<std::size_t> take_count(std::string_view& text) {
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

Complaint complaint_at_line(const std::string& path, const ImportedLine& line, std::size_t column,
                            const std::string& code, const std::string& text) {
  constexpr std::size_t longest_excerpt = 400;
  Complaint complaint{.source = path, .code = code, .text = text};
  if (line.number == 0) return complaint;
  complaint.line = line.number;
  complaint.column = std::min(std::max<std::size_t>(column, 1), longest_excerpt);
  complaint.excerpt = std::string(line.text.substr(0, longest_excerpt));
  return complaint;
}

void ImportComplaints::leave_out(const ImportedLine& line, std::size_t column, const std::string& code,
                                 const std::string& text) {
  leave_out(complaint_at_line(path_, line, column, code, text));
}

void ImportComplaints::leave_out(Complaint complaint) {
  if (file_.left_out.size() < most_kept) {
    file_.left_out.push_back(std::move(complaint));
    return;
  }
  if (++more_ == 1) file_.left_out.push_back({.source = path_, .code = "import.more_complaints"});
  file_.left_out.back().text = "And " + std::to_string(more_) + " more; correct these first and import the file again.";
}

void ImportComplaints::refuse(const std::string& code, const std::string& text) const {
  std::vector<Complaint> all{{.source = path_, .code = code, .text = text}};
  all.insert(all.end(), file_.left_out.begin(), file_.left_out.end());
  throw InputError(std::move(all));
}

std::string named_all(const std::vector<std::string>& names) {
  return joined_and(texts_of(names, [](const std::string& name) { return shown(name); }), 20);
}

namespace {

constexpr std::size_t most_cells = 1000;

// Takes a quoted cell away from the front of the text, closing quote included.
bool take_quoted(std::string_view& text, std::string& cell) {
  text.remove_prefix(1);
  while (!text.empty()) {
    const char c = text.front();
    text.remove_prefix(1);
    if (c != '"') {
      cell += c;
    } else if (text.starts_with('"')) {
      cell += '"';
      text.remove_prefix(1);
    } else {
      return true;
    }
  }
  return false;
}

std::string shown_cell(std::string_view cell) {
  return "\"" + std::string(cell.substr(0, 40)) + (cell.size() > 40 ? "..." : "") + "\"";
}

}  // namespace

CsvLine csv_line(std::string_view text, std::size_t line) {
  CsvLine result{.line = line, .text = text};
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::string cell;
    if (text.starts_with('"') && !take_quoted(text, cell)) {
      result.fault = "a quote is not closed";
      return result;
    }
    const std::size_t end = std::min(text.find(','), text.size());
    cell += text.substr(0, end);
    result.cells.emplace_back(trimmed(cell));
    if (end == text.size()) return result;
    if (result.cells.size() == most_cells) {
      result.fault = "it has more than " + std::to_string(most_cells) + " cells";
      return result;
    }
    text.remove_prefix(end + 1);
  }
}

bool has_number(const CsvLine& line) {
  return std::any_of(line.cells.begin(), line.cells.end(),
                     [](const std::string& cell) { return plain_number(cell).has_value(); });
}

CsvColumns::CsvColumns(const CsvLine& header) : names_(header.cells) {
  for (std::size_t k = 0; k < names_.size(); ++k) by_name_.emplace(column_key(names_[k]), k);
  count_ = names_.size();
  // A comma behind the last name makes no column.
  while (count_ > 0 && names_[count_ - 1].empty()) --count_;
}

std::optional<std::size_t> CsvColumns::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return std::nullopt;
  return found->second;
}

bool CsvRow::whole() const {
  const auto filled = [&] {
    std::size_t cells = line_.cells.size();
    while (cells > columns_.count() && line_.cells[cells - 1].empty()) --cells;
    return cells;
  };
  std::string fault = line_.fault;
  if (fault.empty() && filled() != columns_.count()) {
    fault = "it has " + counted_noun(line_.cells.size(), "cell") + ", its header " + std::to_string(columns_.count());
  }
  if (fault.empty()) return true;
  complain("import.torn_line", "The line is left out: " + fault + "; write the row anew or measure it again.");
  return false;
}

std::string CsvRow::cell(std::string_view column) const {
  const auto at = columns_.find(column);
  return at && *at < line_.cells.size() ? line_.cells[*at] : "";
}

std::optional<double> CsvRow::number(std::string_view column) const {
  const auto at = columns_.find(column);
  if (!at || cell(column).empty()) return std::nullopt;
  const auto value = plain_number(cell(column));
  if (value && *value >= 0.0) return value;
  complain("import.bad_number", columns_.name(*at) + " is " + shown_cell(cell(column)) +
                                    "; it has to be a number of at least 0. The value is left out.");
  return std::nullopt;
}

std::optional<double> CsvRow::needed(std::string_view column, const std::string& why) const {
  const auto value = plain_number(cell(column));
  if (value && *value > 0.0) return value;
  const auto at = columns_.find(column);
  const std::string name = at ? columns_.name(*at) : std::string(column);
  complain("import.unusable_line", "The line is left out: " + name + " is " + shown_cell(cell(column)) + "; " +
                                       (value && *value == 0.0 ? why : "it has to be a number above 0."));
  return std::nullopt;
}

void CsvRow::complain(const std::string& code, const std::string& text) const {
  complaints_.add(line_.line, code, text, line_.text);
}

}  // namespace saturn
