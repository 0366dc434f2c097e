#pragma once

#include <vector>

#include "reports/page/report_page.hpp"
#include "reports/page/telling_metrics.hpp"
#include "reports/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

/// Tables of a sweep's page.
namespace saturn {

/// The axes with their values.
PageTable axes_table(const SweepTable& table, const ResolvedView& view);

/// The best points by the chosen metric with the other telling ones; where the chosen one is a word, the first points.
PageTable points_table(const SweepTable& table, const ResolvedView& view, const TellingMetrics& telling);

/// Every number and word of the only point.
PageTable only_point_table(const SweepTable& table, const ResolvedView& view);

/// Failures of equal kind and reason together, the commonest first; no rows where none failed.
PageTable failures_table(const ResolvedView& view);

}  // namespace saturn
