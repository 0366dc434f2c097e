#pragma once

#include <string>
#include <vector>

#include "reports/provenance.hpp"
#include "reports/text_table.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

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
