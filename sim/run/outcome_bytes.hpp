#pragma once

#include <string>
#include <string_view>

#include "models/results/run_outcome.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn {

/// The bytes of an outcome, to travel from a forked child to its parent: both are the same program, so numbers go as
/// they lie in memory. No format to store.
std::string to_bytes(RunOutcome outcome);

/// The outcome of to_bytes().
/// @throws std::logic_error  bytes that to_bytes() never gives: too short, or too long
RunOutcome outcome_from_bytes(std::string_view bytes);

/// The same of a traced run.
std::string to_bytes(TracedRun run);
/// @throws std::logic_error  as outcome_from_bytes()
TracedRun traced_run_from_bytes(std::string_view bytes);

}  // namespace saturn
