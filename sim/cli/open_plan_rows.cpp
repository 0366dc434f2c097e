#include "sim/cli/open_plan_rows.hpp"

#include "reports/price_list.hpp"
#include "scenarios/demands.hpp"
#include "sim/cli/emit_deployment.hpp"
#include "sim/cli/facts.hpp"
#include "sim/plan/purchase_terms.hpp"

namespace saturn {

namespace {

/// Of everything with a price, for the events that are not lost.
void add_costs(OpenPlanReport& report, const Scenario& planned) {
  const Expenses expenses = expenses_of(planned, {});
  double served_per_s = 0.0;
  for (const OpenPlanRow& row : report.rows)
    if (row.gpus == report.gpus) served_per_s = row.offered_per_s.mean * (1.0 - row.lost_fraction.mean);
  if (!(served_per_s > 0.0)) return;
  report.cost_per_million_events_usd = expenses.usd_per_million(served_per_s);
  if (!report.cost_per_million_events_usd) return;
  report.priced = priced_words(priced_parts(expenses), report.facts.device_word);
}

}  // namespace

OpenPlanReport open_plan_report(const OpenPlan& plan, const Scenario& scenario, double loss) {
  const Scenario planned = planned_scenario(scenario, client_count(scenario), plan.gpus);
  OpenPlanReport report;
  report.facts = facts_of(planned);
  report.tolerated_loss = loss;
  report.offered_per_s = plan.offered_per_s;
  report.gpus = plan.gpus;
  report.gpus_by_bound = plan.gpus_by_bound;
  for (const OpenCandidate& one : plan.candidates)
    report.rows.push_back({.gpus = one.gpus,
                           .capacity_per_s = one.capacity_per_s,
                           .limit = one.limit,
                           .offered_per_s = one.offered_per_s,
                           .lost_fraction = one.lost_fraction,
                           .all_jobs = one.all_jobs,
                           .verdict = one.verdict,
                           .accepted = one.accepted});
  add_costs(report, planned);
  return report;
}

}  // namespace saturn
