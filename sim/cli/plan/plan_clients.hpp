#pragma once

#include "scenarios/read_scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// Widens the interval of the clients per device by what the scenario's fits leave open: each is drawn 200 times, and
/// the answer moves in proportion to the formulas' answer. Nothing happens without uncertain fits.
/// @throws InputError   fitted.too_uncertain
/// @throws OutOfBudget  the deadline came before; the plan is as it was
/// Cost: 200 formulas a fit, a fraction of a second
void add_calibration(Plan& plan, const ReadScenario& read, const PlanQuestion& question, const Deadline& deadline);

}  // namespace saturn
