#include "tests/calibration/imported_files.hpp"

#include <doctest/doctest.h>

#include <sqlite3.h>

namespace saturn::tests {

const ImportFormat* format_of(const std::string& text) {
  for (const ImportFormat& format : import_formats())
    if (format.recognises(text)) return &format;
  return nullptr;
}

std::string recognised_as(const std::string& text) {
  const ImportFormat* format = format_of(text);
  return format == nullptr ? "" : format->name;
}

MeasuredFile imported_as(const ImportFormat& format, const std::string& text) {
  MeasuredFile file{.path = "f", .format = format.name};
  Import import(text, file);
  format.read(import);
  return file;
}

MeasuredFile imported(const std::string& text) {
  if (const ImportFormat* format = format_of(text)) return imported_as(*format, text);
  throw InputError({{.source = "f", .code = "test.unknown_format", .text = "No format recognises the text."}});
}

std::vector<Complaint> refusals(const std::string& text) {
  try {
    imported(text);
  } catch (const InputError& error) {
    return error.complaints();
  }
  return {};
}

std::string only_refusal(const std::string& text) {
  const std::vector<Complaint> complaints = refusals(text);
  REQUIRE(complaints.size() == 1);
  const Complaint& one = complaints.front();
  const std::string place = one.line == 0 ? "" : ":" + std::to_string(one.line) + ":" + std::to_string(one.column);
  return one.source + place + ": " + one.code + ": " + one.text;
}

std::vector<std::string> left_out_lines(const MeasuredFile& file) {
  std::vector<std::string> lines;
  for (const Complaint& complaint : file.left_out)
    lines.push_back(std::to_string(complaint.line) + " " + complaint.code);
  return lines;
}

std::string with_crlf(const std::string& text) {
  std::string changed;
  for (const char c : text) changed += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return changed;
}

std::string write_database(const TemporaryFolder& folder, const std::string& name, const std::string& sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open((folder / name).c_str(), &database) == SQLITE_OK);
  const int result = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr);
  CHECK(result == SQLITE_OK);
  REQUIRE(sqlite3_close(database) == SQLITE_OK);
  return (folder / name).string();
}

std::string timetracker_tables() {
  return "CREATE TABLE TimeSource(Run integer, SubRun integer, Event integer, Source text, Time numeric);"
         "CREATE TABLE TimeEvent(Run integer, SubRun integer, Event integer, Time numeric);"
         "CREATE TABLE TimeModule(Run integer, SubRun integer, Event integer, Path text, ModuleLabel text,"
         " ModuleType text, Time numeric);";
}

std::string listed_complaints(const std::vector<Complaint>& complaints) {
  std::string list;
  for (const Complaint& one : complaints) list += std::to_string(one.line) + " " + one.code + ": " + one.text + "\n";
  return list;
}

std::string complaints_about(const std::string& text) {
  try {
    return listed_complaints(imported(text).left_out);
  } catch (const InputError& error) {
    return "refused\n" + listed_complaints(error.complaints());
  }
}

}  // namespace saturn::tests
