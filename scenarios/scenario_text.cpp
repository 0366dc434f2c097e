#include "scenarios/scenario_text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <vector>

#include "models/words/texts.hpp"
#include "scenarios/document.hpp"
#include "scenarios/near_name.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

namespace {

[[noreturn]] void refuse(const std::string& name, const char* code, const std::string& text) {
  throw InputError({{.source = name, .code = code, .text = text}});
}

std::string in_mebibytes(std::uintmax_t bytes) {
  return std::to_string((bytes + (1U << 19U)) >> 20U) + " MiB";
}

[[noreturn]] void refuse_size(const std::string& name, const std::string& size) {
  refuse(name, "scenario.too_large",
         "The scenario is " + size + "; at most " + in_mebibytes(largest_scenario) +
             " are read. Is this a scenario file? Describe equal jobs by their count.");
}

// Reads one byte more than allowed, so that an endless stream is noticed as well.
std::string read_stream(std::istream& stream, const std::string& name) {
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16U);
  while (text.size() <= largest_scenario && stream) {
    stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > largest_scenario) refuse_size(name, "larger than " + in_mebibytes(largest_scenario));
  if (stream.bad())
    refuse(name, "scenario.unreadable_file", "The file cannot be read: " + std::string(std::strerror(errno)) + ".");
  return text;
}

const EmbeddedFile* shipped(const std::string& name) {
  for (const EmbeddedFile& file : shipped_scenarios())
    if (name == file.name || name + ".json" == file.name) return &file;
  return nullptr;
}

[[noreturn]] void refuse_missing(const std::string& path) {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : shipped_scenarios())
    names.push_back(std::filesystem::path(file.name).stem().string());
  const std::string nearest = nearest_name(std::filesystem::path(path).stem().string(), names);
  refuse(path, "scenario.missing_file",
         nearest.empty()
             ? "There is no such file, and no shipped scenario of that name; shipped are " + listed(names) + "."
             : "There is no such file; did you mean the shipped scenario \"" + nearest + "\"?");
}

}  // namespace

ScenarioText load_scenario(const std::string& path) {
  if (path == "-") return {"standard input", read_stream(std::cin, "standard input")};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (path.find('\0') != std::string::npos || status.type() == std::filesystem::file_type::not_found) {
    const EmbeddedFile* file = shipped(path);
    if (file == nullptr) refuse_missing(path);
    return {std::string(file->name), std::string(file->text)};
  }
  if (error) refuse(path, "scenario.unreadable_file", "The file cannot be read: " + error.message() + ".");
  if (std::filesystem::is_directory(status))
    refuse(path, "scenario.not_a_file", "This is a folder; name a scenario file inside it.");
  if (std::filesystem::is_regular_file(status)) {
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (!error && size > largest_scenario) refuse_size(path, in_mebibytes(size));
  }
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    refuse(path, "scenario.unreadable_file", "The file cannot be opened: " + std::string(std::strerror(errno)) + ".");
  return {path, read_stream(stream, path)};
}

ScenarioText checked_text(ScenarioText scenario) {
  std::string& text = scenario.text;
  if (text.size() > largest_scenario) refuse_size(scenario.name, in_mebibytes(text.size()));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(scenario.name, "scenario.empty_file",
           "The scenario is empty; the shipped scenario \"first-steps\" is a place to begin.");
  if (text.find('\0') != std::string::npos)
    refuse(scenario.name, "scenario.binary_file", "This is a binary file; a scenario is a JSON text in UTF-8.");
  const std::size_t invalid = first_invalid_utf8(text);
  if (invalid != std::string::npos) {
    const Document document{.sources = {{scenario.name, text, true}}, .root = {}};
    throw InputError({document.complaint_at({0, invalid}, "scenario.not_utf8",
                                            "This byte is not part of UTF-8 text; save the file with that encoding.")});
  }
  return scenario;
}

}  // namespace saturn
