#include "sim/cli/validation.hpp"

#include <algorithm>

#include "sim/cli/command_line.hpp"
#include "sim/cli/compared_row.hpp"
#include "sim/cli/run_failed.hpp"

namespace saturn {

namespace {

struct RowRun {
  const MeasuredRow* row;
  std::string model;
  std::string command;
};

std::string run_command(const MeasuredCase& measured, const std::vector<Override>& overrides) {
  ScenarioOptions options;
  options.scenario = measured.about.scenario;
  for (const Override& change : overrides) options.set.push_back(change.pointer + "=" + change.value);
  return scenario_command("run", options);
}

bool has_model_quantity(const PublishedPoint& point) {
  return std::any_of(point.values.begin(), point.values.end(),
                     [](const MeasuredValue& value) { return value.quantity->of_model; });
}

}  // namespace

ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options) {
  std::vector<Scenario> scenarios;
  std::vector<RowRun> runs;
  std::string resolved;
  for (const MeasuredCase& measured : cases) {
    for (const MeasuredRow& row : measured.rows) {
      std::vector<Override> overrides = row.set;
      overrides.insert(overrides.end(), changes.begin(), changes.end());
      ReadScenario read = read_scenario_file(measured.about.scenario, overrides);
      resolved += read.resolved;
      runs.push_back({.row = &row,
                      .model = has_model_quantity(row.point) ? measured_model(measured, read.scenario) : "",
                      .command = run_command(measured, overrides)});
      scenarios.push_back(std::move(read.scenario));
    }
  }

  auto results = replicate(scenarios, options);
  ValidationReport report;
  report.provenance = provenance_of(resolved, scenarios.empty() ? 0 : scenarios.front().run.seed, "");
  for (const Override& change : changes) {
    // Seed and precision change how well the scenario is known, not the scenario.
    if (!change.pointer.starts_with("/run/")) report.changes.push_back(change.pointer + "=" + change.value);
  }
  std::size_t next = 0;
  for (const MeasuredCase& measured : cases) {
    ValidationCase validation{.about = measured.about, .rows = {}};
    for (std::size_t i = 0; i < measured.rows.size(); ++i, ++next) {
      if (auto* failure = std::get_if<RunFailure>(&results[next])) {
        failure->command = runs[next].command + " --seed " + std::to_string(failure->seed) + " --replica " +
                           std::to_string(failure->replica);
        throw RunFailed(*failure);
      }
      const RunSummary& summary = std::get<Replicated>(results[next]).summary;
      refuse_broken_laws(summary, runs[next].command);
      validation.rows.push_back(compared_row(*runs[next].row, scenarios[next], runs[next].model, summary));
    }
    report.cases.push_back(std::move(validation));
  }
  return report;
}

}  // namespace saturn
