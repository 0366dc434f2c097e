#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/measured_file.hpp"

/// What the readers of measured texts share: lines with their numbers, numbers read strictly, complaints with their
/// place.
namespace saturn {

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

}  // namespace saturn
