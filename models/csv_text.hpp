#pragma once

#include <string>

namespace saturn {

/// One cell of comma-separated values (RFC 4180), quoted when it holds a comma, a quote or a line break.
std::string csv_cell(const std::string& text);

/// The shortest decimal number that reads back as the same double; empty when it is not finite.
std::string csv_number(double value);

}  // namespace saturn
