#include "tests/calibration/imported_server_file.hpp"

namespace saturn::tests::server_files {

std::string recognised_as(const std::string& text) {
  std::string names;
  for (const ImportFormat& format : server_formats())
    if (format.recognises(text)) names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

MeasuredFile imported(const std::string& text) {
  for (const ImportFormat& format : server_formats()) {
    if (!format.recognises(text)) continue;
    MeasuredFile file{.path = "m.txt", .format = format.name};
    format.read(text, file.path, file);
    return file;
  }
  throw InputError({{.source = "m.txt", .code = "test.unknown_format", .text = "No format recognises the text."}});
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

}  // namespace saturn::tests::server_files
