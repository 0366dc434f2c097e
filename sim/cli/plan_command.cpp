#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <stdexcept>

#include "reports/open_plan_report.hpp"
#include "reports/plan_report.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/commands.hpp"
#include "sim/cli/emit_configs.hpp"
#include "sim/cli/emit_deployment.hpp"
#include "sim/cli/facts.hpp"
#include "sim/cli/falsified_plan.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_checks.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/plan_calibration.hpp"
#include "sim/cli/plan_rows.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/open_search.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

namespace {

struct PlanOptions {
  ScenarioOptions scenario;
  MachineOptions machine;
  OutputOptions output;
  std::string slowdown = "1 %";
  std::string loss = "0.1 %";
  std::optional<std::uint64_t> clients;
  bool past_saturation = false;
  bool falsify = false;
  std::optional<std::string> emit;  ///< folder for the models' config.pbtxt and what deploys them
};

std::string command_of(const PlanOptions& options) {
  std::string command = reproducing_command("plan", options.scenario);
  if (options.slowdown != "1 %") command += " --slowdown " + shell_word(options.slowdown);
  if (options.loss != "0.1 %") command += " --loss " + shell_word(options.loss);
  if (options.past_saturation) command += " --past-saturation";
  if (options.scenario.fits_exact) command += " --no-calibration-draws";
  if (options.clients) command += " --clients " + std::to_string(*options.clients);
  if (options.falsify) command += " --falsify";
  return command;
}

/// The formulas answer in microseconds, so nobody should wait for the simulations to see them.
void show_instant_rows(const Scenario& scenario, const PlanQuestion& question, const SystemFacts& facts) {
  std::cerr << methods_text(method_rows(instant_rows(scenario, question)), question.slowdown, facts.device_word, {})
            << "  now simulating to confirm ...\n"
            << std::flush;
}

/// Whether every event time that the answer rests on is as precise as the scenario asks. What was simulated once only
/// showed where to look, unless once tells everything.
bool is_precise(const std::vector<CandidateRow>& candidates, double precision) {
  const bool repeated = std::any_of(candidates.begin(), candidates.end(),
                                    [](const CandidateRow& row) { return row.event_time_s.replications > 1; });
  return std::all_of(candidates.begin(), candidates.end(), [&](const CandidateRow& row) {
    return (repeated && row.event_time_s.replications == 1) ||
           row.event_time_s.half_width() <= precision * row.event_time_s.mean;
  });
}

/// Planning varies jobs and devices, not the models, so their files are known before it.
std::vector<EmittedConfig> configs_to_emit(const Scenario& scenario, const PlanOptions& options) {
  if (!options.emit) return {};
  return configs_of(scenario, *options.emit, options.output.force);
}

/// The same with what deploys them and what would contradict the plan. Nothing without --emit.
std::vector<EmittedConfig> deployed(std::vector<EmittedConfig> configs, const Scenario& planned, PlannedRuns& runs,
                                    const PlanOptions& options, std::optional<Falsification> falsification) {
  if (!options.emit) return configs;
  const RunSummary summary = runs.evaluate(std::span(&planned, 1)).front();
  const Deployment deployment = deployment_of(
      planned, summary, {.spare_nodes = {}, .command = command_of(options), .falsification = std::move(falsification)});
  return with_deployment(std::move(configs), *options.emit, deployment, facts_of(planned));
}

void emit(const std::vector<EmittedConfig>& configs, bool quiet) {
  write_configs(configs);
  if (quiet) return;
  for (const EmittedConfig& config : configs) std::cerr << "wrote " << config.path.string() << "\n";
}

/// What contradicts such a plan is a rate of arrivals, not a number of jobs.
void refuse_to_falsify_arrivals(const PlanOptions& options) {
  if (!options.falsify) return;
  throw InputError(
      {{.source = "--falsify",
        .code = "option.needs_closed_jobs",
        .text =
            "Events arrive from outside at a pool of this scenario: no number of jobs saturates anything there, and "
            "--falsify knows no other measurement of it. Take the arrivals away, for example with --set "
            "/jobs/0/arrivals=null (and /jobs/0/buffer=null), to plan for jobs that begin their events themselves; "
            "devices and models are the same.",
        .excerpt = ""}});
}

/// How many devices events need that arrive from outside.
ExitCode plan_arrivals(const PlanOptions& options, const ReadScenario& read) {
  refuse_to_falsify_arrivals(options);
  const double loss = parse_fraction("--loss", options.loss);
  if (!(loss < 1.0))
    throw InputError({{.source = "--loss " + options.loss,
                       .code = "option.out_of_range",
                       .text = "A plan may lose less than 100 % of the events.",
                       .excerpt = ""}});
  if (!all_open(read.scenario))
    throw InputError({{.source = options.scenario.scenario,
                       .code = "plan.mixed_jobs",
                       .text = "Events arrive from outside at some pools, while the jobs of others begin their events "
                               "themselves: there is no one number to plan for. Plan with the pools of one kind, and "
                               "use run to see both together.",
                       .excerpt = ""}});
  std::vector<EmittedConfig> configs = configs_to_emit(read.scenario, options);
  if (!options.output.quiet && !options.scenario.fits_exact && !uncertain_fits(read).empty())
    std::cerr << "warning: a plan for events that arrive takes fitted parameters as exact; `saturn run` draws them.\n";
  Progress progress(options.output.quiet, options.machine.timing);
  PlannedRuns runs(read.scenario, {.processes = options.machine.processes,
                                   .limits = limits_of(options.machine),
                                   .command = scenario_command("run", options.scenario),
                                   .progress = progress.callback()});
  OpenPlan found;
  try {
    found =
        plan_open(read.scenario, loss, [&](std::span<const Scenario> scenarios) { return runs.evaluate(scenarios); });
    configs = deployed(std::move(configs), planned_scenario(read.scenario, client_count(read.scenario), found.gpus),
                       runs, options, {});
  } catch (const std::domain_error& none) {
    progress.end();
    std::cerr << "saturn: no plan: " << none.what() << "\n";
    return ExitCode::no_plan;
  }
  progress.end();
  OpenPlanReport report{.provenance = provenance_of(read, command_of(options)),
                        .facts = facts_of(read.scenario),
                        .tolerated_loss = loss,
                        .offered_per_s = found.offered_per_s,
                        .gpus = found.gpus,
                        .gpus_by_bound = found.gpus_by_bound,
                        .rows = {}};
  for (const OpenCandidate& one : found.candidates)
    report.rows.push_back({.gpus = one.gpus,
                           .capacity_per_s = one.capacity_per_s,
                           .limit = one.limit,
                           .offered_per_s = one.offered_per_s,
                           .lost_fraction = one.lost_fraction,
                           .event_time = one.event_time,
                           .times_grow = one.times_grow,
                           .verdict = one.verdict,
                           .accepted = one.accepted});
  give({.table = [&](TextStyle style) { return open_plan_table(report, style); },
        .json = [&] { return open_plan_json(report); },
        .csv = [&] { return open_plan_csv(report); }},
       options.output);
  emit(configs, options.output.quiet);
  return ExitCode::answered;
}

/// The measurements that would contradict the plan. What the fits leave open is in the answer's interval already.
Falsification falsified(const PlanReport& report, const Plan& plan, const ReadScenario& read, RunOptions run_options) {
  double half_width = relative_half_width(plan);
  double fitted = 0.0;
  if (const std::optional<Estimate>& calibrated = report.calibrated_clients_per_gpu) {
    for (const CalibrationShare& share : calibrated->parts->calibration)
      fitted = std::hypot(fitted, share.half_width / calibrated->mean);
    half_width = std::hypot(half_width, fitted);
    // The predictions are those of the fitted values; the commands that repeat them must not draw others.
    run_options.command += " --no-calibration-draws";
  }
  return falsified_plan(read.scenario, run_options, half_width, fitted);
}

ExitCode plan(const PlanOptions& options) {
  const PlanQuestion question{.slowdown = parse_fraction("--slowdown", options.slowdown),
                              .clients = options.clients,
                              .past_saturation = options.past_saturation};
  const ReadScenario read = load_scenario(options.scenario, options.output);
  const RunLimits limits = limits_of(options.machine);
  refuse_to_overwrite(options.output);
  if (any_open(read.scenario)) return plan_arrivals(options, read);
  std::vector<EmittedConfig> configs = configs_to_emit(read.scenario, options);
  const SystemFacts facts = facts_of(read.scenario);
  if (!options.output.quiet && options.output.format == Format::table)
    show_instant_rows(read.scenario, question, facts);

  Progress progress(options.output.quiet, options.machine.timing);
  const RunOptions run_options{.processes = options.machine.processes,
                               .limits = limits,
                               .command = scenario_command("run", options.scenario),
                               .progress = progress.callback()};
  PlannedRuns runs(read.scenario, run_options);
  PlanReport report;
  try {
    const Plan plan = make_plan(read.scenario, question,
                                [&](std::span<const Scenario> scenarios) { return runs.evaluate(scenarios); });
    report = plan_report(plan, question, read.scenario, facts);
    if (!options.scenario.fits_exact) add_calibration(report, read, question);
    const bool emits = options.emit && report.gpus;
    std::optional<Falsification> falsification;
    if (options.falsify || emits) falsification = falsified(report, plan, read, run_options);
    if (options.falsify) report.falsification = falsification;
    if (emits)
      configs = deployed(std::move(configs),
                         planned_scenario(read.scenario, static_cast<double>(plan.answer.clients), *report.gpus), runs,
                         options, std::move(falsification));
  } catch (const std::domain_error& none) {
    progress.end();
    std::cerr << "saturn: no plan: " << none.what() << "\n";
    if (options.falsify) std::cerr << "saturn: --falsify: " << why_not_falsified(read.scenario) << "\n";
    return ExitCode::no_plan;
  }
  progress.end();

  report.provenance = provenance_of(read, command_of(options));
  report.provenance.fits_taken_as_exact = options.scenario.fits_exact && !uncertain_fits(read).empty();
  report.precision_reached = is_precise(report.candidates, read.scenario.run.precision);
  give({.table = [&](TextStyle style) { return plan_table(report, style); },
        .json = [&] { return plan_json(report); },
        .csv = [&] { return plan_csv(report); }},
       options.output);
  if (!report.gpus) return ExitCode::no_plan;
  emit(configs, options.output.quiet);
  return report.precision_reached ? ExitCode::answered : ExitCode::precision_not_reached;
}

}  // namespace

void add_plan_command(CLI::App& program, Chosen& chosen) {
  CLI::App* verb = program.add_subcommand("plan", "How many jobs one GPU carries, and how many GPUs N jobs need");
  const auto options = std::make_shared<PlanOptions>();
  add_scenario_options(*verb, options->scenario);
  add_calibration_option(*verb, options->scenario);
  verb->add_option("--slowdown", options->slowdown, "Events may take so much longer than unhindered, default \"1 %\"")
      ->type_name("SHARE");
  verb->add_option(
          "--clients", options->clients,
          "GPUs for so many jobs (event loops, with several threads a job), in place of the scenario's own number")
      ->check(whole_number(1, 2'000'000))
      ->type_name("N");
  verb->add_option("--loss", options->loss,
                   "Where events arrive from outside: so many of them may be lost, default \"0.1 %\"")
      ->type_name("SHARE");
  verb->add_flag("--past-saturation", options->past_saturation,
                 "Plan with more jobs than saturate the first resource, as far as the slowdown allows");
  verb->add_flag(
      "--falsify", options->falsify,
      "Also say which measurements would contradict the plan: a number of jobs, and a perf_analyzer command a "
      "model, with what they should give");
  verb->add_option("--emit", options->emit,
                   "Also write DIR/<model>/config.pbtxt, Triton's configuration of each model as it was planned with, "
                   "DIR/values.yaml for SuperSONIC's Helm chart, and DIR/README.md: how to deploy them, and what would "
                   "contradict the plan")
      ->type_name("DIR");
  add_machine_options(*verb, options->machine);
  add_output_options(*verb, options->output);
  verb->footer(
      "Examples:\n"
      "  saturn plan protodune-big-batch\n"
      "  saturn plan protodune-big-batch --slowdown '20 %' --past-saturation\n"
      "  saturn plan protodune-big-batch --clients 1000 --format json\n"
      "  saturn plan protodune-big-batch --falsify\n"
      "  saturn plan protodune-big-batch --emit model_repository");
  verb->callback([options, &chosen] { chosen = [options] { return plan(*options); }; });
}

}  // namespace saturn
