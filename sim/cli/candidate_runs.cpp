#include "sim/cli/candidate_runs.hpp"

#include <utility>

#include "sim/cli/command_line.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

namespace {

/// What happened is the candidate's, unless the user or the machine stopped it or the program is wrong.
std::string told(RunFailure failure, const std::string& command, const std::string& with) {
  failure.command = with + failure.command.substr(command.size());
  const RunFailed failed(failure);
  if (failed.exit_code() != ExitCode::input || failure.kind == FailureKind::killed) throw RunFailed(failure);
  return std::string(name_of(failure.kind)) + ": " + failure.message;
}

}  // namespace

std::string with_settings(std::string command, const std::vector<Override>& settings) {
  for (const Override& one : settings) command += " --set " + shell_word(text_of(one));
  return command;
}

std::vector<SearchedRun> CandidateRuns::evaluate(std::span<const SearchedScenario> scenarios) {
  std::vector<Scenario> plain;
  plain.reserve(scenarios.size());
  for (const SearchedScenario& one : scenarios) plain.push_back(one.scenario);
  auto results = replicate(plain, options_);
  std::vector<SearchedRun> runs;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string command = with_settings(options_.command, scenarios[i].settings);
    if (auto* failure = std::get_if<RunFailure>(&results[i])) {
      if (failure->kind == FailureKind::out_of_budget) throw OutOfBudget();
      runs.push_back({.failure = told(std::move(*failure), options_.command, command)});
      continue;
    }
    auto& replicated = std::get<Replicated>(results[i]);
    refuse_broken_laws(replicated.summary, command);
    SearchedRun run{.summary = std::move(replicated.summary)};
    for (const RunOutcome& outcome : replicated.outcomes) {
      run.requests += outcome.requests;
      if (keep_ == Keep::replications)
        run.replications.push_back(summarise(std::span(&outcome, 1), scenarios[i].scenario.run.confidence));
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace saturn
