#include "sim/cli/unconfirmed_answer.hpp"

#include "sim/cli/answer.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

UnconfirmedScenario unconfirmed(const std::string& name, const Scenario& scenario) {
  return {.name = name, .facts = facts_of(scenario), .references = reference_points(scenario)};
}

ExitCode give_unconfirmed(const UnconfirmedReport& report, const OutputOptions& output) {
  give({.table = [&](TextStyle style) { return unconfirmed_table(report, style); },
        .json = [&] { return unconfirmed_json(report); },
        .csv = [&] { return unconfirmed_csv(report); }},
       output);
  return ExitCode::precision_not_reached;
}

}  // namespace saturn
