#include "models/csv_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace saturn {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csv_number(double value) {
  if (!std::isfinite(value)) return "";
  std::array<char, 64> buffer{};
  char* const last = buffer.data() + buffer.size();
  // A count stays one for whoever reads it as a whole number: 100000, not 1e+05.
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  const auto end = whole ? std::to_chars(buffer.data(), last, value, std::chars_format::fixed)
                         : std::to_chars(buffer.data(), last, value);
  return {buffer.data(), end.ptr};
}

}  // namespace saturn
