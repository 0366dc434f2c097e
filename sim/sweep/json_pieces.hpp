#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Pieces of JSON lines, the same bytes wherever they are written.
namespace saturn {

/// Adds a text with its quotes. What is no UTF-8 becomes U+FFFD.
void add_json_text(std::string& line, const std::string& text);

/// Adds the shortest decimal number that reads back as the same double.
/// @param what  whose number it is, for the message
/// @throws std::logic_error  the value is not finite
void add_json_number(std::string& line, double value, std::string_view what);

/// The same, or "null".
void add_json_number(std::string& line, const std::optional<double>& value, std::string_view what);

}  // namespace saturn
