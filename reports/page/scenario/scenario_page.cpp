#include "reports/page/scenario/scenario_page.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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
  const std::string& why = studies.plan.why_not.empty() ? studies.arrivals.why_not : studies.plan.why_not;
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

/// Keeps the first figures that there is room for; the others go among the evidence.
void fold_beyond_room(PageSection& section, std::size_t& room, PageSection& further) {
  const std::size_t kept = std::min(room, section.figures.size());
  room -= kept;
  const std::size_t beyond = section.figures.size() - kept;
  if (beyond == 0) return;
  std::move(section.figures.begin() + static_cast<std::ptrdiff_t>(kept), section.figures.end(),
            std::back_inserter(further.figures));
  section.figures.resize(kept);
  add_paragraph(section, counted(beyond, "figure") + " more " + (beyond == 1 ? "is" : "are") +
                             " among the evidence: \"" + further.heading + "\".");
}

}  // namespace

ReportPage scenario_page(const ScenarioStudies& studies) {
  ReportPage page;
  page.title = studies.facts.title.empty() ? studies.name : studies.facts.title;
  page.lead = lead_of(studies);
  page.warnings = warnings_of(studies);
  // What answers comes first; from "about" on it is evidence, which a page folds.
  bool evidence = false;
  std::size_t room = most_unfolded_figures;
  PageSection further{.id = "further", .heading = "Further figures", .evidence = true};
  for (PageSection& section : std::vector<PageSection>{
           over_time_section(studies), need_section(studies), system_section(studies), cost_section(studies),
           time_section(studies), limits_section(studies), measured_section(studies), about_section(studies),
           streams_section(studies), arrivals_section(studies), field_section(studies), ways_section(studies),
           inputs_section(studies), one_run_section(studies)}) {
    evidence = evidence || section.id == "about";
    section.evidence = evidence;
    for (Figure& figure : figures_of(section.id, studies)) {
      // What cannot be drawn is a sentence; a frame round nothing would say less.
      if (figure.spec.empty())
        add_paragraph(section, figure.cannot);
      else
        section.figures.push_back(std::move(figure));
    }
    if (is_empty(section)) continue;
    if (!section.evidence) fold_beyond_room(section, room, further);
    if (section.evidence && !further.figures.empty()) page.sections.push_back(std::exchange(further, {}));
    if (section.id == "field" && !section.figures.empty())
      section.maps.push_back({.figure = section.figures.front().name, .map = studies.field->map});
    page.sections.push_back(std::move(section));
  }
  if (!further.figures.empty()) page.sections.push_back(std::move(further));
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
