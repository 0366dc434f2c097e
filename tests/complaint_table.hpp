#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace saturn::tests {

/// One row of a table of complaints: what is put in, and what is said of it.
struct ComplaintRow {
  std::string table{};                         ///< path of the table
  int line = 0;                                ///< of the row's begin, from 1
  std::string base{};                          ///< what "@base" named last
  std::map<std::string, std::string> files{};  ///< name -> text of each "@file" so far
  std::vector<std::string> input{};            ///< those of "@with", then the row's own, as they stand
  std::vector<std::string> expected{};         ///< what is to be said, in order
};

/// Reads a table. A row is `input & input | said | said`; lines that begin with blanks go on with the row above, "#"
/// begins a comment line. "@base NAME" and "@with input & input" hold for the rows below until the next of their kind;
/// "@file NAME" gives the text of a file, up to "@end". A text in backticks is written with \n, \t, \\ and \xNN.
/// @throws std::runtime_error  a table that cannot be read, with its line
std::vector<ComplaintRow> read_complaint_table(const std::filesystem::path& path);

/// All rows of the tables (*.txt) of a folder, by name.
std::vector<ComplaintRow> read_complaint_tables(const std::filesystem::path& folder);

/// Fails the running test at the row's own place, expected beside found, unless the two are the same. An expected text
/// that ends in "..." is the begin of what is found.
void compare_row(const ComplaintRow& row, std::vector<std::string> found);

/// "`text`" with its escapes resolved, from a position on that is moved behind the second backtick.
std::string quoted_text(const std::string& from, std::size_t& at);

/// Makes a text what a change says of it: "NAME = `whole`", or "NAME `piece` -> `replacement`" of the first occurrence.
void change_text(std::string& text, const std::string& change);

/// The text as one line: control characters, and bytes that are no UTF-8 as they stand alone, become \n, \t or \xNN.
std::string on_one_line(const std::string& text);

}  // namespace saturn::tests
