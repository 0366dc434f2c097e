#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <stdexcept>

#include "reports/plan_report.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/budget.hpp"
#include "sim/cli/candidate_runs.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/falsified_plan.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/plan_calibration.hpp"
#include "sim/cli/plan_options.hpp"
#include "sim/cli/planned_runs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/sensitivity_of.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

namespace {

/// The formulas answer in microseconds, so nobody should wait for the simulations to see them.
void show_instant_rows(const Scenario& scenario, const PlanQuestion& question, const SystemFacts& facts) {
  std::cerr << methods_text(instant_rows(scenario, question), question.slowdown, facts, {})
            << "  now simulating to confirm ...\n"
            << std::flush;
}

/// The measurements that would contradict the plan. What the fits leave open is in the answer's interval already.
/// @param half_width  of the predicted clients per device without it, relative [1]
Falsification falsified(const PlanAnswer& answer, double half_width, const ReadScenario& read, RunOptions run_options,
                        std::optional<std::uint64_t> seed) {
  double fitted = 0.0;
  if (const std::optional<Estimate>& calibrated = answer.calibrated_clients_per_gpu) {
    for (const CalibrationShare& share : calibrated->parts->calibration)
      fitted = std::hypot(fitted, share.half_width / calibrated->mean);
    half_width = std::hypot(half_width, fitted);
    // The predictions are those of the fitted values; the commands that repeat them must not draw others.
    run_options.command += " --no-calibration-draws";
  }
  return falsified_plan(read.scenario, run_options, seed, half_width, fitted);
}

Sensitivity sensitivity_of(const Plan& plan, const PlanQuestion& question, const ReadScenario& read,
                           const RunOptions& options) {
  CandidateRuns runs(options, CandidateRuns::Keep::replications);
  return sensitivity_of_plan(plan, question, read, read.again, runs.evaluator(), assumed_uncertainty);
}

}  // namespace

ExitCode plan_clients(const PlanOptions& options, const ReadScenario& read, const Budget& budget) {
  const double slowdown = parse_slowdown(options.slowdown);
  const PlanQuestion question{.slowdown = slowdown,
                              .clients = asked_clients(options, read.scenario),
                              .past_saturation = options.past_saturation,
                              .also_within = other_tolerance(slowdown),
                              .also_alone = true};
  const RunLimits limits = limits_of(options.machine);
  std::vector<EmittedConfig> configs = configs_to_emit(read.scenario, options);
  const SystemFacts facts = facts_of(read.scenario);
  if (!options.output.quiet && options.output.format == Format::table)
    show_instant_rows(read.scenario, question, facts);

  Progress progress(options.output.quiet, options.machine.timing);
  const RunOptions run_options{.processes = options.machine.processes,
                               .limits = limits,
                               .command = scenario_command("run", options.scenario),
                               .progress = progress.callback(),
                               .deadline = budget.deadline()};
  PlannedRuns runs(read.scenario, run_options);
  PlanReport report{.provenance = {}, .facts = facts, .question = question, .plan = {}};
  const PlanAnswer& answer = report.plan.answer;
  bool emits = true;
  try {
    report.plan = make_plan(read.scenario, question, [&](std::span<const Scenario> scenarios) {
      if (budget.is_spent()) throw OutOfBudget();
      return runs.evaluate(scenarios);
    });
    const double half_width = relative_half_width(report.plan);
    const auto unless_spent = [&](const std::string& what, const std::function<void()>& work) {
      try {
        if (budget.is_spent()) throw OutOfBudget();
        work();
      } catch (const OutOfBudget&) {
        report.left_out.push_back(what);
      }
    };
    if (!options.scenario.fits_exact && !uncertain_fits(read).empty())
      unless_spent("what the fits leave open",
                   [&] { add_calibration(report.plan, read, question, budget.deadline()); });
    if (options.sensitivity)
      unless_spent("--sensitivity",
                   [&] { report.sensitivity = sensitivity_of(report.plan, question, read, run_options); });
    std::optional<Falsification> falsification;
    if (options.falsify || (options.emit && answer.gpus))
      unless_spent("what would contradict the plan",
                   [&] { falsification = falsified(answer, half_width, read, run_options, options.scenario.seed); });
    if (options.falsify) report.falsification = falsification;
    const auto emit_planned = [&] {
      const Scenario planned = planned_scenario(read.scenario, static_cast<double>(answer.clients), *answer.gpus);
      configs = with_deployed(std::move(configs), planned, runs.evaluate(std::span(&planned, 1)).front(), options,
                              {.falsification = std::move(falsification)});
    };
    emits = false;
    if (options.emit && answer.gpus)
      unless_spent("--emit, of which nothing was written", [&] {
        emit_planned();
        emits = true;
      });
  } catch (const std::domain_error& none) {
    progress.end();
    if (options.falsify) std::cerr << "saturn: --falsify: " << why_not_falsified(read.scenario) << "\n";
    return give_no_plan(none.what(), provenance_of(read, command_of(options)), options.output);
  }
  progress.end();

  report.provenance = provenance_of(read, command_of(options));
  report.provenance.fits_taken_as_exact = options.scenario.fits_exact && !uncertain_fits(read).empty();
  give({.table = [&](TextStyle style) { return plan_table(report, style); },
        .json = [&] { return plan_json(report); },
        .csv = [&] { return plan_csv(report); }},
       options.output);
  // The scenario's own number of jobs asks for nothing: that no devices carry them is an answer then.
  if (question.clients && !answer.gpus && !report.plan.budget_spent) return ExitCode::no_plan;
  if (emits) emit(configs, options.output.quiet);
  const bool everything = report.plan.precision_reached && report.left_out.empty();
  return everything ? ExitCode::answered : ExitCode::precision_not_reached;
}

}  // namespace saturn
