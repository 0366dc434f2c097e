#include <algorithm>
#include <optional>
#include <utility>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/figures.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/page/scenario/scenario_page.hpp"
#include "reports/run/bottlenecks.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr int elasticity_digits = 2;

PageTable sensitivity_table(const Sensitivity& sensitivity) {
  PageTable table = page_table("How the answer, " + number_text(sensitivity.value, 4) + " " + sensitivity.answer +
                                   (sensitivity.unit.empty() ? "" : " " + sensitivity.unit) + ", moves",
                               {{"input"},
                                {"value", true},
                                {"off by", true},
                                {"from"},
                                {"elasticity", true},
                                {"answer if lower", true},
                                {"answer if higher", true},
                                {"share of the variance", true}});
  for (const SensitivityRow& row : sensitivity.rows)
    table.rows.push_back({row.input.pointer, row.input.value, percent_text(row.input.uncertainty),
                          uncertainty_from(row.input), number_text(row.elasticity.mean, elasticity_digits),
                          number_text(row.when_low, 4), number_text(row.when_high, 4),
                          percent_text(row.variance_share)});
  return table;
}

/// A value in the unit of its quantity's tables.
std::string shown_value(const MeasuredQuantity& quantity, double value) {
  return number_text(value * quantity.shown_factor, 4);
}

PageTable case_table(const ValidationCase& validation) {
  PageTable table =
      page_table(validation.about.title,
                 {{"point"}, {"quantity"}, {"measured", true}, {"simulated", true}, {"error", true}, {"remark"}});
  for (const ValidationRow& row : validation.rows) {
    for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
      const MeasuredValue& value = row.measured.values[i];
      const MeasuredQuantity& quantity = *value.quantity;
      std::string remark = row.unscored();
      if (remark.empty() && !value.scored) remark = "not counted";
      table.rows.push_back({row.measured.label, name_with_unit(quantity.heading, quantity.unit),
                            shown_value(quantity, value.value), estimate_text(row.simulated[i], quantity.shown_factor),
                            signed_percent_text(row.error(i)), remark});
    }
  }
  return table;
}

PageTable scores_table(const ValidationCase& validation) {
  PageTable table = page_table(validation.about.title + ": errors of the simulation", {{"quantity"},
                                                                                       {"rows", true},
                                                                                       {"median", true},
                                                                                       {"worst", true},
                                                                                       {"where"},
                                                                                       {"bias", true},
                                                                                       {"trend with load"},
                                                                                       {"band asked for"},
                                                                                       {"kept"}});
  const auto said = [](const std::string& text) { return text.empty() ? no_value : text; };
  for (const Score& score : scores(validation)) {
    const VerdictWords words = verdict_words(score);
    const bool any = score.rows > 0;
    const std::optional<bool> kept = score.within();
    table.rows.push_back({std::string(score.quantity->heading), std::to_string(score.rows), said(words.median),
                          any ? signed_percent_text(score.worst_error) : no_value, any ? score.worst_at : no_value,
                          any ? signed_percent_text(score.mean_error) : no_value, said(words.trend_in_short),
                          said(words.band),
                          kept                 ? (*kept ? "yes" : "NO")
                          : words.band.empty() ? no_value
                                               : "NO"});
  }
  return table;
}

}  // namespace

PageSection inputs_section(const ScenarioStudies& studies) {
  PageSection section{.id = "inputs", .heading = "What the answer rests on"};
  if (!studies.sensitivity) {
    if (!studies.sensitivity.why_not.empty()) section.paragraphs.push_back(studies.sensitivity.why_not);
    return section;
  }
  const Sensitivity& sensitivity = *studies.sensitivity;
  section.figures.push_back(tornado_figure(sensitivity, {.scenario = studies.name, .seed = studies.provenance.seed}));
  section.tables.push_back(sensitivity_table(sensitivity));
  if (!sensitivity.without_effect.empty())
    section.paragraphs.push_back("Without effect: " + joined(sensitivity.without_effect) + ".");
  for (const std::string& note : sensitivity.notes) section.paragraphs.push_back("Note: " + note);
  return section;
}

PageSection measured_section(const ScenarioStudies& studies) {
  PageSection section{.id = "measured", .heading = "Measured beside simulated"};
  if (!studies.measured) {
    if (!studies.measured.why_not.empty()) section.paragraphs.push_back(studies.measured.why_not);
    return section;
  }
  const bool several = studies.measured->cases.size() > 1;
  for (const ValidationCase& validation : studies.measured->cases) {
    Figure figure = validation_figure(validation, {.scenario = studies.name, .seed = studies.provenance.seed});
    if (several) figure.name += "_" + validation.about.id;
    section.figures.push_back(std::move(figure));
    section.paragraphs.push_back(validation.about.title + ". Source: " + validation.about.source +
                                 ". Again: saturn validate " + validation.about.id);
    section.tables.push_back(scores_table(validation));
    section.tables.push_back(case_table(validation));
  }
  return section;
}

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
