#pragma once

#include "reports/page/report_page.hpp"

namespace saturn {

/// A report with every kind of part: a curve, a clickable map, a figure that could not be drawn, a table, the planner.
ReportPage sample_report();

/// The same with texts that would act if they were not escaped.
ReportPage hostile_report();

/// A report whose map has so many cells in both directions, each with a curve of 8 points.
ReportPage wide_report(std::size_t cells_each_way);

/// The planner of the sample report: ProtoDUNE-like figures, GPU and link contended.
PlannerModel sample_planner();

/// The same system where three events a second arrive from outside, for 600 streams.
PlannerModel sample_open_planner();

/// A report with that planner alone.
ReportPage open_report();

/// The same where the time was over before any number of GPUs was simulated.
ReportPage unsimulated_report();

/// A field whose cells have curves and breakdowns; one cell has no value.
LinkedMap sample_map(std::size_t width, std::size_t height);

}  // namespace saturn
