#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/measured_file.hpp"

namespace saturn {

/// Gathers what could not be used of one text. After a hundred complaints it only counts, since a large file of another
/// kind would fill the memory with them.
class LeftOutLines {
 public:
  explicit LeftOutLines(std::string path) : path_(std::move(path)) {}

  /// @param line  from 1; 0 when the complaint is about the whole text
  void add(std::size_t line, const std::string& code, const std::string& text, std::string_view excerpt = {});

  /// Hands the complaints to the file.
  /// @param used  something of the text was used
  /// @throws InputError  nothing was: `code` and `text`, then all complaints
  void hand_over(MeasuredFile& file, bool used, const std::string& code, const std::string& text);

 private:
  std::string path_;
  std::vector<Complaint> complaints_;
  std::size_t more_ = 0;
};

/// Goes through a text line by line; lines end with LF or CRLF. Lines of nothing but white space are passed over.
class LineWalk {
 public:
  explicit LineWalk(std::string_view text) : rest_(text) {}

  /// Goes on to the next line. @returns false behind the last one
  bool next();

  std::size_t line() const { return line_; }       ///< from 1
  std::string_view text() const { return text_; }  ///< without its end
  bool ended() const { return ended_; }            ///< a line feed stands behind it
  std::string_view rest() const { return rest_; }  ///< what follows the line

 private:
  std::string_view rest_;
  std::string_view text_{};
  std::size_t line_ = 0;
  bool ended_ = false;
};

/// A name of a column as it is compared: small letters, no margins, one blank where there are several.
std::string column_key(std::string_view name);

/// The whole text as a decimal number, such as "12", " 0.5" or "1e+06"; absent when it is anything else, or nothing
/// that a measurement can give (is_measurable(), but for the sign).
std::optional<double> plain_number(std::string_view text);

// What the readers of measured texts share: lines with their numbers, numbers read strictly, complaints with their
// place.

/// A line of a text, without its end.
struct ImportedLine {
  std::size_t number = 0;  ///< from 1
  std::string_view text{};
};

/// The lines of a text, those of nothing but blanks left out. LF and CRLF end a line.
std::vector<ImportedLine> lines_to_import(std::string_view text);

/// The first million bytes: what a text is recognised by, however long it is.
std::string_view beginning_of(std::string_view text);

/// Whether a part stands somewhere in a text.
bool holds(std::string_view text, std::string_view part);

/// The words between blanks and tabs.
std::vector<std::string_view> words_of_line(std::string_view line);

/// A decimal number that is the whole text: "12", "-1.5", ".5", "+1e-3"; nothing for hexadecimal, nan, inf or what is
/// beyond a double.
std::optional<double> imported_number(std::string_view text);

/// A whole number that is the whole text, 0 to 10^15.
std::optional<std::size_t> imported_count(std::string_view text);

/// The whole number that a text begins with, 0 to 10^15; `text` goes on behind it.
std::optional<std::size_t> take_count(std::string_view& text);

/// True for a figure that a measurement can give: 0, or 10^-15 to 10^15, in whatever unit.
bool is_measurable(double value);

/// The text with a question mark for every byte that is not part of valid UTF-8.
std::string valid_utf8(std::string text);

/// Complaints about one file, for its list `left_out`.
class ImportComplaints {
 public:
  /// The file has to outlive this.
  ImportComplaints(const std::string& path, MeasuredFile& file) : path_(path), file_(file) {}

  const std::string& path() const { return path_; }
  FoundAt at(const ImportedLine& line) const { return {.file = path_, .line = line.number}; }
  /// Adds a complaint about a line. @param column  from 1 [byte]; the line's excerpt is shown
  void leave_out(const ImportedLine& line, std::size_t column, const std::string& code, const std::string& text);
  /// Adds a complaint about the file as a whole.
  void leave_out(const std::string& code, const std::string& text) { leave_out({}, 0, code, text); }
  /// Adds a complaint that was made elsewhere. After 50 only their number is kept.
  void leave_out(Complaint complaint);
  /// True when further complaints are only counted, so that their excerpts need no effort.
  bool full() const { return file_.left_out.size() >= most_kept; }
  /// Ends the import: throws the complaints so far and this one.
  [[noreturn]] void refuse(const std::string& code, const std::string& text) const;

 private:
  static constexpr std::size_t most_kept = 50;

  const std::string& path_;
  MeasuredFile& file_;
  std::size_t more_ = 0;  ///< beyond those kept
};

/// A complaint with the line's excerpt.
Complaint complaint_at_line(const std::string& path, const ImportedLine& line, std::size_t column,
                            const std::string& code, const std::string& text);

/// Names in quotes, "and" before the last: `"a", "b" and "c"`; the tail is cut after 20 names.
std::string named_all(const std::vector<std::string>& names);

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

  const CsvColumns& columns() const { return columns_; }
  const CsvLine& line() const { return line_; }
  void complain(const std::string& code, const std::string& text) const;

 private:
  const CsvColumns& columns_;
  const CsvLine& line_;
  LeftOutLines& complaints_;
};

}  // namespace saturn
