#include "models/csv_text.hpp"

#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <string_view>

#include "models/words/numbers.hpp"

namespace saturn {

namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

bool is_formula(const std::string& text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos && !is_number(text);
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (is_formula(text)) return csv_cell("'" + text);
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
  // A count stays one for whoever reads it as a whole number: 100000, not 1e+05.
  const bool whole = std::abs(value) < 1e15 && value == std::trunc(value);
  return whole ? fmt::format("{:.0f}", value) : exact_text(value);
}

}  // namespace saturn
