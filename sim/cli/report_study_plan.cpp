#include "reports/price_list.hpp"
#include "scenarios/demands.hpp"
#include "scenarios/fit_draws.hpp"
#include "sim/cli/candidate_runs.hpp"
#include "sim/cli/open_plan_rows.hpp"
#include "sim/cli/plan_calibration.hpp"
#include "sim/cli/plan_rows.hpp"
#include "sim/cli/report_study.hpp"
#include "sim/plan/open_search.hpp"
#include "sim/plan/sensitivity_of.hpp"
#include "sim/plan/system_facts.hpp"

namespace saturn {

PlannedStudy plan_study(const StudyContext& context) {
  PlanQuestion question = context.question;
  question.also_within = other_tolerance(question.slowdown);
  question.also_alone = true;
  PlannedStudy found{.plan = make_plan(context.scenario(), question, context.evaluator()), .report = {}};
  found.report = plan_report(found.plan, question, context.scenario(), facts_of(context.scenario()));
  if (context.options.scenario.fits_exact) return found;
  try {
    add_calibration(found.report, context.read, context.question, context.clock.deadline(context.until));
  } catch (const OutOfBudget&) {
    found.report.left_out.emplace_back("what the fits leave open");
  }
  return found;
}

OpenPlanReport arrivals_study(const StudyContext& context) {
  const OpenPlan plan = plan_open(context.scenario(), context.loss, context.evaluator());
  return open_plan_report(plan, context.scenario(), context.loss);
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
