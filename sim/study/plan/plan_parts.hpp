#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/deployment/deployment_text.hpp"
#include "reports/words/facts_text.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/run/run_failure.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// What `plan` is asked.
struct PlanRequest {
  ScenarioOptions scenario{};
  MachineOptions machine{};
  OutputOptions output{};
  std::optional<std::string> slowdown{};   ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};       ///< tolerated; absent: 0.1 %
  std::optional<std::uint64_t> jobs{};     ///< in place of the scenario's own number
  std::optional<std::uint64_t> clients{};  ///< the same in streams, under a former name
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

/// The config.pbtxt of every model, in the layout of Triton's model repository: FOLDER/<model>/config.pbtxt. A model
/// that was read from such a file keeps what the scenario does not change. Makes the folder but writes no file: what is
/// wrong shows before anything is simulated, with deployment_files() that are there already. Plans of jobs and of
/// arrivals vary no models, so their files are known then. Nothing without --emit.
/// @throws InputError  emit.no_name, emit.not_a_folder, emit.not_writable, emit.exists, emit.not_a_folder_name,
///                     emit.name_taken, emit.other_ensemble, emit.not_readable, or what is wrong with the model's own
///                     file
std::vector<AnswerFile> configs_to_emit(const Scenario& scenario, const PlanRequest& request);

/// The scenario with as many clients and devices as a plan found.
/// @param devices  a number that DeviceFleet's steps reach
Scenario planned_scenario(const Scenario& scenario, double clients, std::uint64_t devices);

/// The models' files with what deploys them and what would contradict the plan. Nothing without --emit.
/// @param planned  the scenario with the plan's jobs and devices
/// @param summary  of its simulation
/// @param plan     its command is filled in here
std::vector<AnswerFile> with_deployed(std::vector<AnswerFile> configs, const Scenario& planned, const Results& summary,
                                      const PlanRequest& request, DeployedPlan plan);
/// The answer with these files, and its last words that say where they are.
Reply with_files(Reply reply, std::vector<AnswerFile> files);

/// How many jobs a device carries, and how many devices the jobs need.
Reply plan_clients(const PlanRequest& request, const ReadScenario& read, const Budget& budget, Monitor& monitor);
/// Whether values are free, or requirements other than a slowdown made: then candidates are searched.
bool is_search(const PlanRequest& request);
/// The best of all candidates.
Reply plan_search(const PlanRequest& request, const ReadScenario& read, const Budget& budget, Monitor& monitor);
/// How many devices events need that arrive from outside.
Reply plan_arrivals(const PlanRequest& request, const ReadScenario& read, Monitor& monitor);

/// Widens the interval of the clients per device by what the scenario's fits leave open: each is drawn 200 times, and
/// the answer moves in proportion to the formulas' answer. Nothing happens without uncertain fits.
/// @throws InputError   fitted.too_uncertain
/// @throws OutOfBudget  the deadline came before; the plan is as it was
/// Cost: 200 formulas a fit, a fraction of a second
void add_calibration(Plan& plan, const ReadScenario& read, const PlanQuestion& question, const Deadline& deadline);

}  // namespace saturn
