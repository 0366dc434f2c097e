#pragma once

#include <cstddef>

#include "calibration/score/placed_row.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// Most jobs that a pool may have.
inline constexpr std::uint64_t most_jobs = 2'000'000;

/// The rows of (clients, event time or rate) as configurations of a scenario: the pool gets as many jobs as there were
/// clients, and where the row tells the event's time outside the offloaded module, and one CPU stage stands for it in
/// the pool, that stage takes that time.
/// @param pool  index of the pool whose jobs are the clients
RowsOfFile client_rows(const Scenario& scenario, const MeasuredFile& file, std::size_t pool);

}  // namespace saturn
