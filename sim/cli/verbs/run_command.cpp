#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <span>
#include <utility>

#include "models/results/calibrated_results.hpp"
#include "reports/run/explanation.hpp"
#include "reports/run/run_report.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/cli/verbs/written_traces.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/plan/comparison/neighbours.hpp"
#include "sim/plan/system_facts.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/single_runs.hpp"

namespace saturn {

/// Simulates one replication alone, in a forked child: the same run as replicate() makes under that number.
/// @param index  from 0
std::variant<Replicated, RunFailure> replicate_one(Scenario scenario, std::uint32_t index, const RunOptions& options) {
  scenario.run.min_replications = 1;
  scenario.run.max_replications = 1;
  const Simulator one{.run =
                          [index](const Scenario& same, const Replica& first) {
                            Replica asked = first;
                            asked.index = index;
                            return simulate(same, asked);
                          },
                      .length = run_length_for};
  auto result = replicate_with(one, std::span(&scenario, 1), options).at(0);
  if (auto* failure = std::get_if<RunFailure>(&result)) {
    failure->replica = index;
    failure->command =
        options.command + " --seed " + std::to_string(failure->seed) + " --replica " + std::to_string(index);
  }
  return result;
}

namespace {

// Matched draws give a linear effect exactly with any number above the parameters'; the rest averages noise.
constexpr std::size_t fewest_draws = 16;
constexpr std::size_t usual_draws = 32;
constexpr std::size_t most_draws = 64;

std::size_t draws_for(const UsedFit& fit, std::size_t replications) {
  const std::size_t wanted = std::clamp(replications, fewest_draws, usual_draws);
  return std::min(std::max(wanted, 2 * fit.parameters.values.size() + 4), most_draws);
}

/// A drawn scenario as its partner was simulated.
SingleRun run_of(DrawnScenario drawn, std::uint32_t partner, const Replicated& original,
                 const ScenarioOptions& options) {
  ScenarioOptions changed = options;
  for (const Override& change : drawn.changes) changed.set.push_back(text_of(change));
  if (drawn.scenario.run.cycles != original.cycles)
    changed.set.push_back("/run/cycles=" + std::to_string(original.cycles));
  drawn.scenario.run.cycles = original.cycles;
  const std::string command = scenario_command("run", changed) + " --seed " + std::to_string(drawn.scenario.run.seed) +
                              " --replica " + std::to_string(partner);
  return {.scenario = std::move(drawn.scenario), .replica = partner, .command = command};
}

RunOutcome outcome_of(std::variant<RunOutcome, RunFailure> result, const SingleRun& run, double confidence) {
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw RunFailed(*failure);
  RunOutcome outcome = std::get<RunOutcome>(std::move(result));
  refuse_broken_laws(summarise(std::span(&outcome, 1), confidence), run.command);
  return outcome;
}

}  // namespace

/// Simulates the scenario with drawn parameters of each of its fits, and widens the intervals of the result by what
/// that changes. Nothing happens without uncertain fits.
/// @param options      the scenario's own, for the commands that repeat single runs
/// @param run_options  how to run
/// @throws RunFailed         a run gave no result
/// @throws InputError        fitted.too_uncertain
/// @throws std::logic_error  a law is broken
/// Cost: 16 to 64 runs a fit
void add_calibration(Replicated& result, const ReadScenario& read, const ScenarioOptions& options,
                     const RunOptions& run_options) {
  const double confidence = read.scenario.run.confidence;
  std::vector<DrawnRuns> fits;
  std::vector<SingleRun> runs;
  for (const std::size_t number : uncertain_fits(read)) {
    const UsedFit& fit = read.fits[number];
    DrawnScenarios drawn = drawn_scenarios(read, number, draws_for(fit, result.outcomes.size()));
    DrawnRuns one{.about = fit.about,
                  .factor = interval_factor(fit.parameters, confidence),
                  .draws = std::move(drawn.draws),
                  .outcomes = {},
                  .partners = {}};
    for (DrawnScenario& scenario : drawn.scenarios) {
      const auto partner = static_cast<std::uint32_t>(one.partners.size() % result.outcomes.size());
      one.partners.push_back(partner);
      runs.push_back(run_of(std::move(scenario), partner, result, options));
    }
    fits.push_back(std::move(one));
  }
  if (fits.empty()) return;
  auto results = simulate_each(runs, run_options);
  std::size_t next = 0;
  for (DrawnRuns& fit : fits)
    for (std::size_t r = 0; r < fit.partners.size(); ++r, ++next)
      fit.outcomes.push_back(outcome_of(std::move(results[next]), runs[next], confidence));
  widen(result.summary, result.outcomes, fits);
}

namespace {

/// A neighbour with the scenario that the reader made of it.
struct Variant {
  Neighbour neighbour;
  std::string command;  ///< that repeats it
  Scenario scenario;
};

ScenarioOptions varied(ScenarioOptions options, const Neighbour& neighbour) {
  for (const Override& setting : neighbour.settings) options.set.push_back(text_of(setting));
  return options;
}

std::string complaints_of(const InputError& error) {
  return "the scenario would be refused: " + in_one_line(error);
}

/// As many replications as the original has, over windows as long, so that each has its partner.
void pair_with(const Replicated& original, Variant& variant) {
  RunControl& run = variant.scenario.run;
  if (run.cycles != original.cycles) variant.command += " --set /run/cycles=" + std::to_string(original.cycles);
  run.cycles = original.cycles;
  run.min_replications = run.max_replications = original.summary.replications;
}

std::vector<Variant> variants_of(const ReadScenario& read, const Replicated& original, const ScenarioOptions& options,
                                 Explanation& explanation) {
  Neighbours found = neighbours(read.scenario);
  explanation.left_out = std::move(found.left_out);
  std::vector<Variant> variants;
  for (Neighbour& neighbour : found.changes) {
    const ScenarioOptions changed = varied(options, neighbour);
    try {
      Scenario scenario = read_scenario_file(changed.scenario, overrides_of(changed), read_platform_file).scenario;
      variants.push_back({.neighbour = std::move(neighbour),
                          .command = scenario_command("run", changed),
                          .scenario = std::move(scenario)});
      pair_with(original, variants.back());
    } catch (const InputError& refused) {
      explanation.left_out.push_back({.what = neighbour.what, .why = complaints_of(refused)});
    }
  }
  return variants;
}

/// What a failure leaves to say of a variant; only the user's own limits are no reason to stop.
std::string why_not(RunFailure failure, const Variant& variant, const std::string& command) {
  // The runner wrote what it added behind the command that it was given.
  failure.command = variant.command + failure.command.substr(command.size());
  if (failure.kind == FailureKind::out_of_budget) return failure.message;
  const bool says_why = failure.kind == FailureKind::out_of_time || failure.kind == FailureKind::out_of_memory ||
                        failure.kind == FailureKind::killed || failure.kind == FailureKind::no_answer;
  if (!says_why) throw RunFailed(failure);
  return failure.message + "; again: " + failure.command;
}

}  // namespace

/// Simulates what one change at a time would gain (see sim/plan/comparison/neighbours.hpp): as many replications as the
/// original had, with the same random numbers and windows, all variants in parallel.
/// @param read      the original, and `options` what it was read from
/// @param original  its result
/// @returns the changes, best first; a variant that the reader refuses is left out with its complaints, one that passes
///          the limits of time or memory has no result
/// @throws RunFailed         a simulation was interrupted or failed through our fault
/// @throws std::logic_error  a variant breaks a law
Explanation simulate_neighbours(const ReadScenario& read, const Replicated& original, const ScenarioOptions& options,
                                const RunOptions& run_options) {
  Explanation explanation;
  const std::vector<Variant> variants = variants_of(read, original, options, explanation);
  std::vector<Scenario> scenarios;
  for (const Variant& variant : variants) scenarios.push_back(variant.scenario);
  auto results = replicate(scenarios, run_options);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const Neighbour& neighbour = variants[i].neighbour;
    ExplainedChange change{.neighbour = neighbour, .effect = {}, .why_not = {}};
    if (auto* failure = std::get_if<RunFailure>(&results[i])) {
      change.why_not = why_not(std::move(*failure), variants[i], run_options.command);
    } else {
      const auto& result = std::get<Replicated>(results[i]);
      refuse_broken_laws(result.summary, variants[i].command);
      change.effect = paired_change(original.outcomes, result.outcomes, neighbour.calls, read.scenario.run.confidence);
    }
    explanation.changes.push_back(std::move(change));
  }
  sort_by_gain(explanation.changes);
  return explanation;
}

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

RunOptions make_run_options(const RunCommandOptions& options, const Allowed& allowed, Progress& progress) {
  return {.processes = options.machine.processes,
          .limits = allowed.limits,
          .command = scenario_command("run", options.scenario),
          .progress = progress.callback(),
          .deadline = allowed.budget.deadline()};
}

/// Nothing where the budget ended before a replication was complete.
std::optional<Replicated> simulate_within_budget(Scenario scenario, const RunCommandOptions& options,
                                                 const Allowed& allowed) {
  const Budget& budget = allowed.budget;
  Progress progress(options.output.quiet, options.machine.timing);
  const RunOptions run_options = make_run_options(options, allowed, progress);
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

/// Of the asked replication, or the first.
void trace(const TracePlan& plan, const RunCommandOptions& options, const ReadScenario& read, const Allowed& allowed) {
  Progress nothing_to_say(true, false);
  const std::uint32_t replica = options.replica.value_or(0);
  const std::string command = reproducing_command("run", options.scenario) + " --replica " + std::to_string(replica);
  write_traces(plan, options.trace, read, replica, command, make_run_options(options, allowed, nothing_to_say),
               options.output.quiet);
}

/// What the fits leave open.
void calibrate(Replicated& result, const ReadScenario& read, const RunCommandOptions& options, const Allowed& allowed) {
  if (uncertain_fits(read).empty()) return;
  Progress progress(options.output.quiet, options.machine.timing);
  add_calibration(result, read, options.scenario, make_run_options(options, allowed, progress));
  progress.end();
}

std::optional<Explanation> explanation_of(const ReadScenario& read, const Replicated& result,
                                          const RunCommandOptions& options, const Allowed& allowed) {
  if (!options.explain) return std::nullopt;
  Progress progress(options.output.quiet, options.machine.timing);
  Explanation explanation =
      simulate_neighbours(read, result, options.scenario, make_run_options(options, allowed, progress));
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

  std::optional<Replicated> complete = simulate_within_budget(read.scenario, options, allowed);
  if (!complete)
    return give_unconfirmed({.provenance = provenance_of(read, command),
                             .budget_s = budget.time()->value,
                             .scenarios = {{.name = options.scenario.scenario, .scenario = read.scenario}}},
                            options.output);
  Replicated& result = *complete;
  command += settings_of_replications(read.scenario.run, result.summary.replications, result.out_of_time);
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
                         .facts = gather_facts(read.scenario),
                         .summary = std::move(result.summary),
                         .references = reference_points(read.scenario),
                         .precision_reached = result.precision_reached,
                         .asked_precision = result.asked_precision,
                         .budget_s = budget.time() ? std::optional(budget.time()->value) : std::nullopt,
                         .out_of_time = result.out_of_time,
                         .replica = options.replica,
                         .explanation = std::move(explanation)};
  give(run_answer(report), options.output);
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
