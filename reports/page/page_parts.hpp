#pragma once

#include <string>
#include <vector>

#include "reports/page/report_page.hpp"

/// Parts of the page as HTML, every text escaped.
namespace saturn {

/// A table in a box that scrolls where it is too wide.
std::string table_html(const PageTable& table);
/// The same, folded under its caption where it is long.
std::string section_table_html(const PageTable& table);

/// A figure: the place where a script draws it with its data, its caption below; or why it is not drawn, with its rows
/// as a folded table.
/// @param can_draw  the bundles that draw are in the page
std::string figure_html(const Figure& figure, bool can_draw);

/// Where the details of a map's chosen cell appear, with their data.
std::string linked_map_html(const LinkedMap& linked);

/// The place of the planner panel with its data; a sentence where the formulas do not hold.
std::string planner_html(const PlannerModel& model);

/// What was assumed, and where it is from.
std::string assumptions_html(const std::vector<Assumption>& assumptions);

/// How many laws hold; those that do not by name, all of them in a folded table.
std::string checks_html(const std::vector<Check>& checks);

/// Versions, seed, hashes.
std::string provenance_html(const Provenance& provenance);

/// Commands to copy.
std::string commands_html(const std::vector<std::string>& commands);

}  // namespace saturn
