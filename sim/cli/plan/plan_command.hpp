#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/plan/emitted_files.hpp"
#include "sim/plan/question/free_options.hpp"

namespace saturn {

/// What `saturn plan` was asked.
struct PlanOptions {
  ScenarioOptions scenario{};
  MachineOptions machine{};
  OutputOptions output{};
  std::optional<std::string> slowdown{};   ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};       ///< tolerated; absent: 0.1 %
  std::optional<std::uint64_t> jobs{};     ///< in place of the scenario's own number
  std::optional<std::uint64_t> clients{};  ///< the same in event loops, under a former name
  bool past_saturation = false;
  bool falsify = false;
  SearchOptions search{};               ///< what is free, required and best; its slowdown is taken from above
  std::optional<std::string> budget{};  ///< wall time for simulations
  std::uint64_t spare_nodes = 0;
  std::optional<std::string> availability{};       ///< instead of spare nodes: that all working ones are up
  std::optional<std::string> node_availability{};  ///< of one node alone
  bool sensitivity = false;
  std::optional<std::string> emit{};  ///< folder for the models' config.pbtxt
};

/// The command that repeats a plan.
std::string command_of(const PlanOptions& options);

/// For how many event loops devices are asked; absent: for those of the scenario.
/// @throws InputError  plan.too_many_jobs
std::optional<std::uint64_t> asked_clients(const PlanOptions& options, const Scenario& scenario);

/// The models' files and the names of those that go beside them; what is wrong with them shows before anything is
/// simulated. Plans of jobs and of arrivals vary no models, so their files are known then.
std::vector<EmittedConfig> configs_to_emit(const Scenario& scenario, const PlanOptions& options);
/// The same with what deploys them and what would contradict the plan. Nothing without --emit.
/// @param planned  the scenario with the plan's jobs and devices
/// @param summary  of its simulation
/// @param plan     its command is filled in here
std::vector<EmittedConfig> with_deployed(std::vector<EmittedConfig> configs, const Scenario& planned,
                                         const Results& summary, const PlanOptions& options, DeployedPlan plan);
/// Writes them and says so.
void emit(const std::vector<EmittedConfig>& configs, bool quiet);

/// How many jobs a device carries, and how many devices the jobs need.
ExitCode plan_clients(const PlanOptions& options, const ReadScenario& read, const Budget& budget);
/// Whether values are free, or requirements other than a slowdown made: then candidates are searched.
bool is_search(const PlanOptions& options);
/// The best of all candidates.
ExitCode plan_search(const PlanOptions& options, const ReadScenario& read, const Budget& budget);
/// How many devices events need that arrive from outside.
ExitCode plan_arrivals(const PlanOptions& options, const ReadScenario& read);

}  // namespace saturn
