#include <utility>

#include "models/words/texts.hpp"
#include "reports/figures/figures.hpp"
#include "reports/number_text.hpp"
#include "reports/page/page_tables.hpp"
#include "reports/page/scenario_sections.hpp"

namespace saturn {

namespace {

constexpr int share_digits = 3;

std::string interval_words(const PlanRow& row) {
  if (!row.low || !row.high) return no_value;
  return number_text(*row.low, 4) + " to " + number_text(*row.high, 4);
}

PageTable methods_table(const PlanReport& plan) {
  PageTable table = page_table(
      "By every method, " + client_word(plan.facts.jobs, plan.facts.clients) + "s per " + plan.facts.device_word,
      {{"method"},
       {"first resource saturates at", true},
       {"within a slowdown of " + percent_text(plan.question.slowdown), true},
       {"interval", true}});
  for (const PlanRow& row : plan.plan.rows)
    table.rows.push_back(
        {row.method, optional_text(row.knee, 4), optional_text(row.clients_per_gpu, 4), interval_words(row)});
  return table;
}

/// Sentences need a width that they have not beside numbers.
PageTable remarks_table(const PlanReport& plan) {
  PageTable table = page_table("Why the methods differ", {{"method"}, {"remark"}});
  for (const PlanRow& row : plan.plan.rows)
    if (!row.remark.empty()) table.rows.push_back({row.method, row.remark});
  return table;
}

PageTable candidates_table(const PlanReport& plan) {
  PageTable table = page_table("What was simulated to confirm the plan",
                               {{client_word(plan.facts.jobs, plan.facts.clients) + "s", true},
                                {plan.facts.device_word + "s", true},
                                {"bound", true},
                                {"simulated", true},
                                {"slowdown", true},
                                {"verdict"}});
  for (const PlanCandidate& row : plan.plan.candidates)
    table.rows.push_back({whole_text(static_cast<double>(row.clients)), whole_text(static_cast<double>(row.gpus)),
                          time_text(row.bound_event_time_s), time_text(row.event_time_s), slower_text(row.slowdown),
                          row.reason});
  return table;
}

/// The scenario's own number of clients, simulated, beside the formulas.
PageTable own_table(const ScenarioStudies& studies) {
  const Results& own = studies.saturation->simulated[studies.saturation->own].summary;
  PageTable table = page_table("The scenario as it stands: " + jobs_text(studies.facts) + ", " +
                                   counted(studies.facts.devices, studies.facts.device_word),
                               {{"method"}, {"event time", true}, {"events per second", true}, {"remark"}});
  const bool grows = own.all_jobs.times_grow;
  table.rows.push_back({"simulation", grows ? no_value : time_text(own.all_jobs["event_time_s"]),
                        estimate_text(own.all_jobs["events_per_s"]),
                        grows ? "event times grow as long as one simulates"
                              : counted(own.replications, "replication") + "; 99 % of the events within " +
                                    quantile_text(own.all_jobs["event_time_p99_s"])});
  for (const ReferencePoint& one : studies.references)
    table.rows.push_back(
        {one.method, time_text(one.event_time_s), optional_text(one.events_per_s, share_digits + 1), one.remark});
  return table;
}

/// What is left of the scenario as it stands where no simulation of it was complete.
PageTable formulas_table(const ScenarioStudies& studies) {
  PageTable table = page_table("The scenario as it stands, by the formulas alone: not confirmed by a simulation",
                               {{"method"}, {"event time", true}, {"events per second", true}, {"remark"}});
  for (const ReferencePoint& one : studies.references)
    table.rows.push_back(
        {one.method, time_text(one.event_time_s), optional_text(one.events_per_s, share_digits + 1), one.remark});
  return table;
}

}  // namespace

PageSection clients_section(const ScenarioStudies& studies) {
  PageSection section{.id = "clients",
                      .heading = "How many " + client_word(studies.facts.jobs, studies.facts.clients) + "s one " +
                                 studies.facts.device_word + " carries"};
  if (studies.facts.all_open) section.heading = "The scenario as it stands";
  if (!studies.saturation) {
    add_paragraph(section, studies.saturation.why_not);
    if (studies.plan) section.tables.push_back(methods_table(*studies.plan));
    section.tables.push_back(formulas_table(studies));
    return section;
  }
  const SaturationStudy& study = *studies.saturation;
  if (studies.facts.jobs != studies.facts.clients)
    section.paragraphs.push_back("A client is an event loop of a job: " + jobs_text(studies.facts) + " are " +
                                 counted(studies.facts.clients, "client") + ".");
  if (!study.formulas.empty()) {
    section.figures.push_back(event_time_figure(study));
    section.figures.push_back(throughput_figure(study));
    section.figures.push_back(throughput_latency_figure(study, std::nullopt));
  }
  if (studies.plan) {
    section.tables.push_back(methods_table(*studies.plan));
    section.tables.push_back(remarks_table(*studies.plan));
  }
  section.tables.push_back(own_table(studies));
  if (studies.plan && !studies.plan->plan.candidates.empty()) section.tables.push_back(candidates_table(*studies.plan));
  return section;
}

PageSection arrivals_section(const ScenarioStudies& studies) {
  PageSection section{.id = "arrivals", .heading = "How many " + studies.facts.device_word + "s the events need"};
  if (!studies.arrivals) {
    if (studies.facts.all_open && !studies.arrivals.why_not.empty())
      section.paragraphs.push_back("No number of " + studies.facts.device_word +
                                   "s was found: " + studies.arrivals.why_not);
    return section;
  }
  const OpenPlanReport& plan = *studies.arrivals;
  section.paragraphs.push_back(number_text(plan.plan.offered_per_s, 4) + " events arrive per second. " +
                               counted(static_cast<double>(plan.plan.gpus), plan.facts.device_word) +
                               (plan.plan.gpus == 1 ? " loses" : " lose") + " at most " +
                               percent_text(plan.plan.tolerated_loss) + " of them; by the bound " +
                               counted(static_cast<double>(plan.plan.gpus_by_bound), plan.facts.device_word) +
                               " would do.");
  section.figures.push_back(loss_figure(plan, figure_context(studies)));
  PageTable table = page_table("What was simulated", {{plan.facts.device_word + "s", true},
                                                      {"could serve [events/s]", true},
                                                      {"limited by"},
                                                      {"lost", true},
                                                      {"event time", true},
                                                      {"99 % of the events within", true},
                                                      {"verdict"}});
  for (const OpenCandidate& row : plan.plan.candidates)
    table.rows.push_back({whole_text(static_cast<double>(row.gpus)), number_text(row.capacity_per_s, 4), row.limit,
                          estimate_text(row.lost_fraction, 100.0) + " %",
                          row.all_jobs.times_grow ? no_value : time_text(row.all_jobs["event_time_s"]),
                          row.all_jobs.times_grow ? no_value : quantile_text(row.all_jobs["event_time_p99_s"]),
                          std::string(name_of(row.verdict)) + (row.accepted ? ", accepted" : "")});
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace saturn
