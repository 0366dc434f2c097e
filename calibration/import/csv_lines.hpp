#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/left_out_lines.hpp"

namespace saturn {

/// One line of comma-separated values.
struct CsvLine {
  std::size_t line = 0;
  std::string_view text{};
  std::vector<std::string> cells{};  ///< without quotes and margins
  std::string fault{};               ///< why the line is no row: "a quote is not closed"; empty: it is one
};

/// Cuts a line at its commas. A quoted cell may hold commas and doubled quotes; it ends with its line. At most a
/// thousand cells are read.
CsvLine csv_line(std::string_view text, std::size_t line);

/// True when a cell is a number, as no cell of a header is.
bool has_number(const CsvLine& line);

/// A header stands within so many lines; what comes later is no reason to take a file for a table.
inline constexpr std::size_t header_within_lines = 1000;

/// Which column has which name; of equal names the first. Names are compared by column_key.
class CsvColumns {
 public:
  CsvColumns() = default;
  explicit CsvColumns(const CsvLine& header);

  std::optional<std::size_t> find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name).has_value(); }
  std::size_t count() const { return count_; }
  const std::string& name(std::size_t column) const { return names_.at(column); }  ///< as the file writes it

 private:
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::vector<std::string> names_;
  std::size_t count_ = 0;
};

/// One row under its header; complaints name the line, the column and what was found.
class CsvRow {
 public:
  CsvRow(const CsvColumns& columns, const CsvLine& line, LeftOutLines& complaints)
      : columns_(columns), line_(line), complaints_(complaints) {}

  /// The row has the cells that its header has; else it is complained about as torn. Empty cells may be too many.
  bool whole() const;

  /// A cell's text, empty where there is no such column.
  std::string cell(std::string_view column) const;

  /// A number >= 0. Absent without a complaint where there is no such column or the cell is empty; absent with one
  /// where it is anything but such a number.
  std::optional<double> number(std::string_view column) const;

  /// A number > 0 without which the row is of no use: anything else is complained about. `why` ends the sentence about
  /// a zero.
  std::optional<double> needed(std::string_view column, const std::string& why) const;

  const CsvLine& line() const { return line_; }
  void complain(const std::string& code, const std::string& text) const;

 private:
  const CsvColumns& columns_;
  const CsvLine& line_;
  LeftOutLines& complaints_;
};

}  // namespace saturn
