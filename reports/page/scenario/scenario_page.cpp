#include "reports/page/scenario/scenario_page.hpp"

#include <cmath>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/page/scenario/scenario_figures.hpp"
#include "reports/plan/compare_report.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/words/number_text.hpp"

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
        counted(static_cast<double>(studies.plan->plan.answer.clients), stream_word_of(studies.plan->facts)) +
        (studies.plan->plan.answer.clients == 1 ? " needs" : " need") +
        " is not confirmed: the budget ended before the plan was finished" +
        (studies.plan->plan.answer.gpus_by_bound
             ? "; by the bound alone it is " + counted(static_cast<double>(*studies.plan->plan.answer.gpus_by_bound),
                                                       studies.plan->facts.device_word)
             : "") +
        ".");
  else if (studies.plan && !studies.plan->plan.answer.why_no_gpus.empty())
    warnings.push_back(
        "No number of " + studies.plan->facts.device_word + "s carries the " +
        counted(static_cast<double>(studies.plan->plan.answer.clients), stream_word_of(studies.plan->facts)) + ": " +
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
  // What answers comes first; from "about" on it is evidence, which a page folds.
  bool evidence = false;
  for (PageSection& section : std::vector<PageSection>{
           over_time_section(studies), need_section(studies), system_section(studies), cost_section(studies),
           time_section(studies), limits_section(studies), measured_section(studies), about_section(studies),
           streams_section(studies), arrivals_section(studies), field_section(studies), ways_section(studies),
           inputs_section(studies), one_run_section(studies)}) {
    evidence = evidence || section.id == "about";
    section.evidence = evidence;
    section.figures = figures_of(section.id, studies);
    if (is_empty(section)) continue;
    if (section.id == "field" && studies.field)
      section.maps.push_back({.figure = section.figures.front().name, .map = studies.field->map});
    page.sections.push_back(std::move(section));
  }
  page.planner = studies.planner;
  page.assumptions = studies.assumptions;
  if (studies.saturation) page.checks = studies.saturation->simulated[studies.saturation->own].summary.checks;
  page.provenance = studies.provenance;
  page.commands = studies.commands;
  return page;
}

bool is_empty(const PageSection& section) {
  return section.paragraphs.empty() && section.figures.empty() && section.tables.empty() && !section.played;
}

void add_paragraph(PageSection& section, const std::string& text) {
  if (!text.empty()) section.paragraphs.push_back(text);
}

namespace {

constexpr int usd_digits = 4;
constexpr double negligible_page_error = 0.0005;
// Formulas that are off by more deserve a word.
constexpr double trusted_error = 0.05;

Table checks_table(const FieldStudy& study) {
  Table table = page_table(
      "Cells of the map, simulated: " + study.map.value_title + " within the tolerated slowdown, past saturation too",
      {{study.map.x.title},
       {study.map.y.title},
       {"by the formulas", true},
       {"simulated", true},
       {"the formulas are off by", true},
       {"why not"}});
  for (const FieldCheck& check : study.checks) {
    const bool both = check.formula && check.simulated && check.simulated->mean > 0.0;
    table.rows.push_back({check.x, check.y, optional_text(check.formula, 4),
                          check.simulated ? estimate_text(*check.simulated) : no_value,
                          both ? signed_percent_text(*check.formula / check.simulated->mean - 1.0) : no_value,
                          check.why_not});
  }
  return table;
}

/// How far the map can be trusted.
std::string trust_sentence(const FieldStudy& study) {
  double worst = 0.0;
  std::size_t simulated = 0;
  for (const FieldCheck& check : study.checks) {
    if (!check.formula || !check.simulated || !(check.simulated->mean > 0.0)) continue;
    const double error = *check.formula / check.simulated->mean - 1.0;
    if (std::abs(error) > std::abs(worst)) worst = error;
    ++simulated;
  }
  if (simulated == 0) return "By the formulas; no cell was simulated.";
  std::string text =
      "By the formulas; where cells were simulated (" + std::to_string(simulated) +
      ", in the table below), the formulas " +
      (std::abs(worst) < negligible_page_error ? "agree."
                                               : "are off by at most " + percent_text(std::abs(worst)) + ".");
  if (worst > trusted_error)
    text +=
        " They are too high where batches are not the best ones or requests wait by chance: "
        "plan the cell that you choose.";
  if (worst < -trusted_error)
    text +=
        " They are too low where times vary less than exponentially: plan the cell that you "
        "choose.";
  return text;
}

Table costs_table(const CostStudy& cost) {
  Table table = page_table(
      "A million events, for " + whole_text(cost.clients) + " " + cost.stream_word + "s",
      {{cost.device_word + "s", true}, {"by the bounds [USD]", true}, {"simulated [USD]", true}, {"what binds"}});
  for (const CostPoint& point : cost.points)
    table.rows.push_back({whole_text(point.gpus), optional_text(point.bound_usd, usd_digits),
                          point.simulated_usd ? estimate_text(*point.simulated_usd) : no_value,
                          point.binding.empty() ? "nothing yet" : point.binding});
  return table;
}

Table marks_table(const CostStudy& cost) {
  Table table =
      page_table("Three ways to choose",
                 {{"if you want the"}, {cost.device_word + "s", true}, {"USD per million events", true}, {"remark"}});
  for (const CostMark& mark : cost.marks)
    table.rows.push_back({mark.name, whole_text(mark.gpus), number_text(mark.usd, usd_digits), mark.remark});
  return table;
}

}  // namespace

PageSection need_section(const ScenarioStudies& studies) {
  PageSection section{.id = "need", .heading = "How many " + studies.facts.device_word + "s are needed"};
  if (!studies.need) add_paragraph(section, studies.need.why_not);
  return section;
}

PageSection system_section(const ScenarioStudies& studies) {
  PageSection section{.id = "system", .heading = "The system"};
  if (!studies.system) add_paragraph(section, studies.system.why_not);
  return section;
}

PageSection field_section(const ScenarioStudies& studies) {
  PageSection section{.id = "field", .heading = "Batch size and distance"};
  if (!studies.field) {
    add_paragraph(section, studies.field.why_not);
    return section;
  }
  const FieldStudy& study = *studies.field;
  section.heading = "Other " + (study.map.x.title == "speed of the devices" ? std::string("devices") : "batches") +
                    (study.map.y.title == "devices" ? ", more devices" : ", other distances");
  add_paragraph(section, trust_sentence(study));
  if (!study.checks.empty()) section.tables.push_back(checks_table(study));
  add_paragraph(section, study.unchecked);
  return section;
}

PageSection cost_section(const ScenarioStudies& studies) {
  PageSection section{.id = "cost", .heading = "What it costs"};
  if (!studies.money) {
    add_paragraph(section, studies.money.why_not);
    return section;
  }
  const MoneyStudy& money = *studies.money;
  if (!money.cost.marks.empty()) section.tables.push_back(marks_table(money.cost));
  section.tables.push_back(costs_table(money.cost));
  Answer prices;
  add_prices(prices, money.cost.prices, {});
  add_tables(section, std::move(prices));
  add_paragraph(section, money.why_no_candidates);
  return section;
}

PageSection ways_section(const ScenarioStudies& studies) {
  PageSection section{.id = "ways", .heading = "Near or far"};
  if (!studies.ways) {
    add_paragraph(section, studies.ways.why_not);
    return section;
  }
  const WaysStudy& ways = *studies.ways;
  add_paragraph(section, ways.why_no_winners);
  Answer compared =
      compare_answer({.provenance = studies.provenance, .facts = studies.facts, .comparison = ways.comparison});
  // Who wins, by time and by cost.
  for (const AnswerPart& part : compared.parts)
    if (const auto* said = std::get_if<Paragraph>(&part); said != nullptr && !said->heading)
      add_paragraph(section, said->text);
  add_tables(section, std::move(compared));
  return section;
}

}  // namespace saturn
