#include "sim/cli/validation.hpp"

#include <algorithm>
#include <map>

#include "sim/cli/command_line.hpp"
#include "sim/cli/compared_row.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/run/read_platform.hpp"

namespace saturn {

namespace {

/// One simulation: a row in its own scenario, or in that of a hypothesis.
struct RowRun {
  const MeasuredRow* row;
  std::string model;
  std::string command;
  std::size_t scenario;  ///< index of what is simulated for it; rows of the same scenario share one
};

/// All simulations, in the order in which their results are used.
class RowRuns {
 public:
  explicit RowRuns(const std::vector<Override>& changes) : changes_(changes) {}

  /// @param before  changes of the scenario that come before those of the row
  void add(const MeasuredCase& measured, const MeasuredRow& row, const std::string& scenario,
           const std::vector<Override>& before);
  /// Simulates them all.
  void run(const RunOptions& options) { results_ = replicate(scenarios_, options); }
  /// The next result, beside its row. @throws RunFailed
  ValidationRow next();

  const std::string& resolved() const { return resolved_; }
  std::uint64_t seed() const { return scenarios_.empty() ? 0 : scenarios_.front().run.seed; }

 private:
  const std::vector<Override>& changes_;
  std::vector<Scenario> scenarios_;                                   ///< each once
  std::map<std::pair<std::string, std::string>, std::size_t> known_;  ///< their indices, by name and resolved text
  std::vector<RowRun> runs_;
  std::vector<std::variant<Replicated, RunFailure>> results_;
  std::string resolved_;
  std::size_t next_ = 0;
};

std::string run_command(const std::string& scenario, const std::vector<Override>& overrides) {
  ScenarioOptions options;
  options.scenario = scenario;
  for (const Override& change : overrides) options.set.push_back(change.pointer + "=" + change.value);
  return scenario_command("run", options);
}

bool has_model_quantity(const PublishedPoint& point) {
  return std::any_of(point.values.begin(), point.values.end(),
                     [](const MeasuredValue& value) { return value.quantity->of_model(); });
}

void RowRuns::add(const MeasuredCase& measured, const MeasuredRow& row, const std::string& scenario,
                  const std::vector<Override>& before) {
  std::vector<Override> overrides = before;
  overrides.insert(overrides.end(), row.set.begin(), row.set.end());
  overrides.insert(overrides.end(), changes_.begin(), changes_.end());
  ReadScenario read = read_scenario_file(scenario, overrides, read_platform_file);
  resolved_ += read.resolved;
  const auto [known, is_new] = known_.try_emplace({scenario, read.resolved}, scenarios_.size());
  runs_.push_back({.row = &row,
                   .model = has_model_quantity(row.point) ? measured_model(measured, row, read.scenario) : "",
                   .command = run_command(scenario, overrides),
                   .scenario = known->second});
  if (is_new) scenarios_.push_back(std::move(read.scenario));
}

ValidationRow RowRuns::next() {
  const RowRun& run = runs_[next_++];
  if (auto* failure = std::get_if<RunFailure>(&results_[run.scenario])) {
    failure->command =
        run.command + " --seed " + std::to_string(failure->seed) + " --replica " + std::to_string(failure->replica);
    throw RunFailed(*failure);
  }
  const Results& summary = std::get<Replicated>(results_[run.scenario]).summary;
  refuse_broken_laws(summary, run.command);
  return compared_row(*run.row, scenarios_[run.scenario], run.model, summary);
}

/// A hypothesis that is the case's own scenario is simulated already.
bool is_own_scenario(const MeasuredCase& measured, const MeasuredHypothesis& hypothesis) {
  return hypothesis.scenario == measured.about.scenario && hypothesis.set.empty();
}

ValidationCase validated_case(const MeasuredCase& measured, RowRuns& runs) {
  ValidationCase validation{.about = measured.about, .rows = {}};
  for (std::size_t i = 0; i < measured.rows.size(); ++i) validation.rows.push_back(runs.next());
  for (const MeasuredHypothesis& hypothesis : measured.about.hypotheses) {
    std::vector<std::vector<Estimate>>& rival = validation.rivals.emplace_back();
    const bool own = is_own_scenario(measured, hypothesis);
    for (std::size_t i = 0; i < measured.rows.size(); ++i) {
      rival.push_back(own ? validation.rows[i].simulated : runs.next().simulated);
    }
  }
  return validation;
}

}  // namespace

ValidationReport validated(std::span<const MeasuredCase> cases, const std::vector<Override>& changes,
                           const RunOptions& options) {
  RowRuns runs(changes);
  for (const MeasuredCase& measured : cases) {
    for (const MeasuredRow& row : measured.rows) runs.add(measured, row, measured.about.scenario, {});
    for (const MeasuredHypothesis& hypothesis : measured.about.hypotheses) {
      if (is_own_scenario(measured, hypothesis)) continue;
      for (const MeasuredRow& row : measured.rows) runs.add(measured, row, hypothesis.scenario, hypothesis.set);
    }
  }
  runs.run(options);
  ValidationReport report;
  report.provenance = provenance_of(runs.resolved(), runs.seed(), "");
  for (const Override& change : changes) {
    // Seed and precision change how well the scenario is known, not the scenario.
    if (!change.pointer.starts_with("/run/")) report.changes.push_back(change.pointer + "=" + change.value);
  }
  for (const MeasuredCase& measured : cases) report.cases.push_back(validated_case(measured, runs));
  return report;
}

}  // namespace saturn
