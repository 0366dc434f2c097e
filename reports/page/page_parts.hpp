#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"
#include "models/words/quantities.hpp"
#include "reports/page/report_page.hpp"
#include "reports/words/facts_text.hpp"
#include "scenarios/document/text_files.hpp"

namespace saturn {

// Tables of a page and the texts of their cells.

/// A column: its head, and whether it holds numbers.
struct PageColumn {
  std::string head{};
  bool is_number = false;
};

/// A table of texts without rows.
Table page_table(std::string caption, const std::vector<PageColumn>& columns);

/// Adds the tables that people see of an answer.
/// @param places  last names of their places in JSON; empty: all of them
void add_tables(PageSection& section, Answer answer, const std::vector<std::string>& places = {});

/// "121.4 ± 0.1 s", "11.8 ms": in the unit that reads best.
std::string time_text(const Estimate& seconds);
std::string time_text(const std::optional<double>& seconds);

/// "121.4 s", or why it is withheld.
std::string quantile_text(const Estimate& seconds);

/// A number of jobs or streams, as a table shows it: whole from 100 on.
std::string streams_text(double streams);

/// A number of jobs as that of what a page counts, see stream_word_of.
double as_streams(const SystemFacts& facts, double jobs);

// Parts of the page as HTML, every text escaped.

/// A table in a box that scrolls where it is too wide.
std::string table_html(const Table& table);
/// The same, folded under its caption where it is long.
std::string section_table_html(const Table& table);

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

// The style and the scripts of a page.

std::string page_style(std::span<const EmbeddedFile> web);

/// The scripts, in the order in which they need each other; those that are not among the files are left out.
std::vector<std::string> page_scripts(std::span<const EmbeddedFile> web);

/// The licences of the bundles; empty where there are none.
std::string bundle_licences(std::span<const EmbeddedFile> web);

}  // namespace saturn
