#pragma once

#include <filesystem>
#include <string>

#include "sim/sweep/result_log.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Plan and results together; points without a result are missing. Results of points that the plan does not have are
/// left out. At a million points a copy of the results is some gigabytes: hand them over.
SweepTable sweep_table(const SweepPlan& plan, ReadResults results);

/// points.csv: a header, then a row a point in order of their numbers: point, id, the axes (head() of each column),
/// status, failure, reason, replications, then each metric with _low and _high before its unit where any point has an
/// interval, and words. Columns of metrics stand in the order in which the points bring them. Missing points have empty
/// cells. The same table gives the same bytes: numbers are as short as they read back the same, quotes as in RFC 4180,
/// lines end in a newline.
std::string points_csv(const SweepTable& table);

/// Writes the same into a file, row by row, which takes its place whole or not at all.
/// @throws InputError  sweep.not_writable, sweep.disk_full
void write_points_csv(const SweepTable& table, const std::filesystem::path& path);

}  // namespace saturn
