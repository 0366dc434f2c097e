#pragma once

#include <string>
#include <vector>

#include "tests/house/source_tree.hpp"

namespace saturn::house {

/// What is wrong with the #include lines of a file: one sentence each, "path:line: rule".
/// The rules are the table of docs/architecture.md.
std::vector<std::string> broken_include_rules(const SourceFile& file);

}  // namespace saturn::house
