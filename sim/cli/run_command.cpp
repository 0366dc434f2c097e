#include <functional>
#include <iostream>
#include <memory>
#include <span>
#include <utility>

#include "reports/run_report.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/budget.hpp"
#include "sim/cli/calibration_runs.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/explain.hpp"
#include "sim/cli/facts.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/cli/single_replica.hpp"
#include "sim/cli/unconfirmed_answer.hpp"
#include "sim/cli/written_files.hpp"
#include "sim/cli/written_traces.hpp"
#include "sim/run/replicate.hpp"

namespace saturn {

namespace {

struct RunCommandOptions {
  ScenarioOptions scenario;
  MachineOptions machine;
  OutputOptions output;
  std::optional<std::uint32_t> replica;
  std::optional<std::string> budget;
  bool explain = false;
  TraceOptions trace;
};

/// What every simulation of the verb may use.
struct Allowed {
  RunLimits limits;
  Budget budget;
};

RunOptions run_options_of(const RunCommandOptions& options, const Allowed& allowed, Progress& progress) {
  return {.processes = options.machine.processes,
          .limits = allowed.limits,
          .command = scenario_command("run", options.scenario),
          .progress = progress.callback(),
          .deadline = allowed.budget.deadline()};
}

/// Nothing where the budget ended before a replication was complete.
std::optional<Replicated> simulated(Scenario scenario, const RunCommandOptions& options, const Allowed& allowed) {
  const Budget& budget = allowed.budget;
  Progress progress(options.output.quiet, options.machine.timing);
  const RunOptions run_options = run_options_of(options, allowed, progress);
  if (budget.time()) scenario.run.max_replications = Budget::most_replications;
  auto result = options.replica ? replicate_one(scenario, *options.replica, run_options)
                                : replicate(std::span(&scenario, 1), run_options).at(0);
  progress.end();
  if (const auto* failure = std::get_if<RunFailure>(&result)) {
    if (failure->kind == FailureKind::out_of_budget) return std::nullopt;
    throw RunFailed(*failure);
  }
  return std::get<Replicated>(std::move(result));
}

/// Does what comes on top of the simulated scenario, unless the budget ends before.
/// @returns whether it was done
bool within_budget(const std::function<void()>& extra) {
  try {
    extra();
  } catch (const RunFailed& failed) {
    if (failed.exit_code() != ExitCode::precision_not_reached) throw;
    return false;
  }
  return true;
}

/// What repeats a run that a budget ended, or that went beyond the scenario's largest number of replications.
std::string settings_of_budget(const RunControl& control, const Replicated& result) {
  const std::uint64_t replications = result.summary.replications;
  if (!result.out_of_time && replications <= control.max_replications) return {};
  const std::string number = std::to_string(replications);
  return " --set /run/max_replications=" + number +
         (replications < control.min_replications ? " --set /run/min_replications=" + number : "");
}

/// Of the asked replication, or the first.
void trace(const TracePlan& plan, const RunCommandOptions& options, const ReadScenario& read, const Allowed& allowed) {
  Progress nothing_to_say(true, false);
  const std::uint32_t replica = options.replica.value_or(0);
  const std::string command = reproducing_command("run", options.scenario) + " --replica " + std::to_string(replica);
  write_traces(plan, options.trace, read, replica, command, run_options_of(options, allowed, nothing_to_say),
               options.output.quiet);
}

/// What the fits leave open.
void calibrate(Replicated& result, const ReadScenario& read, const RunCommandOptions& options, const Allowed& allowed) {
  if (uncertain_fits(read).empty()) return;
  Progress progress(options.output.quiet, options.machine.timing);
  add_calibration(result, read, options.scenario, run_options_of(options, allowed, progress));
  progress.end();
}

std::optional<Explanation> explanation_of(const ReadScenario& read, const Replicated& result,
                                          const RunCommandOptions& options, const Allowed& allowed) {
  if (!options.explain) return std::nullopt;
  Progress progress(options.output.quiet, options.machine.timing);
  Explanation explanation = explained(read, result, options.scenario, run_options_of(options, allowed, progress));
  progress.end();
  return explanation;
}

ExitCode run(const RunCommandOptions& options) {
  const Allowed allowed{.limits = limits_of(options.machine), .budget = Budget(options.budget)};
  const Budget& budget = allowed.budget;
  const ReadScenario read = load_scenario(options.scenario, options.output);
  refuse_to_overwrite(options.output);
  std::vector<OutputFile> written = files_of_out(options.output);
  if (options.trace.trace) written.push_back({"--trace", *options.trace.trace});
  if (options.trace.timeline) written.push_back({"--timeline", *options.trace.timeline});
  refuse_overlaps(written, files_read(read, options.scenario.scenario));
  const TracePlan traces = trace_plan(options.trace, read.scenario, options.output.force);
  std::string command = reproducing_command("run", options.scenario);
  if (options.replica) command += " --replica " + std::to_string(*options.replica);
  if (options.explain) command += " --explain";
  if (options.scenario.fits_exact) command += " --no-calibration-draws";

  std::optional<Replicated> complete = simulated(read.scenario, options, allowed);
  if (!complete)
    return give_unconfirmed({.provenance = provenance_of(read, command),
                             .budget_s = budget.time()->value,
                             .scenarios = {unconfirmed(options.scenario.scenario, read.scenario)}},
                            options.output);
  Replicated& result = *complete;
  command += settings_of_budget(read.scenario.run, result);
  refuse_broken_laws(result.summary, command);
  bool exact = options.scenario.fits_exact || options.replica;
  bool everything = true;
  if (!exact && !within_budget([&] { calibrate(result, read, options, allowed); })) {
    exact = true;
    everything = false;
  }
  std::optional<Explanation> explanation = explanation_of(read, result, options, allowed);
  if (explanation && budget.is_spent()) everything = false;
  if (!within_budget([&] { trace(traces, options, read, allowed); })) {
    everything = false;
    std::cerr << "saturn: the budget ended before the traced replication was complete; no file of it was written.\n";
  }
  Provenance provenance = provenance_of(read, command);
  provenance.fits_taken_as_exact = exact && !uncertain_fits(read).empty();
  const RunReport report{.provenance = std::move(provenance),
                         .facts = facts_of(read.scenario),
                         .summary = std::move(result.summary),
                         .references = reference_points(read.scenario),
                         .precision_reached = result.precision_reached,
                         .asked_precision = result.asked_precision,
                         .budget_s = budget.time() ? std::optional(budget.time()->value) : std::nullopt,
                         .out_of_time = result.out_of_time,
                         .replica = options.replica,
                         .explanation = std::move(explanation)};
  give({.table = [&](TextStyle style) { return run_table(report, style); },
        .json = [&] { return run_json(report); },
        .csv = [&] { return run_csv(report); }},
       options.output);
  const bool enough = everything && (report.precision_reached || options.replica.has_value());
  return enough ? ExitCode::answered : ExitCode::precision_not_reached;
}

}  // namespace

void add_run_command(CLI::App& program, Chosen& chosen) {
  const Verb verb(program, "run", "Simulate a scenario as it stands");
  const auto options = std::make_shared<RunCommandOptions>();
  add_scenario_options(verb, options->scenario);
  add_calibration_option(verb, options->scenario);
  add_machine_options(verb, options->machine);
  add_former_jobs(verb, options->machine.processes);
  add_output_options(verb, options->output);
  const VerbOption replica = verb.add_option("--replica", options->replica,
                                             "Simulate this replication alone (from 0), to look at one run again")
                                 .type_name("I");
  verb.add_flag("--explain", options->explain,
                "Also simulate what one more instance, a longer delay, larger batches or one more device would gain")
      .excludes(replica);
  add_budget_option(verb, options->budget,
                    "Replications until the precision or this wall time is reached, for example \"30 s\", in place of "
                    "/run/max_replications; what is not done by then is left out, and without a replication the "
                    "formulas answer, with exit code 4")
      .excludes(replica);
  add_trace_options(verb, options->trace);
  verb.footer(
      "Examples:\n"
      "  saturn run protodune-big-batch\n"
      "  saturn run first-steps --explain\n"
      "  saturn run first-steps --budget '30 s' --set '/run/precision=0.1 %'\n"
      "  saturn run protodune-big-batch --set /jobs/0/count=300 --set '/jobs/0/event/0/cpu=100 s'\n"
      "  saturn run first-steps --trace run.json --timeline run.csv\n"
      "  saturn run mine.json --trace busy.json --trace-from '20 min' --trace-for '30 s' --replica 2\n"
      "  saturn run mine.json --seed 7 --format json --out results");
  verb.answers(chosen, [options] { return run(*options); });
}

}  // namespace saturn
