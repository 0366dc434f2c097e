#include "sim/cli/command_line.hpp"

namespace saturn {

std::string scenario_command(const std::string& verb, const ScenarioOptions& options) {
  std::string command = "saturn " + verb;
  if (!options.scenario.empty()) command += " " + shell_word(options.scenario);
  for (const std::string& change : options.set) command += " --set " + shell_word(change);
  return command;
}

std::string reproducing_command(const std::string& verb, const ScenarioOptions& options) {
  return scenario_command(verb, options) + (options.seed ? " --seed " + std::to_string(*options.seed) : "");
}

std::string settings_of_replications(const RunControl& control, std::uint64_t replications, bool out_of_time) {
  if (!out_of_time && replications <= control.max_replications) return {};
  const std::string number = std::to_string(replications);
  return " --set /run/max_replications=" + number +
         (replications < control.min_replications ? " --set /run/min_replications=" + number : "");
}

}  // namespace saturn
