#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Failures of equal kind and reason together, the commonest first: "out of time at 2 points (17, 41): reason".
/// Empty where none failed.
/// @param most  groups that are written; a sentence counts the others
std::string failures_text(std::span<const SweepRow* const> rows, std::size_t width, std::size_t most = 20);

}  // namespace saturn
