#include "scenarios/regular_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/words/numbers.hpp"
#include "scenarios/value_rules.hpp"

namespace saturn {

std::optional<FileFault> read_regular_file(const std::string& name, std::size_t largest, std::string& text) {
  if (name.empty() || name.find('\0') != std::string::npos)
    return FileFault{"scenario.missing_file", ", no file's name."};
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(name, error);
  if (status.type() == std::filesystem::file_type::not_found)
    return FileFault{"scenario.missing_file", ", but there is no such file."};
  if (std::filesystem::is_directory(status)) return FileFault{"scenario.not_a_file", ", but that is a folder."};
  // A pipe or a device may never end.
  if (!error && !std::filesystem::is_regular_file(status))
    return FileFault{"scenario.not_a_file", ", but that is no regular file."};
  const std::uintmax_t size = error ? 0 : std::filesystem::file_size(name, error);
  if (error) return FileFault{"scenario.unreadable_file", ", which cannot be read: " + error.message() + "."};
  if (size > largest)
    return FileFault{"scenario.too_large",
                     ", which has " + with_commas(size) + " bytes; at most " + with_commas(largest) + " are read."};
  errno = 0;
  std::ifstream stream(name, std::ios::binary);
  text.resize(size);
  stream.read(text.data(), static_cast<std::streamsize>(size));
  if (stream) return std::nullopt;
  return FileFault{"scenario.unreadable_file", ", which cannot be read: " + std::string(std::strerror(errno)) + "."};
}

}  // namespace saturn
