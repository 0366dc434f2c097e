#include <algorithm>
#include <iterator>
#include <utility>

#include "calibration/import/imported_text.hpp"
#include "calibration/import/read_elsewhere.hpp"
#include "calibration/import/text_format.hpp"
#include "calibration/import/timetracker_database.hpp"
#include "models/sha256.hpp"
#include "models/words/texts.hpp"
#include "scenarios/regular_file.hpp"

namespace saturn {

namespace {

constexpr std::size_t largest_file_bytes = std::size_t{64} << 20U;

[[noreturn]] void refuse_file(const std::string& path, const std::string& code, const std::string& text) {
  throw InputError({{.source = path, .code = code, .text = text}});
}

std::string bytes_of(const std::string& path) {
  std::string bytes;
  const std::optional<FileFault> fault = read_regular_file(path, largest_file_bytes, bytes);
  if (!fault) return bytes;
  const bool large = std::string_view(fault->code) == "scenario.too_large";
  refuse_file(path, large ? "import.too_large" : "import.no_file",
              "This is given as a file of measurements" + fault->text);
}

std::vector<ImportFormat> all_formats() {
  // A plain table would also take the tables of load generators.
  std::vector<ImportFormat> all(server_formats().begin(), server_formats().end());
  std::copy(client_formats().begin(), client_formats().end(), std::back_inserter(all));
  return all;
}

std::string known_formats() {
  const auto described = [](const ImportFormat& format) {
    return std::string(format.name) + " (" + format.looks_like + ")";
  };
  return joined(texts_of(all_formats(), described), "; ");
}

// Bytes outside UTF-8, such as those of an old log, would make every report that shows them invalid.
std::string text_of(std::string bytes) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (bytes.starts_with(byte_order_mark)) bytes.erase(0, byte_order_mark.size());
  return valid_utf8(std::move(bytes));
}

bool is_text(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos;
}

bool read_as(std::string_view content, const std::string& path, MeasuredFile& file) {
  // Words that mean something in a text mean nothing in the middle of bytes.
  const bool text = is_text(content);
  for (const ImportFormat& format : all_formats()) {
    if (!text && format.recognises != recognises_sqlite) continue;
    if (!format.recognises(content)) continue;
    file.format = format.name;
    format.read(content, path, file);
    return true;
  }
  return false;
}

}  // namespace

MeasuredFile read_measured_file(const std::string& path) {
  std::string bytes = bytes_of(path);
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse_file(path, "import.empty", "The file is empty; a file with measurements is needed.");
  MeasuredFile file{.path = path, .sha256 = sha256_hex(bytes)};
  const std::string way = way_for_other_file(bytes);
  const std::string content = is_text(bytes) ? text_of(std::move(bytes)) : std::move(bytes);
  if (read_as(content, path, file)) return file;
  refuse_file(path, "import.unknown_format",
              way.empty()
                  ? "No known kind of measurement is recognised in this file. Known are: " + known_formats() + "."
                  : way);
}

std::vector<MeasuredFile> read_measured_files(std::span<const std::string> paths) {
  std::vector<MeasuredFile> files;
  std::vector<Complaint> complaints;
  for (const std::string& path : paths) {
    try {
      files.push_back(read_measured_file(path));
    } catch (const InputError& error) {
      complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    }
  }
  if (!complaints.empty()) throw InputError(std::move(complaints));
  return files;
}

}  // namespace saturn
