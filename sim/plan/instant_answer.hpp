#pragma once

#include <optional>
#include <string>

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// Clients per device that the formulas give at once, as a plan would clip them: mean value analysis where times are
/// random and it applies, else the bound; not past saturation unless that is asked. What a plan's answer moves with
/// when a parameter changes.
/// @returns not rounded; infinite where nothing saturates
/// Cost: that of mean value analysis, milliseconds for thousands of clients
double instant_streams_per_gpu(const Scenario& scenario, const PlanQuestion& question);

/// Clients at which mean value analysis puts the tolerated slowdown.
struct MvaCrossing {
  std::optional<double> clients;  ///< not rounded: interpolated between whole numbers
  std::string why_not;            ///< why there is no such number; empty when there is
};

/// "does not apply: ..." where the stations of mean value analysis cannot stand for the scenario: several kinds of
/// jobs, streams that wait for their jobs' cores, calls in flight together; else empty.
std::string why_no_mva(const Scenario& scenario);

/// Largest N with R(N) <= (1 + slowdown)·R(1) by exact mean value analysis. Absent where its stations cannot stand for
/// the scenario: several kinds of jobs, or calls in flight together. Where the scenario has product form only nearly
/// (constant service times, say) it is an approximation; ClosedNetwork::product_form_violations says why.
/// @param slowdown  tolerated, > 0
/// Cost: O(N·c), milliseconds for thousands of clients
MvaCrossing mva_crossing(const Scenario& scenario, double slowdown);

}  // namespace saturn
