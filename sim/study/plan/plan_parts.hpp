#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "models/results/results.hpp"
#include "reports/deployment/deployment_text.hpp"
#include "reports/words/cells_text.hpp"
#include "reports/words/facts_text.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/plan/search/search.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/run_failure.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

namespace saturn {

/// Simulations that a search or a sensitivity asks for. One that gives no result is that candidate's own misfortune; an
/// interrupt and a broken law end everything.
class CandidateRuns {
 public:
  /// Whether replications are kept one by one, for paired differences.
  enum class Keep { summaries, replications };

  /// @param options  its `command` reproduces the user's scenario
  explicit CandidateRuns(RunOptions options, Keep keep = Keep::summaries) : options_(std::move(options)), keep_(keep) {}

  /// (n) one result a scenario, in order.
  /// @throws OutOfBudget       the deadline came before each scenario had a replication
  /// @throws RunFailed         interrupted
  /// @throws std::logic_error  a law is broken, with the command that repeats it
  std::vector<SearchedRun> evaluate(std::span<const SearchedScenario> scenarios);

  /// Which of them cells answered.
  const CellTally& cells() const { return cells_; }

  /// The same as a planner takes it; lives as long as this object.
  EvaluateEach evaluator() {
    return [this](std::span<const SearchedScenario> scenarios) { return evaluate(scenarios); };
  }

 private:
  RunOptions options_;
  Keep keep_;
  CellTally cells_;
};

/// By how much inputs may be off that do not say so themselves, relative [1].
inline constexpr double assumed_uncertainty = 0.1;

/// A command with more --set options.
std::string with_settings(std::string command, const std::vector<Override>& settings);

/// A result that has to be there.
/// @param given    the command that the runner got, with which a failure's begins
/// @param command  that stands in its place, and repeats the result
/// @throws OutOfBudget       the deadline came before there was a replication
/// @throws RunFailed         the simulation gave no result
/// @throws std::logic_error  a law is broken
Replicated answered(std::variant<Replicated, RunFailure> result, const std::string& given, const std::string& command);

/// The simulations that a planner asks for: it gets their summaries, and every failure and broken law stops the plan.
class PlannedRuns {
 public:
  /// @param original  the user's scenario, of which the planner's are variations
  /// @param options   its `command` reproduces the original
  PlannedRuns(const Scenario& original, RunOptions options);

  /// @throws OutOfBudget       the deadline came before each scenario had a replication
  /// @throws RunFailed         a simulation gave no result; its command carries the variation as --set
  /// @throws std::logic_error  a law is broken
  std::vector<Results> evaluate(std::span<const Scenario> scenarios);
  Results evaluate(const Scenario& scenario) { return evaluate(std::span(&scenario, 1)).front(); }
  /// The same where nobody looks at quantiles, from shorter windows of large systems.
  std::vector<Results> evaluate_means(std::span<const Scenario> scenarios);

  /// Which of them cells answered.
  const CellTally& cells() const { return cells_; }

  /// The command that runs a variation of the scenario: other numbers of jobs, nodes and devices.
  std::string command_of(const Scenario& variation) const;

 private:
  std::vector<Results> evaluated(std::span<const Scenario> scenarios, const RunOptions& options);

  const Scenario& original_;
  RunOptions options_;
  CellTally cells_;
};

/// Chooses the measurements that would contradict a plan, and simulates what they would give.
/// @param options            their `command` reproduces the scenario but for its seed
/// @param seed               that was given on the command line; the commands that repeat a prediction carry it
/// @param half_width         of the predicted clients per device, relative [1]
/// @param fitted_half_width  the part of it that fitted parameters leave open; 0: they are exact [1]
/// @throws RunFailed         a simulation gave no result; its command carries what was changed
/// @throws std::logic_error  a law is broken
Falsification falsified_plan(const Scenario& scenario, const RunOptions& options, std::optional<std::uint64_t> seed,
                             double half_width, double fitted_half_width);

/// What `plan` is asked.
struct PlanRequest {
  ScenarioOptions scenario{};
  MachineOptions machine{};
  OutputOptions output{};
  Methods methods = every_method;
  std::optional<std::string> slowdown{};  ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};      ///< tolerated; absent: 0.1 %
  std::optional<std::uint64_t> jobs{};    ///< in place of the scenario's own number
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

/// One replication, of which a window is recorded.
/// @throws RunFailed
RunTrace traced_run(const Scenario& scenario, std::uint32_t replica, const TraceWindow& window,
                    const RunOptions& options);

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
/// @param plan     what was required, and what would contradict it; the rest follows from the others
/// @param terms    what is bought beside what works
std::vector<AnswerFile> with_deployed(std::vector<AnswerFile> configs, const Scenario& planned, const Results& summary,
                                      const PlanRequest& request, DeployedPlan plan = {},
                                      const PurchaseTerms& terms = {});
/// The answer with these files, and its last words that say where they are.
Reply with_files(Reply reply, std::vector<AnswerFile> files);

/// What --set says to give jobs and batches a spread of 20 %; empty where nothing can have one.
/// @param has_fits  laws stand in fits, which have their own scatter
std::string settings_of_spread(const Scenario& scenario, bool has_fits);

/// Whether values are free, or requirements other than a slowdown made: then candidates are searched.
bool is_search(const PlanRequest& request);
/// The best of all candidates.
Reply plan_search(const PlanRequest& request, const ReadScenario& read, const Budget& budget, Monitor& monitor);

/// Widens the interval of the clients per device by what the scenario's fits leave open: each is drawn 200 times, and
/// the answer moves in proportion to the formulas' answer. Nothing happens without uncertain fits.
/// @throws InputError   fitted.too_uncertain
/// @throws OutOfBudget  the deadline came before; the plan is as it was
/// Cost: 200 formulas a fit, a fraction of a second
void add_calibration(Plan& plan, const ReadScenario& read, const PlanQuestion& question, const Deadline& deadline);

}  // namespace saturn
