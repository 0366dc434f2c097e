#pragma once

#include <string>
#include <vector>

#include "calibration/import/read_measured_file.hpp"
#include "tests/temporary_folder.hpp"

namespace saturn::tests {

/// The first format that recognises the text, as read_measured_file() asks them; nullptr for none.
const ImportFormat* format_of(const std::string& text);

/// Its name; empty for none.
std::string recognised_as(const std::string& text);

/// Reads a text by a format, under the name "f".
MeasuredFile imported_as(const ImportFormat& format, const std::string& text);

/// Reads a text by the format that recognises it.
/// @throws InputError  test.unknown_format
MeasuredFile imported(const std::string& text);

/// The complaints with which a text is refused; none when it is read.
std::vector<Complaint> refusals(const std::string& text);

/// The text of the only refusal, with its place: "f:3:1: import.code: text".
std::string only_refusal(const std::string& text);

/// What was left out of a file: "3 import.code" for each complaint, in order.
std::vector<std::string> left_out_lines(const MeasuredFile& file);

/// The same text with CRLF at the ends of its lines.
std::string with_crlf(const std::string& text);

/// A TimeTracker database, written by statements of SQL.
std::string write_database(const TemporaryFolder& folder, const std::string& name, const std::string& sql);

/// The statements that make TimeTracker's three tables, empty.
std::string timetracker_tables();

/// "line code: text" of each complaint, a line each; of a text that is refused, of the whole refusal.
std::string complaints_about(const std::string& text);

/// The same of a list.
std::string listed_complaints(const std::vector<Complaint>& complaints);

}  // namespace saturn::tests
