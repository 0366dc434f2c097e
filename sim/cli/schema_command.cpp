#include <iostream>
#include <memory>

#include "models/measure_reference.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/commands.hpp"

namespace saturn {

void add_schema_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "schema", "Print the JSON Schema of scenarios, their reference, or that of numbers");
  const auto reference = std::make_shared<bool>(false);
  verb.add_flag("--reference", *reference, "Print the reference of every key (Markdown) instead");
  const auto measures = std::make_shared<bool>(false);
  verb.add_flag("--measures", *measures, "Print what every number of a run is and where it stands (Markdown) instead");
  verb.footer(
      "Examples:\n"
      "  saturn schema > saturn-scenario.schema.json\n"
      "  saturn schema --reference\n"
      "  saturn schema --measures");
  verb.answers(chosen, [reference, measures] {
    std::cout << (*measures ? measure_reference() : *reference ? scenario_reference() : scenario_schema());
    return ExitCode::answered;
  });
}

}  // namespace saturn
