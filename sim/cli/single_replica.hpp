#pragma once

#include "sim/run/replicate.hpp"

namespace saturn {

/// Simulates one replication alone, in a forked child: the same run as replicate() makes under that number.
/// @param index  from 0
std::variant<Replicated, RunFailure> replicate_one(Scenario scenario, std::uint32_t index, const RunOptions& options);

}  // namespace saturn
