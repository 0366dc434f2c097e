#include <iostream>
#include <memory>

#include "scenarios/read_scenario.hpp"
#include "sim/cli/commands.hpp"

namespace saturn {

void add_schema_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "schema", "Print the JSON Schema of scenarios, or their reference");
  const auto reference = std::make_shared<bool>(false);
  verb.add_flag("--reference", *reference, "Print the reference of every key (Markdown) instead");
  verb.footer(
      "Examples:\n"
      "  saturn schema > saturn-scenario.schema.json\n"
      "  saturn schema --reference");
  verb.answers(chosen, [reference] {
    std::cout << (*reference ? scenario_reference() : scenario_schema());
    return ExitCode::answered;
  });
}

}  // namespace saturn
