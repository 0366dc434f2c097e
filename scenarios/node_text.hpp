#pragma once

#include <optional>
#include <string>

#include "scenarios/document.hpp"

namespace saturn {

/// A number of JSON, when it is finite.
std::optional<double> number_in(const Node& node);

/// A value of a document as JSON text, the keys of objects in alphabetical order.
/// @param indent  spaces a level; below 0: on one line
std::string json_text(const Node& node, int indent);

/// A value as a `--set` option spells it, on one line: a text without its quotes, unless it would then be read as
/// something else.
std::string override_text(const Node& node);

}  // namespace saturn
