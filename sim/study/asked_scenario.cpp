#include "sim/study/asked_scenario.hpp"

#include <utility>

#include "models/values/sha256.hpp"
#include "sim/run/read_platform.hpp"

namespace saturn {

std::vector<Override> overrides_of(const ScenarioOptions& options) {
  std::vector<Override> overrides;
  for (const std::string& text : options.set) overrides.push_back(parse_override(text));
  if (options.seed) overrides.push_back({.pointer = "/run/seed", .value = std::to_string(*options.seed)});
  return overrides;
}

ReadScenario load_scenario(const ScenarioOptions& options, Monitor& monitor) {
  ReadScenario read = read_scenario_file(options.scenario, overrides_of(options), read_platform_file);
  say_warnings(read.warnings, monitor);
  return read;
}

void say_warnings(const std::vector<Complaint>& warnings, Monitor& monitor) {
  for (const Complaint& warning : warnings) monitor.note("warning: " + warning.formatted() + "\n");
}

Provenance provenance_of(const ReadScenario& read, std::string command) {
  Provenance provenance = provenance_of(read.resolved, read.scenario.run.seed, std::move(command));
  for (const FittedFile& file : read.fitted_files) {
    FittedSource source{.path = file.path, .sha256 = sha256_hex(file.text), .fits = {}};
    for (const UsedFit& fit : read.fits)
      if (fit.file == file.path) source.fits.push_back(fit.name);
    provenance.fitted.push_back(std::move(source));
  }
  return provenance;
}

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
