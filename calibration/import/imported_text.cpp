#include "calibration/import/imported_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/document.hpp"

namespace saturn {

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
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
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

}  // namespace saturn
