#include "sim/cli/validation.hpp"

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_failed.hpp"

namespace saturn {

namespace {

struct RowRun {
  const MeasuredRow* row;
  std::string command;
};

Comparison compared(const MeasuredValue& measured, const Estimate& simulated) {
  return {.measured = measured.value, .measured_sem = measured.sem, .simulated = simulated};
}

Estimate shifted(Estimate estimate, double by) {
  estimate.mean += by;
  estimate.low += by;
  estimate.high += by;
  return estimate;
}

ValidationRow compared_row(const MeasuredRow& row, const RunSummary& summary) {
  ValidationRow result{
      .jobs = row.jobs, .event_time_s = {}, .module_time_s = {}, .events_per_s = {}, .remark = row.remark};
  const Estimate& event_time = summary.all_jobs.event_time.mean_s;
  if (row.event_time_s) result.event_time_s = compared(*row.event_time_s, event_time);
  if (row.module_time_s && row.nonml_s) {
    result.module_time_s = compared(*row.module_time_s, shifted(event_time, -*row.nonml_s));
  }
  if (row.events_per_s) result.events_per_s = compared(*row.events_per_s, summary.all_jobs.events_per_s);
  return result;
}

std::string source_text(const MeasurementSource& source) {
  std::string text = source.text;
  for (const std::string& part : {source.url, source.commit, source.file}) {
    if (!part.empty()) text += ", " + part;
  }
  return text;
}

std::string run_command(const MeasuredCase& measured, const std::vector<Override>& overrides) {
  ScenarioOptions options;
  options.scenario = measured.scenario;
  for (const Override& change : overrides) options.set.push_back(change.pointer + "=" + change.value);
  return scenario_command("run", options);
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
      ReadScenario read = read_scenario_file(measured.scenario, overrides);
      resolved += read.resolved;
      scenarios.push_back(std::move(read.scenario));
      runs.push_back({.row = &row, .command = run_command(measured, overrides)});
    }
  }

  auto results = replicate(scenarios, options);
  ValidationReport report;
  report.provenance = provenance_of(resolved, scenarios.empty() ? 0 : scenarios.front().run.seed, "");
  std::size_t next = 0;
  for (const MeasuredCase& measured : cases) {
    ValidationCase validation{.id = measured.id,
                              .title = measured.title,
                              .source = source_text(measured.source),
                              .scenario = measured.scenario,
                              .notes = measured.notes,
                              .rows = {}};
    for (std::size_t i = 0; i < measured.rows.size(); ++i, ++next) {
      if (auto* failure = std::get_if<RunFailure>(&results[next])) {
        failure->command = runs[next].command + " --seed " + std::to_string(failure->seed) + " --replica " +
                           std::to_string(failure->replica);
        throw RunFailed(*failure);
      }
      const RunSummary& summary = std::get<Replicated>(results[next]).summary;
      refuse_broken_laws(summary, runs[next].command);
      validation.rows.push_back(compared_row(*runs[next].row, summary));
    }
    report.cases.push_back(std::move(validation));
  }
  return report;
}

}  // namespace saturn
