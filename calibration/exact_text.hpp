#pragma once

#include <string>

namespace saturn {

/// The shortest decimal number that reads back as the same double.
/// @param value  finite
std::string exact_text(double value);

/// The same with its unit, as scenarios write a time: "0.032 s".
std::string exact_seconds(double value);

}  // namespace saturn
