#include <algorithm>

#include "reports/bottlenecks.hpp"
#include "reports/figures/figures.hpp"
#include "reports/number_text.hpp"
#include "reports/page/page_tables.hpp"
#include "reports/page/scenario_sections.hpp"

namespace saturn {

namespace {

PageTable parts_table(const SystemFacts& facts) {
  PageTable table = page_table("An event that nothing hinders",
                               {{"pool"}, {"stage"}, {"part"}, {"time per event", true}, {"share", true}});
  for (const PoolFacts& pool : facts.pools)
    for (const EventPart& part : pool.parts)
      table.rows.push_back({pool.name, part.label, name_of(part.part), time_text(part.seconds),
                            percent_text(part.seconds / pool.ideal_event_time_s)});
  return table;
}

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

/// Parts of the latency that no model has are left out: there is little room.
PageTable models_table(const std::vector<ModelResults>& models) {
  struct LatencyPart {
    const char* head;
    Key<Subject::model> seconds;
  };
  std::vector<LatencyPart> parts{
      {"send", "send_s"}, {"host", "host_s"}, {"queue", "queue_s"}, {"compute", "compute_s"}, {"receive", "receive_s"}};
  std::erase_if(parts, [&](const LatencyPart& part) {
    return std::all_of(models.begin(), models.end(),
                       [&](const ModelResults& model) { return model[part.seconds].mean == 0.0; });
  });
  std::vector<PageColumn> columns{{"model"}, {"requests per second", true}, {"latency", true}, {"99 % within", true}};
  for (const LatencyPart& part : parts) columns.push_back({part.head, true});
  columns.push_back({"items of a batch", true});
  PageTable table = page_table("A request, by model, in the scenario as it stands", columns);
  for (const ModelResults& model : models) {
    std::vector<std::string> row{model.name, estimate_text(model["requests_per_s"]), time_text(model["latency_s"]),
                                 quantile_text(model["latency_p99_s"])};
    for (const LatencyPart& part : parts) row.push_back(time_text(model[part.seconds].mean));
    row.push_back(model.find("batch_items") ? estimate_text(model["batch_items"]) : no_value);
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// "GPU" and the like are abbreviations; other kinds are words.
std::string kind_word(ResourceKind kind) {
  std::string word = name_of(kind);
  if (is_device(kind))
    std::transform(word.begin(), word.end(), word.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return word;
}

std::string saturates_text(double jobs) {
  return jobs > 0.0 ? clients_text(jobs) : no_value;
}

/// Where something is busier than its demand by the bounds would make it. Instances are left out: they are held while
/// their batch waits for the device, which is no work.
std::string busier_sentence(const ScenarioStudies& studies, const Results& own) {
  constexpr double much = 1.05;
  for (const KneeFact& knee : studies.facts.knees) {
    const auto simulated = std::find_if(own.resources.begin(), own.resources.end(),
                                        [&](const ResourceResults& one) { return one.name == knee.resource; });
    if (simulated == own.resources.end() || knee.kind == ResourceKind::instances) continue;
    const double by_demand = own.all_jobs["events_per_s"].mean * knee.demand_s_per_event;
    if ((*simulated)["busy_fraction"].mean <= much * by_demand || by_demand <= 0.0) continue;
    return "Where a resource saturates is by the bounds, for which every batch is the best one. Simulated, " +
           knee.resource + " is busy for " + percent_text((*simulated)["busy_fraction"].mean) +
           ", where the work of the same events by the bounds would take " + percent_text(by_demand) + ".";
  }
  return "";
}

PageTable resources_table(const ScenarioStudies& studies, const std::vector<ResourceResults>& resources) {
  const bool open = studies.facts.all_open;
  PageTable table =
      page_table("Resources, the first to saturate first",
                 {{"resource"},
                  {"kind"},
                  {"work per event", true},
                  {open ? "saturates at [events/s]"
                        : "saturates at [" + client_word(studies.facts.jobs, studies.facts.clients) + "s]",
                   true},
                  {"busy, simulated", true}});
  for (const KneeFact& knee : studies.facts.knees) {
    const auto simulated = std::find_if(resources.begin(), resources.end(),
                                        [&](const ResourceResults& one) { return one.name == knee.resource; });
    table.rows.push_back(
        {knee.resource, kind_word(knee.kind), time_text(knee.demand_s_per_event),
         open ? number_text(1.0 / knee.demand_s_per_event, 4) : saturates_text(as_clients(studies.facts, knee.jobs)),
         simulated == resources.end() ? no_value : estimate_text((*simulated)["busy_fraction"], 100.0) + " %"});
  }
  return table;
}

}  // namespace

PageSection time_section(const ScenarioStudies& studies) {
  PageSection section{.id = "time", .heading = "Where the time goes"};
  for (const PoolFacts& pool : studies.facts.pools)
    if (pool.cpu_only) section.paragraphs.push_back(cpu_sentence(pool, studies.facts.pools.size() > 1));
  section.tables.push_back(parts_table(studies.facts));
  if (!studies.saturation) return section;
  const SaturationStudy& study = *studies.saturation;
  const Results& own = study.simulated[study.own].summary;
  if (own.models.empty()) return section;
  if (study.simulated.size() > 1) section.figures.push_back(latency_breakdown_figure(study));
  section.tables.push_back(models_table(own.models));
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
    std::string text = "The " + kind_word(first.kind) + " " + first.resource + " saturates first, at " +
                       clients_text(as_clients(studies.facts, first.jobs)) + " " +
                       client_word(studies.facts.jobs, studies.facts.clients) + "s in all";
    if (studies.facts.knees.size() > 1) {
      const KneeFact& next = studies.facts.knees[1];
      text += "; next comes the " + kind_word(next.kind) + " " + next.resource + ", at " +
              clients_text(as_clients(studies.facts, next.jobs));
    }
    section.paragraphs.push_back(text + ".");
  }
  if (studies.saturation)
    add_paragraph(section, busier_sentence(studies, studies.saturation->simulated[studies.saturation->own].summary));
  static const std::vector<ResourceResults> none;
  if (studies.saturation && studies.saturation->simulated.size() > 1)
    section.figures.push_back(resource_use_figure(*studies.saturation));
  section.tables.push_back(resources_table(
      studies, studies.saturation ? studies.saturation->simulated[studies.saturation->own].summary.resources : none));
  return section;
}

PageSection one_run_section(const ScenarioStudies& studies) {
  PageSection section{.id = "one-run", .heading = "One run, looked at closely"};
  const FigureContext context = figure_context(studies);
  if (studies.saturation && !studies.saturation->simulated[studies.saturation->own].summary.models.empty())
    section.figures.push_back(batch_sizes_figure(*studies.saturation));
  if (studies.trace) section.figures.push_back(timeline_figure(*studies.trace, context));
  if (studies.close_up) section.figures.push_back(gantt_figure(*studies.close_up, context));
  add_paragraph(section, studies.trace.why_not);
  if (studies.close_up.why_not != studies.trace.why_not) add_paragraph(section, studies.close_up.why_not);
  return section;
}

}  // namespace saturn
