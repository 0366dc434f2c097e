#pragma once

#include <string>

#include "reports/explanation.hpp"
#include "reports/text_table.hpp"

namespace saturn {

/// A table of the changes in per cent of the original, the options that repeat each, and what was left out; begins with
/// an empty line.
std::string explanation_text(const Explanation& explanation, TextStyle style);

}  // namespace saturn
