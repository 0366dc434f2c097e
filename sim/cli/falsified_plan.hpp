#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/scenario.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

/// Chooses the measurements that would contradict a plan, and simulates what they would give.
/// @param options            their `command` reproduces the scenario but for its seed
/// @param seed               that was given on the command line; the commands that repeat a prediction carry it
/// @param half_width         of the predicted clients per device, relative [1]
/// @param fitted_half_width  the part of it that fitted parameters leave open; 0: they are exact [1]
/// @throws RunFailed         a simulation gave no result; its command carries what was changed
/// @throws std::logic_error  a law is broken
Falsification falsified_plan(const Scenario& scenario, const RunOptions& options, std::optional<std::uint64_t> seed,
                             double half_width, double fitted_half_width);

}  // namespace saturn
