#include "sim/plan/paired_slope.hpp"

#include <algorithm>
#include <stdexcept>

#include "scenarios/determinism.hpp"

namespace saturn {

Scenario as_paired(Scenario scenario) {
  const std::uint64_t replications = is_deterministic(scenario) ? 1 : paired_replications;
  scenario.run.min_replications = scenario.run.max_replications = replications;
  return scenario;
}

PairedValues paired_values(const SearchedRun& low, const SearchedRun& high, const Reading& read) {
  PairedValues values;
  const std::size_t pairs = std::min(low.replications.size(), high.replications.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    values.low.push_back(read(low.replications[i]));
    values.high.push_back(read(high.replications[i]));
  }
  if (pairs == 0) return {.low = {read(low.summary)}, .high = {read(high.summary)}};
  return values;
}

std::vector<SearchedRun> simulated_each(const EvaluateEach& evaluate, std::span<const SearchedScenario> scenarios) {
  if (scenarios.empty()) return {};
  std::vector<SearchedRun> runs = evaluate(scenarios);
  if (runs.size() != scenarios.size()) throw std::logic_error("a sensitivity got fewer simulations than it asked for");
  return runs;
}

}  // namespace saturn
