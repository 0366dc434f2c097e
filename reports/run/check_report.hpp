#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/answer/answer.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system_facts.hpp"

namespace saturn {

// A scenario that was read without complaint, and what follows from it without simulation.

Answer check_answer(const ReadScenario& read, const SystemFacts& facts, const Provenance& provenance);

/// Something that is shipped with the program: its name and what it is.
struct ListedItem {
  std::string name;
  std::string title;
};

/// @param what  heading of the first column, for example "scenario"; the key of the JSON list with an "s"
Answer listing_answer(const std::string& what, const std::vector<ListedItem>& items);

/// A question that has no plan for its answer: {answer: null, no_plan: why}.
/// @param why  a sentence
Answer no_plan_answer(const std::string& why, Provenance provenance);

/// A scenario of which only formulas say something.
struct UnconfirmedScenario {
  std::string name{};  ///< as it was typed
  Scenario scenario{};
};

/// The answer that is left when a budget ends, or a signal comes, before a simulation was complete, where one would be
/// too large, or where formulas alone are asked.
struct UnconfirmedReport {
  Provenance provenance;
  std::optional<double> budget_s{};  ///< that ended
  bool cut = false;                  ///< by the budget, or a signal; else formulas alone are asked
  std::string refused{};             ///< why no simulation was begun; else empty
  Methods methods = every_method;
  std::vector<UnconfirmedScenario> scenarios{};  ///< one, or those that were to be compared
};

/// That nothing is confirmed, then each scenario by every formula; where formulas alone are asked with what it costs by
/// each. Of one scenario the JSON has the keys of a run, of
/// which those that only a simulation knows are null.
Answer unconfirmed_answer(const UnconfirmedReport& report);

}  // namespace saturn
