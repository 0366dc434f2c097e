#pragma once

#include <string>

namespace saturn {

/// One cell of comma-separated values (RFC 4180), quoted when it holds a comma, a quote or a line break. A text that a
/// spreadsheet would take for a formula, since it begins with = + - @ or a tab and is no number, gets an apostrophe
/// before it; numbers stay numbers.
std::string csv_cell(const std::string& text);

/// The shortest decimal number that reads back as the same double; empty when it is not finite.
std::string csv_number(double value);

}  // namespace saturn
