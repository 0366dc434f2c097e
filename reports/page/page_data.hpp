#pragma once

#include <string>

#include "reports/page/report_page.hpp"

/// What the page's scripts read: plain data as JSON.

namespace saturn {

/// {"name", "title", "about", "rows", "spec"}: a figure with its rows by column.
/// Assumes Figure::spec is a JSON text.
std::string figure_data(const Figure& figure);

/// What a click on a cell shows, by column: axes in words, values with their intervals, reasons, curves and breakdowns.
/// Values have five digits, what is only drawn four, since thousands of cells must stay small; numbers of curves and
/// breakdowns are in the unit that is named beside them.
std::string map_data(const LinkedMap& linked);

/// The planner's model under the names of its members; `keys` are what CSV and JSON call its answers.
std::string planner_data(const PlannerModel& model);

}  // namespace saturn
