#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/results/calibrated_results.hpp"
#include "models/results/farm_outcome.hpp"
#include "reports/run/check_report.hpp"
#include "reports/run/explanation.hpp"
#include "reports/run/run_report.hpp"
#include "reports/run/trace_json.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/cell.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/formula/system.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/comparison/neighbours.hpp"
#include "sim/run/read_platform.hpp"
#include "sim/run/replications.hpp"
#include "sim/run/single_runs.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/plan/plan_parts.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

namespace {

/// Which files show one run moment by moment.
struct TraceOptions {
  std::optional<std::string> trace{};     ///< file of --trace
  std::optional<std::string> timeline{};  ///< file of --timeline
  std::optional<std::string> from{};
  std::optional<std::string> length{};
};

/// The windows that the files show.
struct TracePlan {
  std::optional<TraceWindow> trace{};
  std::optional<TraceWindow> timeline{};
};

constexpr std::size_t counter_samples = 200;           // beside the spans of a trace
constexpr std::size_t written_timeline_samples = 500;  // alone

std::optional<double> moment(const std::string& text, Complaints& complaints) {
  const ReadQuantity read = read_quantity(text, Dimension::duration);
  if (read.reading == QuantityReading::good && read.value >= 0.0) return read.value;
  complaints.add("--trace-from", "option.not_a_quantity",
                 "--trace-from is \"" + text +
                     "\"; a moment of simulated time, not below 0, needs its unit (ms, s, min, h), for example \"0 s\" "
                     "or \"20 min\".");
  return std::nullopt;
}

void refuse_files(const TraceOptions& options, bool force, Complaints& complaints) {
  if (options.trace) complaints.of([&] { refuse_to_replace("--trace", *options.trace, force); });
  if (options.timeline) complaints.of([&] { refuse_to_replace("--timeline", *options.timeline, force); });
  if (options.trace || options.timeline) return;
  for (const auto& [name, given] : {std::pair{"--trace-from", options.from}, {"--trace-for", options.length}})
    if (given)
      complaints.add(name, "option.needs_trace",
                     std::string(name) + " chooses what is recorded; name a file for it with --trace or --timeline.");
}

TraceWindow chosen(TraceWindow window, std::optional<double> from, std::optional<double> length) {
  if (from) window.from_s = *from;
  if (length) window.length_s = *length;
  return window;
}

std::string seconds(double value) {
  return number_text(value, 6) + " s";
}

/// "wrote FILE: 200 spans from 0 s to 3 s of simulated time"
std::string words_on(const RunTrace& trace, const std::string& file, std::size_t count, const std::string& what) {
  return "wrote " + file + ": " + whole_text(count) + " " + what + " from " + seconds(trace.begin_s) + " to " +
         seconds(trace.end_s) + " of simulated time";
}

std::string words_if_cut(const RunTrace& trace, const TraceWindow& window) {
  if (!trace.cut) return "";
  return "  It is full: what was asked for is " + seconds(window.length_s) +
         ". Ask for less with --trace-for, or for another part with --trace-from.\n";
}

/// Checks the options before anything is simulated.
/// @param force  files that exist may be replaced
/// @throws InputError  option.needs_trace, option.not_a_quantity, trace.beyond_run, trace.same_file, out.exists and
/// what else
///                     refuse_to_replace() says
TracePlan trace_plan(const TraceOptions& options, const Scenario& scenario, bool force) {
  Complaints complaints;
  refuse_files(options, force, complaints);
  std::optional<double> from;
  std::optional<double> length;
  if (options.from) from = moment(*options.from, complaints);
  if (options.length) complaints.of([&] { length = parse_duration("--trace-for", *options.length).value; });
  if (!options.trace && !options.timeline) {
    complaints.raise();
    return {};
  }
  const double end_s = end_of_replication_s(scenario);
  if (from && *from >= end_s)
    complaints.add("--trace-from", "trace.beyond_run",
                   "--trace-from is \"" + *options.from + "\", but the run ends at " + seconds(end_s) +
                       " of simulated time; choose an earlier moment, or a longer run with /run/cycles.");
  complaints.raise();
  TracePlan plan;
  if (options.trace) {
    plan.trace = chosen(steady_window(scenario), from, length);
    plan.trace->samples = counter_samples;
  }
  if (options.timeline) plan.timeline = chosen(whole_run_window(scenario, written_timeline_samples), from, length);
  return plan;
}

/// Simulates the replication again, with a trace, and writes the files; says what they hold.
/// @param command  repeats the run
/// @throws RunFailed, InputError  out.not_writable
void write_traces(const TracePlan& plan, const TraceOptions& options, const ReadScenario& read, std::uint32_t replica,
                  const std::string& command, const RunOptions& run_options, Monitor& monitor) {
  if (plan.trace) {
    const RunTrace trace = traced_run(read.scenario, replica, *plan.trace, run_options);
    const TracedRunFacts facts{
        .provenance = provenance_of(read, command), .title = read.scenario.title, .replica = replica};
    write_new_file({"--trace", *options.trace, trace_json(trace, facts)});
    monitor.note(words_on(trace, *options.trace, trace.spans.size(), "spans") +
                 "; open it at https://ui.perfetto.dev\n" + words_if_cut(trace, *plan.trace));
  }
  if (plan.timeline) {
    const RunTrace trace = traced_run(read.scenario, replica, *plan.timeline, run_options);
    write_new_file({"--timeline", *options.timeline, timeline_csv(trace)});
    monitor.note(words_on(trace, *options.timeline, trace.sample_ends_s.size(), "samples") + "\n");
  }
}

/// Simulates one replication alone, in a forked child: the same run as replicate() makes under that number.
/// @param index  from 0
std::variant<Replicated, RunFailure> replicate_one(Scenario scenario, std::uint32_t index, const RunOptions& options) {
  scenario.run.min_replications = 1;
  scenario.run.max_replications = 1;
  const Simulator one{.run =
                          [index](const System& same, const Replica& first) {
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
  // The counts of jobs are the original's, and so is what rounding makes of them.
  constexpr double any_rounding = 1.0;
  if (const std::optional<AnsweringCell>& cell = original.summary.cell)
    drawn.scenario = cell_of(drawn.scenario, cell->parts, any_rounding).value().scenario;
  ScenarioOptions changed = options;
  for (const Override& change : drawn.changes) changed.set.push_back(text_of(change));
  if (original.cycles && drawn.scenario.run.cycles != original.cycles)
    changed.set.push_back("/run/cycles=" + std::to_string(*original.cycles));
  drawn.scenario.run.cycles = original.cycles;
  const std::string command = scenario_command("run", changed) + " --seed " + std::to_string(drawn.scenario.run.seed) +
                              " --replica " + std::to_string(partner);
  return {.scenario = std::move(drawn.scenario), .replica = partner, .command = command};
}

/// @param original  what it stands beside: of a farm that a cell answered, an outcome of the whole
RunOutcome outcome_of(std::variant<RunOutcome, RunFailure> result, const SingleRun& run, const ReadScenario& read,
                      const Replicated& original) {
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw RunFailed(*failure);
  RunOutcome outcome = std::get<RunOutcome>(std::move(result));
  refuse_broken_laws(summarise(std::span(&outcome, 1), read.scenario.run.confidence), run.command);
  if (const std::optional<AnsweringCell>& cell = original.summary.cell)
    return farm_outcome(std::move(outcome), System(read.scenario).network, cell->factor());
  return outcome;
}

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
      fit.outcomes.push_back(outcome_of(std::move(results[next]), runs[next], read, result));
  widen(result.summary, result.outcomes, fits);
}

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
  if (original.cycles && run.cycles != original.cycles)
    variant.command += " --set /run/cycles=" + std::to_string(*original.cycles);
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

/// Simulates what one change at a time would gain (see sim/plan/comparison/neighbours.hpp): as many replications as the
/// original had, with the same random numbers and windows, all variants in parallel.
/// @param read      the original, and `options` what it was read from
/// @param original  its result
/// @returns the changes, best first; a variant that the reader refuses is left out with its complaints, one that passes
///          the limits of time or memory has no result
/// @throws RunFailed         a simulation was interrupted or failed through our fault
/// @throws std::logic_error  a variant breaks a law
Explanation simulate_neighbours(const ReadScenario& read, const Replicated& original, const ScenarioOptions& options,
                                RunOptions run_options) {
  // Variants are as large as what answered the original.
  const std::optional<AnsweringCell>& cell = original.summary.cell;
  if (cell && !cell->is_whole())
    run_options.cell_streams = cell->streams;
  else
    run_options.whole = true;
  Explanation explanation;
  const std::vector<Variant> variants = variants_of(read, original, options, explanation);
  const std::set<std::string> spoiling = models_that_spoil(read.scenario, read.scenario.jobs);
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
      change.effect = paired_change(original.outcomes, result.outcomes, neighbour.calls, spoiling,
                                    read.scenario.run.confidence, original.stopping);
    }
    explanation.changes.push_back(std::move(change));
  }
  sort_by_gain(explanation.changes);
  return explanation;
}

struct RunRequest {
  ScenarioOptions scenario{};
  MachineOptions machine{};
  OutputOptions output{};
  std::optional<std::uint32_t> replica{};
  std::optional<std::string> budget{};
  bool explain = false;
  TraceOptions trace{};
};

RunRequest run_request(const TypedCommand& typed) {
  RunRequest request{
      .scenario = scenario_options(typed), .machine = machine_options(typed), .output = output_options(typed)};
  typed.take("--replica", request.replica);
  typed.take("--explain", request.explain);
  typed.take("--budget", request.budget);
  typed.take("--trace", request.trace.trace);
  typed.take("--timeline", request.trace.timeline);
  typed.take("--trace-from", request.trace.from);
  typed.take("--trace-for", request.trace.length);
  return request;
}

/// What was asked, with what its simulations may use.
struct AskedRun {
  const RunRequest& request;
  RunLimits limits;
  Budget budget;
  Monitor& monitor;

  RunOptions options(Progress* progress) const {
    return run_options_of(request.machine, limits, request.scenario, budget.deadline(), progress);
  }
};

/// Why there is no simulation to answer with.
struct NotSimulated {
  std::string refused{};  ///< what is too large; empty: the budget ended before a replication was complete
};

std::variant<Replicated, NotSimulated> simulate_within_budget(Scenario scenario, const AskedRun& asked) {
  Progress progress(asked.monitor);
  const RunOptions options = asked.options(&progress);
  if (asked.budget.time()) scenario.run.max_replications = Budget::most_replications;
  auto result = asked.request.replica ? replicate_one(scenario, *asked.request.replica, options)
                                      : replicate(std::span(&scenario, 1), options).at(0);
  progress.end();
  if (const auto* failure = std::get_if<RunFailure>(&result)) {
    if (failure->kind == FailureKind::out_of_budget) return NotSimulated{};
    if (failure->too_large && !asked.request.replica) return NotSimulated{.refused = failure->message};
    throw RunFailed(*failure);
  }
  return std::get<Replicated>(std::move(result));
}

/// Of the asked replication, or the first.
void trace(const TracePlan& plan, const ReadScenario& read, const AskedRun& asked) {
  const RunRequest& request = asked.request;
  const std::uint32_t replica = request.replica.value_or(0);
  const std::string command = reproducing_command("run", request.scenario) + " --replica " + std::to_string(replica);
  write_traces(plan, request.trace, read, replica, command, asked.options(nullptr), asked.monitor);
}

}  // namespace

Reply answer_run(const TypedCommand& typed, Monitor& monitor) {
  const RunRequest request = run_request(typed);
  const AskedRun asked{
      .request = request, .limits = limits_of(request.machine), .budget = Budget(request.budget), .monitor = monitor};
  const ReadScenario read = load_scenario(request.scenario, monitor);
  std::vector<OutputFile> written = files_of_out(request.output);
  if (request.trace.trace) written.push_back({"--trace", *request.trace.trace});
  if (request.trace.timeline) written.push_back({"--timeline", *request.trace.timeline});
  refuse_overlaps(written, files_read(read, request.scenario.scenario));
  const TracePlan traces = trace_plan(request.trace, read.scenario, request.output.force);

  std::string command = request.scenario.command;
  auto simulated = simulate_within_budget(read.scenario, asked);
  if (const auto* none = std::get_if<NotSimulated>(&simulated))
    return {
        .answer = unconfirmed_answer({.provenance = provenance_of(read, command),
                                      .budget_s = none->refused.empty() ? asked.budget.seconds() : std::nullopt,
                                      .cut = none->refused.empty(),
                                      .refused = none->refused,
                                      .scenarios = {{.name = request.scenario.scenario, .scenario = read.scenario}}}),
        .exit_code = ExitCode::precision_not_reached};
  Replicated& result = std::get<Replicated>(simulated);
  command += settings_of_replications(read.scenario.run, result.summary.replications, result.out_of_time);
  refuse_broken_laws(result.summary, command);
  const bool uncertain = !uncertain_fits(read).empty();
  bool exact = request.scenario.fits_exact || request.replica;
  bool everything = true;
  if (uncertain && !exact) {
    Progress progress(monitor);
    exact = !asked.budget.allows([&] { add_calibration(result, read, request.scenario, asked.options(&progress)); });
    everything = !exact;
  }
  std::optional<Explanation> explanation;
  if (request.explain) {
    Progress progress(monitor);
    explanation = simulate_neighbours(read, result, request.scenario, asked.options(&progress));
    everything = everything && !asked.budget.is_spent();
  }
  if ((traces.trace || traces.timeline) && !asked.budget.allows([&] { trace(traces, read, asked); })) {
    everything = false;
    monitor.warn("saturn: time was over before the traced replication was complete; no file of it was written.\n");
  }
  const bool by_cell = result.summary.cell.has_value();
  RunReport report{.provenance = provenance_of(read, command),
                   .facts = gather_facts(read.scenario),
                   .starved = starved_queues(read.scenario, result.summary),
                   .summary = std::move(result.summary),
                   .references = reference_points(read.scenario),
                   .precision_reached = result.precision_reached,
                   .brief = read.scenario.run.brief,
                   .window_because = by_cell ? "" : std::string(run_length_for(read.scenario).because),
                   .asked_precision = result.asked_precision,
                   .budget_s = asked.budget.seconds(),
                   .out_of_time = result.out_of_time,
                   .replica = request.replica,
                   .explanation = std::move(explanation),
                   .outages = read.scenario.outages};
  report.provenance.fits_taken_as_exact = exact && uncertain;
  const bool enough = everything && (report.precision_reached || request.replica.has_value());
  return {.answer = run_answer(report), .exit_code = enough ? ExitCode::answered : ExitCode::precision_not_reached};
}

}  // namespace saturn
