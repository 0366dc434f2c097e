#include "scenarios/demands.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/candidate_runs.hpp"
#include "sim/cli/emit_deployment.hpp"
#include "sim/cli/plan_calibration.hpp"
#include "sim/cli/report_study.hpp"
#include "sim/plan/open_search.hpp"
#include "sim/plan/sensitivity_of.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

PlanReport plan_study(const StudyContext& context) {
  PlanQuestion question = context.question;
  question.also_within = other_tolerance(question.slowdown);
  question.also_alone = true;
  PlanReport found{.provenance = {},
                   .facts = facts_of(context.scenario()),
                   .question = question,
                   .plan = make_plan(context.scenario(), question, context.evaluator())};
  if (context.options.scenario.fits_exact) return found;
  try {
    add_calibration(found.plan, context.read, context.question, context.clock.deadline(context.until));
  } catch (const OutOfBudget&) {
    found.left_out.emplace_back("what the fits leave open");
  }
  return found;
}

OpenPlanReport arrivals_study(const StudyContext& context) {
  const Scenario& scenario = context.scenario();
  const OpenPlan plan = plan_open(scenario, context.loss, context.evaluator());
  return {
      .provenance = {}, .facts = facts_of(planned_scenario(scenario, client_count(scenario), plan.gpus)), .plan = plan};
}

Studied<Sensitivity> sensitivity_study(const StudyContext& context, const Plan& plan) {
  if (plan.budget_spent)
    return {.study = {}, .why_not = "The plan was not finished, and what it depends on was not looked at."};
  if (context.is_over()) throw OutOfBudget();
  CandidateRuns runs(context.run_options_until(), CandidateRuns::Keep::replications);
  return {.study = sensitivity_of_plan(plan, context.question, context.read, context.read.again, runs.evaluator(),
                                       assumed_uncertainty),
          .why_not = ""};
}

}  // namespace saturn
