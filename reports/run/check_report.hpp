#pragma once

#include <string>
#include <vector>

#include "reports/run/provenance.hpp"
#include "reports/tables/text_table.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

// A scenario that was read without complaint, and what follows from it without simulation.

std::string check_table(const ReadScenario& read, const SystemFacts& facts, TextStyle style);
std::string check_json(const ReadScenario& read, const SystemFacts& facts, const Provenance& provenance);
std::string check_csv(const SystemFacts& facts);

/// Something that is shipped with the program: its name and what it is.
struct ListedItem {
  std::string name;
  std::string title;
};

/// @param what  heading of the first column, for example "scenario"; the key of the JSON list with an "s"
std::string listing_table(const std::string& what, const std::vector<ListedItem>& items, TextStyle style);
std::string listing_json(const std::string& what, const std::vector<ListedItem>& items);
/// Columns: name,title
std::string listing_csv(const std::vector<ListedItem>& items);

/// A question that has no plan for its answer.
struct NoPlanReport {
  Provenance provenance{};
  std::string why{};  ///< a sentence
};

/// "No plan: ..."
std::string no_plan_text(const NoPlanReport& report, TextStyle style);

/// {provenance, answer: null, no_plan: why}
std::string no_plan_json(const NoPlanReport& report);

/// One column, "no_plan", with one row
std::string no_plan_csv(const NoPlanReport& report);

/// A scenario of which only formulas say something.
struct UnconfirmedScenario {
  std::string name{};  ///< as it was typed
  Scenario scenario{};
};

/// The answer that is left when a budget ends before a simulation was complete.
struct UnconfirmedReport {
  Provenance provenance;
  double budget_s = 0.0;
  std::vector<UnconfirmedScenario> scenarios{};  ///< one, or those that were to be compared
};

/// For people: that nothing is confirmed, then each scenario by every formula, and the command that repeats it.
std::string unconfirmed_table(const UnconfirmedReport& report, TextStyle style);

/// For programs: {provenance, result}, of one scenario with the keys of a run, of which those that only a simulation
/// knows are null; newline at the end.
std::string unconfirmed_json(const UnconfirmedReport& report);

/// For spreadsheets: tidy rows, see CsvRows.
std::string unconfirmed_csv(const UnconfirmedReport& report);

}  // namespace saturn
