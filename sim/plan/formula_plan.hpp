#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system.hpp"
#include "sim/plan/plan.hpp"

/// What formulas answer of a plan: in microseconds, and confirmed by nothing.

namespace saturn {

/// Clients per device as the formulas among the question's methods say them, and where they saturate; nothing else of a
/// plan. A bound leaves open how far below it they lie.
/// @param system  something saturates in it
/// @returns nothing where mean value analysis alone is asked for and does not apply
std::optional<PlanAnswer> jobs_per_device_by_formula(const System& system, const PlanQuestion& question);

/// The plan that formulas make alone.
/// @throws std::domain_error  nothing saturates, or mean value analysis alone is asked for and does not apply
Plan formula_plan(const System& system, const PlanQuestion& question);

/// What formulas say of the jobs on so many devices: event time, rate and costs.
/// @param decides  whose event time and rate are taken
void say_devices_by_formula(const Scenario& asked, std::uint64_t devices, Method decides, PlanAnswer& answer);

/// The resources that saturate first and next.
void say_what_binds(const System& system, PlanAnswer& answer);

/// Nothing where the scenario has a single device, or several that only grow together.
std::optional<Scenario> one_device_of(const Scenario& scenario);

/// The bound in clients per device and event time [s], see Plan::bound_curve: several pools, or unlike servers of which
/// the fastest may answer, bend it at more places than one.
std::vector<std::pair<double, double>> bound_curve_of(const System& system, double saturates_at);

}  // namespace saturn
