#include <algorithm>
#include <optional>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/page/scenario/scenario_page.hpp"
#include "reports/plan/plan_evidence.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/run/living_part.hpp"
#include "reports/run/run_report.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/models_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

PageSection inputs_section(const ScenarioStudies& studies) {
  PageSection section{.id = "inputs", .heading = "What the answer rests on"};
  if (!studies.sensitivity) {
    if (!studies.sensitivity.why_not.empty()) section.paragraphs.push_back(studies.sensitivity.why_not);
    return section;
  }
  const Sensitivity& sensitivity = *studies.sensitivity;
  Answer inputs;
  add_sensitivity(inputs, sensitivity);
  add_tables(section, std::move(inputs));
  if (!sensitivity.without_effect.empty())
    section.paragraphs.push_back("Without effect: " + joined(sensitivity.without_effect) + ".");
  for (const std::string& note : sensitivity.notes) section.paragraphs.push_back("Note: " + note);
  return section;
}

PageSection over_time_section(const ScenarioStudies& studies) {
  PageSection section{.id = "over-time", .heading = "What happens over time"};
  if (!studies.over_time) return section;
  Answer living;
  say_living(living, *studies.over_time);
  for (const AnswerPart& part : living.parts)
    if (const auto* sentence = std::get_if<Paragraph>(&part)) add_paragraph(section, sentence->text);
  add_living(living, *studies.over_time);
  add_tables(section, std::move(living));
  return section;
}

PageSection measured_section(const ScenarioStudies& studies) {
  PageSection section{.id = "measured", .heading = "Measured beside simulated"};
  if (!studies.measured) {
    if (!studies.measured.why_not.empty()) section.paragraphs.push_back(studies.measured.why_not);
    return section;
  }
  for (const ValidationCase& validation : studies.measured->cases) {
    section.paragraphs.push_back(validation.about.title + ". Source: " + validation.about.source +
                                 ". Again: saturn validate " + validation.about.id);
    add_tables(section, validation_answer({.provenance = {}, .changes = {}, .cases = {validation}}, false));
  }
  return section;
}

namespace {

std::string cpu_sentence(const PoolFacts& pool, bool several) {
  const CpuOnly& cpu = *pool.cpu_only;
  return (several ? pool.name + ": on" : "On") + std::string(" CPU alone an event takes ") +
         time_text(cpu.event_time_s) + ", with the service " + time_text(pool.ideal_event_time_s) + " (" +
         number_text(cpu.event_time_s / pool.ideal_event_time_s, 3) + " times faster); the offloaded part " +
         time_text(cpu.offloaded_s) +
         (cpu.as_a_service_s > 0.0
              ? " against " + time_text(cpu.as_a_service_s) + " (" +
                    number_text(cpu.offloaded_s / cpu.as_a_service_s, 3) + " times)."
              : " against nothing that an event waits for: its requests are under way while it computes.");
}

/// Where something is busier than its demand by the bounds would make it. What is held is left out: while it
/// is, batches wait for the device, which is no work.
std::string busier_sentence(const ScenarioStudies& studies, const Results& own) {
  constexpr double much = 1.05;
  for (const KneeFact& knee : studies.facts.knees) {
    const auto simulated = std::find_if(own.resources.begin(), own.resources.end(),
                                        [&](const ResourceResults& one) { return one.name == knee.resource; });
    if (simulated == own.resources.end() || is_held(knee.kind)) continue;
    const double by_demand = own.all_jobs["events_per_s"].mean * knee.demand_s_per_event;
    if ((*simulated)["busy_fraction"].mean <= much * by_demand || by_demand <= 0.0) continue;
    return "Where a resource saturates is by the bounds, for which every batch is the best one. Simulated, " +
           knee.resource + " is busy for " + percent_text((*simulated)["busy_fraction"].mean) +
           ", where the work of the same events by the bounds would take " + percent_text(by_demand) + ".";
  }
  return "";
}

}  // namespace

PageSection time_section(const ScenarioStudies& studies) {
  PageSection section{.id = "time", .heading = "Where the time goes"};
  for (const PoolFacts& pool : studies.facts.pools)
    if (pool.cpu_only) section.paragraphs.push_back(cpu_sentence(pool, studies.facts.pools.size() > 1));
  Answer parts;
  add_breakdown(parts, studies.facts, {});
  add_tables(section, std::move(parts));
  if (!studies.saturation) return section;
  const SaturationStudy& study = *studies.saturation;
  const Results& own = study.simulated[study.own].summary;
  if (own.models.empty()) return section;
  Answer models;
  add_models(models, own.models, {});
  add_tables(section, std::move(models));
  return section;
}

PageSection limits_section(const ScenarioStudies& studies) {
  PageSection section{.id = "limits", .heading = "What binds"};
  if (studies.facts.knees.empty()) {
    section.paragraphs.emplace_back("Jobs share nothing here: no resource saturates, however many there are.");
    return section;
  }
  const KneeFact& first = studies.facts.knees.front();
  if (studies.facts.all_open) {
    section.paragraphs.push_back(binding_sentence(studies.facts));
  } else {
    std::string text = "The " + called(first.kind, first.resource) +
                       (is_held(first.kind) ? " saturate" : " saturates") + " first, at " +
                       streams_text(as_streams(studies.facts, first.jobs)) + " " + stream_word_of(studies.facts) +
                       "s in all";
    if (studies.facts.knees.size() > 1) {
      const KneeFact& next = studies.facts.knees[1];
      text += "; next comes the " + called(next.kind, next.resource) + ", at " +
              streams_text(as_streams(studies.facts, next.jobs));
    }
    section.paragraphs.push_back(text + ".");
  }
  if (studies.saturation)
    add_paragraph(section, busier_sentence(studies, studies.saturation->simulated[studies.saturation->own].summary));
  Answer resources;
  if (studies.saturation)
    add_bottlenecks(resources, studies.facts, studies.saturation->simulated[studies.saturation->own].summary.resources,
                    {});
  else
    add_bottlenecks(resources, studies.facts, {}, {});
  add_tables(section, std::move(resources));
  return section;
}

PageSection one_run_section(const ScenarioStudies& studies) {
  PageSection section{.id = "one-run", .heading = "One run, looked at closely"};
  add_paragraph(section, studies.trace.why_not);
  if (studies.close_up.why_not != studies.trace.why_not) add_paragraph(section, studies.close_up.why_not);
  if (studies.close_up)
    if (PlayedSecond played = played_second(*studies.close_up); played.length_s > 0.0)
      section.played = std::move(played);
  return section;
}

namespace {

/// The scenario as it stands, by every method: simulated where there is a simulation of it.
Table own_table(const ScenarioStudies& studies) {
  Table table = methods_table({});
  // Sentences stand beside the numbers here, where a terminal has no room.
  table.columns.back() = {.key = "remark", .title = "remark"};
  if (!studies.saturation) {
    table.caption = "The scenario as it stands, by the formulas alone: not confirmed by a simulation";
  } else {
    const Results& own = studies.saturation->simulated[studies.saturation->own].summary;
    const bool grows = own.all_jobs.times_grow;
    table.caption = "The scenario as it stands: " + jobs_text(studies.facts) + ", " +
                    counted(studies.facts.devices, studies.facts.device_word);
    table.add_row({"simulation", grows ? Cell() : Cell(own.all_jobs["event_time_s"]),
                   grows ? Cell() : Cell(own.all_jobs["slowdown"]), own.all_jobs["events_per_s"],
                   grows ? "event times grow as long as one simulates"
                         : counted(own.replications, "replication") + "; 99 % of the events within " +
                               quantile_text(own.all_jobs["event_time_p99_s"])});
  }
  add_references(table, studies.references, studies.facts.ideal_event_time_s);
  table.first_rows = table.rows.size();
  return table;
}

}  // namespace

PageSection streams_section(const ScenarioStudies& studies) {
  PageSection section{
      .id = "streams",
      .heading = "How many " + stream_word_of(studies.facts) + "s one " + studies.facts.device_word + " carries"};
  if (studies.facts.all_open) section.heading = "The scenario as it stands";
  if (!studies.saturation) {
    add_paragraph(section, studies.saturation.why_not);
    if (studies.plan) add_tables(section, plan_answer(*studies.plan), {"methods"});
    section.tables.push_back(own_table(studies));
    return section;
  }
  if (studies.facts.jobs != studies.facts.clients)
    section.paragraphs.push_back("A stream works on one event at a time: here are " + jobs_text(studies.facts) + ".");
  if (studies.plan) add_tables(section, plan_answer(*studies.plan), {"methods"});
  section.tables.push_back(own_table(studies));
  if (studies.plan) add_tables(section, plan_answer(*studies.plan), {"candidates"});
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
  add_tables(section, open_plan_answer(plan), {"candidates"});
  return section;
}

}  // namespace saturn
