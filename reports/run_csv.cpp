#include "reports/bottlenecks.hpp"
#include "reports/csv_rows.hpp"
#include "reports/open_text.hpp"
#include "reports/run_report.hpp"
#include "reports/send_reason_names.hpp"

namespace saturn {

namespace {

void add_time(CsvRows& rows, const std::string& section, const std::string& name, const std::string& quantity,
              const TimeEstimate& time) {
  rows.add(section, name, quantity + "_s", time.mean_s);
  rows.add(section, name, quantity + "_p50_s", time.p50_s);
  rows.add(section, name, quantity + "_p95_s", time.p95_s);
  rows.add(section, name, quantity + "_p99_s", time.p99_s);
}

void add_jobs(CsvRows& rows, const std::string& section, const JobsSummary& jobs) {
  rows.add(section, jobs.name, "clients", jobs.clients);
  rows.add(section, jobs.name, "ideal_event_time_s", jobs.ideal_event_time_s);
  if (!jobs.times_grow) {
    add_time(rows, section, jobs.name, "event_time", jobs.event_time);
    rows.add(section, jobs.name, "slowdown", jobs.slowdown);
  }
  add_open(rows, section, jobs);
  rows.add(section, jobs.name, "events_per_s", jobs.events_per_s);
  rows.add(section, jobs.name, "set_up_s", jobs.set_up_s);
  rows.add(section, jobs.name, "jobs_per_s", jobs.jobs_per_s);
}

void add_model(CsvRows& rows, const ModelSummary& model) {
  rows.add("models", model.name, "requests_per_s", model.requests_per_s);
  rows.add("models", model.name, "items_per_s", model.items_per_s);
  rows.add("models", model.name, "ingress_bytes_per_s", model.ingress_bytes_per_s);
  rows.add("models", model.name, "rejected_per_s", model.rejected_per_s);
  add_time(rows, "models", model.name, "latency", model.latency);
  rows.add("models", model.name, "send_s", model.send_s);
  rows.add("models", model.name, "host_s", model.host_s);
  rows.add("models", model.name, "queue_s", model.queue_s);
  rows.add("models", model.name, "fill_s", model.fill_s);
  rows.add("models", model.name, "instance_wait_s", model.instance_wait_s);
  rows.add("models", model.name, "compute_s", model.compute_s);
  rows.add("models", model.name, "device_wait_s", model.device_wait_s);
  rows.add("models", model.name, "receive_s", model.receive_s);
  if (model.batch_items) rows.add("models", model.name, "batch_items", *model.batch_items);
  for (const auto& [items, batches] : model.batches) {
    rows.add("batches", model.name + "/" + std::to_string(items), "batches", static_cast<double>(batches));
  }
  for (std::size_t r = 0; r < send_reasons; ++r) {
    rows.add("sent_because", model.name + "/" + std::string(send_reason_names[r].key), "batches",
             static_cast<double>(model.sent_because[r]));
  }
}

void add_change(CsvRows& rows, const ExplainedChange& change) {
  rows.add("explain", change.neighbour.what, "options", options_text(change.neighbour.settings));
  if (!change.effect) {
    rows.add("explain", change.neighbour.what, "why_not", change.why_not);
    return;
  }
  rows.add("explain", change.neighbour.what, "events_per_s_change", change.effect->events_per_s);
  rows.add("explain", change.neighbour.what, "event_time_change", change.effect->event_time);
  if (change.effect->latency) rows.add("explain", change.neighbour.what, "latency_change", *change.effect->latency);
  if (change.effect->latency_p99)
    rows.add("explain", change.neighbour.what, "latency_p99_change", *change.effect->latency_p99);
  rows.add("explain", change.neighbour.what, "verdict", word_of(verdict_of(change.effect->events_per_s)));
}

}  // namespace

std::string run_csv(const RunReport& report) {
  CsvRows rows;
  const RunSummary& summary = report.summary;
  JobsSummary all = summary.all_jobs;
  all.name = "all";
  add_jobs(rows, "all_jobs", all);
  for (const JobsSummary& jobs : summary.jobs) {
    add_jobs(rows, "jobs", jobs);
    for (const StageSummary& stage : jobs.stages) {
      rows.add("stages", jobs.name + "/" + stage.label, "time_s", stage.mean_s);
    }
  }
  for (const ModelSummary& model : summary.models) add_model(rows, model);
  for (const ResourceSummary& resource : summary.resources) {
    rows.add("resources", resource.name, "busy_fraction", resource.busy_fraction);
    rows.add("resources", resource.name, "demand_s_per_event", resource.demand_s_per_event);
    rows.add("resources", resource.name, "mean_in_use", resource.mean_in_use);
  }
  for (const KneeFact& knee : report.facts.knees) {
    rows.add("knees", knee.resource, "demand_s_per_event", knee.demand_s_per_event);
    rows.add("knees", knee.resource, "bound_busy_fraction", bound_use(report.facts, knee));
    rows.add("knees", knee.resource, "saturates_at_jobs", knee.jobs);
  }
  for (const ReferencePoint& point : report.references) {
    rows.add("references", point.method, "event_time_s", point.event_time_s);
    rows.add("references", point.method, "events_per_s", point.events_per_s);
  }
  if (report.explanation) {
    for (const ExplainedChange& change : report.explanation->changes) add_change(rows, change);
    for (const NoNeighbour& one : report.explanation->left_out) rows.add("explain", one.what, "left_out", one.why);
  }
  for (const Check& check : summary.checks) rows.add("checks", check.name, "passed", check.passed ? 1.0 : 0.0);
  return rows.text();
}

}  // namespace saturn
