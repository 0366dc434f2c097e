#include "sim/cli/planned_runs.hpp"

#include <utility>

#include "sim/cli/run_failed.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

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
  if (variation.run.cycles != original_.run.cycles)
    command += " --set /run/cycles=" + std::to_string(variation.run.cycles);
  return command;
}

std::vector<Results> PlannedRuns::evaluate(std::span<const Scenario> scenarios) {
  auto results = replicate(scenarios, options_);
  std::vector<Results> summaries;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string command = command_of(scenarios[i]);
    if (auto* failure = std::get_if<RunFailure>(&results[i])) {
      if (failure->kind == FailureKind::out_of_budget) throw OutOfBudget();
      // The runner wrote what it added behind the command that it was given.
      failure->command = command + failure->command.substr(options_.command.size());
      throw RunFailed(*failure);
    }
    auto& replicated = std::get<Replicated>(results[i]);
    refuse_broken_laws(replicated.summary, command);
    summaries.push_back(std::move(replicated.summary));
  }
  return summaries;
}

}  // namespace saturn
