#pragma once

#include <string>

namespace saturn {

/// The shortest decimal number that reads back as the same double.
/// @param value  finite
std::string exact_text(double value);

}  // namespace saturn
