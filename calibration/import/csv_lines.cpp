#include "calibration/import/csv_lines.hpp"

#include <algorithm>

#include "calibration/import/line_walk.hpp"
#include "models/words/texts.hpp"

namespace saturn {

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
