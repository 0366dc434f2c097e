#pragma once

#include <string>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// A sweep as one JSON document: {title, answer, seed, axes [{name, head, pointer, unit}], counts {answered, imprecise,
/// failed, missing}, points [{point, id, values {head: number or text}, status, failure, reason, replications,
/// metrics {name: {mean, low, high}}, words {name: word}}]}. A point a line, so that tools for lines can read it too.
/// What is absent or not finite is null; bytes that are no UTF-8 become U+FFFD.
std::string sweep_json(const SweepTable& table);

}  // namespace saturn
