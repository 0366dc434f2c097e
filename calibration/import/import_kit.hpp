#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/import/measured_file.hpp"

/// What all importers share: a format with its recogniser and its reader, lines, words, cells and numbers of a text,
/// and complaints with their place. A format is written as tables: which titles its columns have, or which words stand
/// before its figures, in which unit, and what they become in a MeasuredFile; beside them what only it does.

namespace saturn {

/// A line of a text.
struct ImportedLine {
  std::size_t number = 0;   ///< from 1; 0 for none
  std::string_view text{};  ///< without its end, LF or CRLF
  bool ended = true;        ///< a line feed stands behind it: it may not have lost its last digits
};

/// One text that is being read: what it gives, and what of it could not be used.
class Import {
 public:
  /// Both have to outlive this. @param file  with the path that complaints name
  Import(std::string_view text, MeasuredFile& file) : text_(text), file_(file) {}

  std::string_view text() const { return text_; }
  MeasuredFile& file() { return file_; }
  const std::string& path() const { return file_.path; }
  FoundAt at(const ImportedLine& line) const { return {.file = path(), .line = line.number}; }
  void note(const std::string& text) { file_.notes.push_back(text); }

  /// Adds a complaint about a line, with its excerpt. @param column  from 1 [byte]; 0: the whole line
  void leave_out(const ImportedLine& line, const std::string& code, const std::string& text, std::size_t column = 0);
  /// Adds a complaint about the text as a whole.
  void leave_out(const std::string& code, const std::string& text) { leave_out({}, code, text); }
  /// Adds a complaint that was made elsewhere. After a hundred only their number is kept, since a large file of another
  /// kind would fill the memory with them.
  void leave_out(Complaint complaint);
  /// True when further complaints are only counted, so that their excerpts need no effort.
  bool full() const { return file_.left_out.size() >= most_kept; }
  /// Ends the import. @throws InputError  this complaint, then those so far
  [[noreturn]] void refuse(const std::string& code, const std::string& text) const;

 private:
  static constexpr std::size_t most_kept = 100;

  std::string_view text_;
  MeasuredFile& file_;
  std::size_t more_ = 0;  ///< beyond those kept
};

/// A kind of file that measurements come in.
struct ImportFormat {
  const char* name = "";        ///< "perf_analyzer CSV"
  const char* looks_like = "";  ///< how it is recognised, in words: "a header with Concurrency and Inferences/Second"
  /// True when the text is in this format, however damaged; decided by its content, never by a name.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Reads the text into the lists of the file. A byte-order mark has been taken away.
  /// @throws InputError  import.*: nothing in it can be used, with the reason for each line
  void (*read)(Import& import) = nullptr;
};

/// A complaint with the line's excerpt.
Complaint complaint_at_line(const std::string& path, const ImportedLine& line, std::size_t column,
                            const std::string& code, const std::string& text);

/// Goes on to the next line that is not blank; `rest` is what stands behind it. @returns false behind the last one
bool next_line(std::string_view& rest, ImportedLine& line);

/// The lines of a text that are not blank.
std::vector<ImportedLine> lines_to_import(std::string_view text);

/// Whether a line that is not blank is of a kind, looked at one after the other.
template <class Kind>
bool any_line(std::string_view text, Kind is_of_kind) {
  ImportedLine line;
  while (next_line(text, line))
    if (is_of_kind(line)) return true;
  return false;
}

/// The first million bytes: what a text is recognised by, however long it is.
std::string_view beginning_of(std::string_view text);

/// Whether a part stands somewhere in a text.
bool holds(std::string_view text, std::string_view part);

/// Whether one of the parts does.
bool holds_one(std::string_view text, std::initializer_list<std::string_view> parts);

/// The words between blanks and tabs.
std::vector<std::string_view> words_of_line(std::string_view line);

/// A name of a column as it is compared: small letters, no margins, one blank where there are several.
std::string column_key(std::string_view name);

/// A decimal number that is the whole text: "12", "-1.5", ".5", "+1e-3"; nothing for hexadecimal, nan, inf or what is
/// beyond a double.
std::optional<double> imported_number(std::string_view text);

/// The same between blanks; nothing for what no measurement gives (is_measurable(), but for the sign).
std::optional<double> plain_number(std::string_view text);

/// The whole number that a text begins with, 0 to 10^15; `text` goes on behind it.
std::optional<std::size_t> take_count(std::string_view& text);

/// A whole number that is the whole text, 0 to 10^15.
std::optional<std::size_t> imported_count(std::string_view text);

/// True for a figure that a measurement can give: 0, or 10^-15 to 10^15, in whatever unit.
bool is_measurable(double value);

/// The text with a question mark for every byte that is not part of valid UTF-8.
std::string valid_utf8(std::string text);

/// Names in quotes, "and" before the last: `"a", "b" and "c"`; the tail is cut after 20 names.
std::string named_all(const std::vector<std::string>& names);

/// One cell of a line.
struct ImportedCell {
  std::string text{};      ///< without quotes and margins
  std::size_t column = 1;  ///< where it begins in the line, from 1 [byte]
};

/// A line cut at its separators.
struct CellLine {
  ImportedLine line{};
  std::vector<ImportedCell> cells{};
  std::string fault{};  ///< why the line is no row: "a quote is not closed"; empty: it is one

  /// A cell is a number, as none of a header is.
  bool has_number() const;
};

/// Cuts a line. A quoted cell may hold separators and doubled quotes; it ends with its line. At most a thousand cells
/// are read.
CellLine cells_of(const ImportedLine& line, char separator);

}  // namespace saturn
