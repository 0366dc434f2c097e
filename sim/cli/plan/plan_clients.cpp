#include "sim/cli/plan/plan_clients.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/results/calibrated_results.hpp"
#include "reports/plan/plan_report.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/inputs/fitted_values.hpp"
#include "sim/cli/answer.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/plan/plan_command.hpp"
#include "sim/cli/plan/planned_runs.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/plan/falsify.hpp"
#include "sim/plan/instant_answer.hpp"
#include "sim/plan/open_search.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

namespace {

constexpr std::size_t plan_draws = 200;

}  // namespace

void add_calibration(Plan& plan, const ReadScenario& read, const PlanQuestion& question, const Deadline& deadline) {
  const std::vector<std::size_t> uncertain = uncertain_fits(read);
  const double fitted = instant_clients_per_gpu(read.scenario, question);
  if (uncertain.empty() || !std::isfinite(fitted)) return;
  PlanAnswer& answer = plan.answer;
  const double clients = unrounded_clients_per_gpu(answer, question);
  std::vector<CalibrationShare> shares;
  for (const std::size_t number : uncertain) {
    const UsedFit& fit = read.fits[number];
    std::vector<double> moved;
    for (const DrawnScenario& drawn : drawn_scenarios(read, number, plan_draws).scenarios) {
      if (is_past(deadline)) throw OutOfBudget();
      moved.push_back(clients * (instant_clients_per_gpu(drawn.scenario, question) / fitted - 1.0));
    }
    shares.push_back({.about = fit.about,
                      .half_width = interval_factor(fit.parameters, answer.confidence) * root_mean_square(moved)});
  }
  Estimate estimate{.mean = clients,
                    .low = answer.clients_per_gpu_low,
                    .high = answer.clients_per_gpu_high,
                    .confidence = answer.confidence,
                    .replications = answer.slowdown.replications};
  widen(estimate, std::move(shares));
  estimate.low = std::max(0.0, estimate.low);
  answer.clients_per_gpu_low = estimate.low;
  answer.clients_per_gpu_high = estimate.high;
  answer.calibrated_clients_per_gpu = std::move(estimate);
}

namespace {

/// The formulas answer in microseconds, so nobody should wait for the simulations to see them.
void show_instant_rows(const Scenario& scenario, const PlanQuestion& question, const SystemFacts& facts) {
  Answer formulas{.says_provenance = false};
  add_methods(formulas, instant_rows(scenario, question), question.slowdown, facts);
  std::cerr << terminal_text(formulas, {}, true) << "  now simulating to confirm ...\n" << std::flush;
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
  return analyse_plan_sensitivity(plan, question, read, read.again, runs.evaluator(), assumed_uncertainty);
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
  const SystemFacts facts = gather_facts(read.scenario);
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
  give(plan_answer(report), options.output);
  // The scenario's own number of jobs asks for nothing: that no devices carry them is an answer then.
  if (question.clients && !answer.gpus && !report.plan.budget_spent) return ExitCode::no_plan;
  if (emits) emit(configs, options.output.quiet);
  const bool everything = report.plan.precision_reached && report.left_out.empty();
  return everything ? ExitCode::answered : ExitCode::precision_not_reached;
}

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
    refuse_input(options.scenario.scenario, "plan.mixed_jobs",
                 "Events arrive from outside at some pools, while the jobs of others begin their events "
                 "themselves: there is no one number to plan for. Plan with the pools of one kind, and "
                 "use run to see both together.");
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
    report.facts = gather_facts(planned);
    if (options.emit) {
      configs = with_deployed(std::move(configs), planned, runs.evaluate(std::span(&planned, 1)).front(), options, {});
    }
  } catch (const std::domain_error& none) {
    progress.end();
    return give_no_plan(none.what(), provenance_of(read, command_of(options)), options.output);
  }
  progress.end();
  report.provenance = provenance_of(read, command_of(options));
  give(open_plan_answer(report), options.output);
  emit(configs, options.output.quiet);
  return ExitCode::answered;
}

}  // namespace saturn
