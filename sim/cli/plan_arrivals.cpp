#include <iostream>

#include "reports/open_plan_report.hpp"
#include "scenarios/complaint.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/plan_options.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/plan/open_search.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

namespace {

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

}  // namespace

ExitCode plan_arrivals(const PlanOptions& options, const ReadScenario& read) {
  refuse_to_falsify_arrivals(options);
  const double loss = parse_loss(options.loss);
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
  OpenPlanReport report;
  try {
    report.plan =
        plan_open(read.scenario, loss, [&](std::span<const Scenario> scenarios) { return runs.evaluate(scenarios); });
    const Scenario planned = planned_scenario(read.scenario, client_count(read.scenario), report.plan.gpus);
    report.facts = facts_of(planned);
    if (options.emit) {
      configs = with_deployed(std::move(configs), planned, runs.evaluate(std::span(&planned, 1)).front(), options, {});
    }
  } catch (const std::domain_error& none) {
    progress.end();
    return give_no_plan(none.what(), provenance_of(read, command_of(options)), options.output);
  }
  progress.end();
  report.provenance = provenance_of(read, command_of(options));
  give({.table = [&](TextStyle style) { return open_plan_table(report, style); },
        .json = [&] { return open_plan_json(report); },
        .csv = [&] { return open_plan_csv(report); }},
       options.output);
  emit(configs, options.output.quiet);
  return ExitCode::answered;
}

}  // namespace saturn
