#include "reports/page/scenario_page.hpp"

#include <utility>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"
#include "reports/page/scenario_sections.hpp"
#include "reports/plan_sentence.hpp"

namespace saturn {

namespace {

std::string lead_of(const ScenarioStudies& studies) {
  if (studies.plan) return plan_sentence(sentence_of(*studies.plan));
  if (studies.arrivals) return plan_sentence(sentence_of(*studies.arrivals));
  const std::string& why = studies.facts.all_open ? studies.arrivals.why_not : studies.plan.why_not;
  return "No plan" + (why.empty() ? std::string(".") : ": " + why);
}

std::vector<std::string> warnings_of(const ScenarioStudies& studies) {
  std::vector<std::string> warnings = studies.warnings;
  if (studies.plan && !studies.plan->plan.confirmed)
    warnings.emplace_back(
        "The number of jobs per device is not confirmed: it is what the formulas say, since the budget "
        "ended before candidates were simulated.");
  if (studies.plan && studies.plan->plan.budget_spent && !studies.plan->plan.answer.gpus)
    warnings.push_back(
        "How many " + studies.plan->facts.device_word + "s " +
        counted(static_cast<double>(studies.plan->plan.answer.clients), "job") +
        (studies.plan->plan.answer.clients == 1 ? " needs" : " need") +
        " is not confirmed: the budget ended before the plan was finished" +
        (studies.plan->plan.answer.gpus_by_bound
             ? "; by the bound alone it is " + counted(static_cast<double>(*studies.plan->plan.answer.gpus_by_bound),
                                                       studies.plan->facts.device_word)
             : "") +
        ".");
  else if (studies.plan && !studies.plan->plan.answer.why_no_gpus.empty())
    warnings.push_back("No number of " + studies.plan->facts.device_word + "s carries the " +
                       counted(static_cast<double>(studies.plan->plan.answer.clients), "job") + ": " +
                       studies.plan->plan.answer.why_no_gpus);
  if (studies.plan && !studies.plan->plan.precision_reached && !studies.plan->plan.budget_spent)
    warnings.emplace_back("The plan's event times are not as precise as the scenario asks; see their intervals.");
  if (studies.saturation) {
    const SimulatedLoad& own = studies.saturation->simulated[studies.saturation->own];
    if (!own.precision_reached)
      warnings.push_back("The scenario's own event time is known to " + percent_text(own.summary.relative_half_width) +
                         " only.");
    if (own.summary.unsteady_replications > 0)
      warnings.push_back("Event times still drift at the end of " +
                         counted(own.summary.unsteady_replications, "replication") + " of " +
                         std::to_string(own.summary.replications) + ": a longer /run/window tells more.");
  }
  return warnings;
}

PageSection about_section(const ScenarioStudies& studies) {
  PageSection section{.id = "about", .heading = "What is asked"};
  section.paragraphs = studies.about;
  return section;
}

}  // namespace

ReportPage scenario_page(const ScenarioStudies& studies) {
  ReportPage page;
  page.title = studies.facts.title.empty() ? studies.name : studies.facts.title;
  page.lead = lead_of(studies);
  page.warnings = warnings_of(studies);
  for (PageSection& section : std::vector<PageSection>{
           about_section(studies), clients_section(studies), arrivals_section(studies), time_section(studies),
           limits_section(studies), field_section(studies), cost_section(studies), ways_section(studies),
           inputs_section(studies), measured_section(studies), one_run_section(studies)})
    if (!is_empty(section)) page.sections.push_back(std::move(section));
  page.planner = studies.planner;
  page.assumptions = studies.assumptions;
  if (studies.saturation) page.checks = studies.saturation->simulated[studies.saturation->own].summary.checks;
  page.provenance = studies.provenance;
  page.commands = studies.commands;
  return page;
}

}  // namespace saturn
