#include "calibration/measured_case.hpp"

#include <algorithm>
#include <fstream>

namespace saturn {

namespace {

constexpr std::size_t largest_file_bytes = std::size_t{16} << 20U;

[[noreturn]] void complain_of_file(const std::string& path, const std::string& what) {
  throw InputError({{.source = path, .code = "measured.no_file", .text = what, .excerpt = ""}});
}

MeasuredCase shipped_case(const EmbeddedFile& file) {
  return read_measured_text(std::string(file.text), std::string(file.name));
}

std::vector<MeasuredCase> read_shipped_cases(const std::string& name) {
  std::vector<MeasuredCase> cases;
  std::string known;
  for (const EmbeddedFile& file : shipped_measurements()) {
    const std::string id(file.name.substr(0, file.name.rfind('.')));
    if (id == name || file.name == name) return {shipped_case(file)};
    if (id.starts_with(name)) cases.push_back(shipped_case(file));
    known += (known.empty() ? "" : ", ") + id;
  }
  if (cases.empty()) {
    complain_of_file(name, "There is no such file, and no shipped case has this name or begins with it; shipped are: " +
                               known + ".");
  }
  return cases;
}

}  // namespace

std::vector<MeasuredCase> read_measured_cases(const std::string& name) {
  if (name.empty()) return read_shipped_cases(name);
  std::ifstream file(name, std::ios::binary);
  if (!file) return read_shipped_cases(name);
  std::string text(largest_file_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (file.bad() || text.empty()) complain_of_file(name, "The file is empty or cannot be read.");
  if (text.size() > largest_file_bytes) complain_of_file(name, "The file is larger than 16 MiB.");
  return {read_measured_text(text, name)};
}

}  // namespace saturn
