#pragma once

#include <string>
#include <vector>

#include "sim/plan/waiting_parts.hpp"

namespace saturn {

/// What waits most, at most three parts, each with its share of all waiting: "requests of net come while every instance
/// is busy (71 %); the batcher of net holds requests back for others (29 %)". Empty where next to nothing does.
std::string waits_text(const std::vector<WaitingPart>& waits);

}  // namespace saturn
