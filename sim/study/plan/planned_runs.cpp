#include <span>
#include <utility>
#include <vector>

#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/single_runs.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

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
    cells_.take(replicated.summary);
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

Replicated answered(std::variant<Replicated, RunFailure> result, const std::string& given, const std::string& command) {
  if (auto* failure = std::get_if<RunFailure>(&result)) {
    if (failure->kind == FailureKind::out_of_budget) throw OutOfBudget();
    // The runner wrote what it added behind the command that it was given.
    failure->command = command + failure->command.substr(given.size());
    throw RunFailed(*failure);
  }
  refuse_broken_laws(std::get<Replicated>(result).summary, command);
  return std::get<Replicated>(std::move(result));
}

namespace {

std::string change(const std::string& list, std::size_t index, const std::string& key, std::uint64_t value) {
  return " --set /" + list + "/" + std::to_string(index) + "/" + key + "=" + std::to_string(value);
}

}  // namespace

PlannedRuns::PlannedRuns(const Scenario& original, RunOptions options)
    : original_(original), options_(std::move(options)) {}

std::string PlannedRuns::command_of(const Scenario& variation) const {
  std::string command = options_.command;
  for (std::size_t i = 0; i < variation.jobs.size() && i < original_.jobs.size(); ++i) {
    if (variation.jobs[i].count != original_.jobs[i].count)
      command += change("jobs", i, "count", variation.jobs[i].count);
  }
  for (std::size_t i = 0; i < variation.servers.size() && i < original_.servers.size(); ++i) {
    const Server& now = variation.servers[i];
    const Server& before = original_.servers[i];
    if (now.nodes != before.nodes) command += change("servers", before.place, "nodes", now.nodes);
    if (now.devices.count != before.devices.count)
      command += change("servers", before.place, "devices/count", now.devices.count);
  }
  if (const auto cycles = variation.run.cycles; cycles && cycles != original_.run.cycles)
    command += " --set /run/cycles=" + std::to_string(*cycles);
  if (variation.run.brief && !original_.run.brief) command += " --set /run/brief=true";
  return command;
}

std::vector<Results> PlannedRuns::evaluate(std::span<const Scenario> scenarios) {
  return evaluated(scenarios, options_);
}

std::vector<Results> PlannedRuns::evaluate_means(std::span<const Scenario> scenarios) {
  RunOptions options = options_;
  options.quantiles = false;
  return evaluated(scenarios, options);
}

std::vector<Results> PlannedRuns::evaluated(std::span<const Scenario> scenarios, const RunOptions& options) {
  auto results = replicate(scenarios, options);
  std::vector<Results> summaries;
  for (std::size_t i = 0; i < results.size(); ++i) {
    summaries.push_back(answered(std::move(results[i]), options_.command, command_of(scenarios[i])).summary);
    cells_.take(summaries.back());
  }
  return summaries;
}

namespace {

template <class Test>
Results simulate_test(const ChosenTest<Test>& chosen, RunOptions options) {
  options.command = with_settings(options.command, chosen.settings);
  PlannedRuns runs(chosen.scenario, std::move(options));
  return runs.evaluate(chosen.scenario);
}

ModelTest predicted_model(const ChosenTest<ModelTest>& chosen, const RunOptions& options, const std::string& with_seed,
                          double fitted_half_width) {
  if (!chosen.test.why_not.empty()) return chosen.test;
  ModelTest test = predicted(chosen, simulate_test(chosen, options), fitted_half_width);
  for (std::string& word : test.command) word = shell_word(word);
  if (!chosen.settings.empty()) test.again = with_settings(options.command, chosen.settings) + with_seed;
  return test;
}

}  // namespace

Falsification falsified_plan(const Scenario& scenario, const RunOptions& options, std::optional<std::uint64_t> seed,
                             double half_width, double fitted_half_width) {
  const std::string with_seed = seed_option(seed);
  Falsification falsification{.margin = falsifying_margin(half_width), .fitted_half_width = fitted_half_width};
  const ChosenJobs jobs = choose_jobs(scenario, falsification.margin);
  falsification.why_no_jobs = jobs.why_not;
  if (jobs.why_not.empty()) {
    const Results summary = simulate_test(jobs.chosen, options);
    falsification.jobs = predicted(jobs.chosen, summary, falsification.margin, fitted_half_width);
    falsification.jobs->again = with_settings(options.command, jobs.chosen.settings) + with_seed;
  }
  for (const ChosenTest<ModelTest>& chosen : choose_models(scenario, falsification.margin))
    falsification.models.push_back(predicted_model(chosen, options, with_seed, fitted_half_width));
  return falsification;
}

RunTrace traced_run(const Scenario& scenario, std::uint32_t replica, const TraceWindow& window,
                    const RunOptions& options) {
  auto result = trace_run(scenario, replica, window, options);
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw RunFailed(*failure);
  return std::move(std::get<TracedRun>(result).trace);
}

}  // namespace saturn
