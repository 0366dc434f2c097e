#include "sim/cli/load_scenario.hpp"

#include <iostream>
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

ReadScenario load_scenario(const ScenarioOptions& options, const OutputOptions& output) {
  ReadScenario read = read_scenario_file(options.scenario, overrides_of(options), read_platform_file);
  if (!output.quiet) {
    for (const Complaint& warning : read.warnings) std::cerr << "warning: " << warning.formatted() << "\n";
  }
  return read;
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

}  // namespace saturn
