#pragma once

#include <optional>
#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

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
