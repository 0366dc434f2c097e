#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/scenario.hpp"

/// A farm in small: what stands for a large farm because it consists of equal parts.

namespace saturn {

/// So many of the equal parts of a farm, as a scenario of its own.
struct FarmCell {
  Scenario scenario{};
  std::uint64_t parts = 1;  ///< that it has
  std::uint64_t of = 1;     ///< that the farm has, >= parts

  /// How many times as large the farm is [1].
  double factor() const { return static_cast<double>(of) / static_cast<double>(parts); }
};

/// Into how many equal parts the nodes of the servers can be divided: their greatest common divisor. 1 where there are
/// no servers, and where something cannot be divided: recorded arrivals, a SimGrid platform file, outages, what an
/// autoscaler, a rate limit or admission does with a server.
std::uint64_t equal_parts(const Scenario& scenario);

/// A scenario k = of/parts times as small: nodes, jobs, rates of arrivals, buffers and cores of sites over k, and what
/// many share, links and uplinks, with 1/k of their bandwidth. What each node, job or transfer has for itself stays:
/// devices, network cards, `per_flow`, times.
/// @param parts     1 to equal_parts()
/// @param rounding  by which jobs and buffers may be off because they are whole, relative to themselves [1]
/// @returns nothing where one of them would be off by more
std::optional<FarmCell> cell_of(const Scenario& scenario, std::uint64_t parts, double rounding);

}  // namespace saturn
