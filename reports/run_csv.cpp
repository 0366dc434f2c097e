#include <algorithm>
#include <utility>
#include <vector>

#include "reports/bottlenecks.hpp"
#include "reports/csv_rows.hpp"
#include "reports/run_report.hpp"
#include "reports/send_reason_names.hpp"

namespace saturn {

namespace {

using Number = std::pair<const Measure*, const Estimate*>;

/// The numbers of a subject in the order in which they stand here.
template <Subject subject>
std::vector<Number> in_order(const Numbers<subject>& numbers) {
  std::vector<Number> found;
  numbers.each([&](const Measure& measure, const Estimate& estimate) {
    if (measure.csv != 0) found.emplace_back(&measure, &estimate);
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const Number& a, const Number& b) { return a.first->csv < b.first->csv; });
  return found;
}

void add_number(CsvRows& rows, const std::string& section, const std::string& name, const Number& number) {
  const auto& [measure, estimate] = number;
  if (is_exact(measure->average))
    rows.add(section, name, measure->key(), estimate->mean);
  else
    rows.add(section, name, measure->key(), *estimate);
}

template <Subject subject>
void add_numbers(CsvRows& rows, const std::string& section, const std::string& name, const Numbers<subject>& numbers) {
  for (const Number& number : in_order(numbers)) add_number(rows, section, name, number);
}

void add_jobs(CsvRows& rows, const std::string& section, const std::string& name, const JobsResults& jobs) {
  for (const Number& number : in_order(jobs)) {
    if (jobs.times_grow && number.first->growing == Growing::withheld) continue;
    add_number(rows, section, name, number);
    if (number.first->has_key("capacity_per_s")) rows.add(section, name, "verdict", name_of(jobs.open->verdict));
  }
}

void add_model(CsvRows& rows, const ModelResults& model) {
  add_numbers(rows, "models", model.name, model);
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
  const Results& results = report.summary;
  add_jobs(rows, "all_jobs", "all", results.all_jobs);
  add_numbers(rows, "run", "all", results.run);
  for (const JobsResults& jobs : results.jobs) {
    add_jobs(rows, "jobs", jobs.name, jobs);
    for (const StageResults& stage : jobs.stages) add_numbers(rows, "stages", jobs.name + "/" + stage.label, stage);
  }
  for (const ModelResults& model : results.models) add_model(rows, model);
  for (const ResourceResults& resource : results.resources) add_numbers(rows, "resources", resource.name, resource);
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
  for (const Check& check : results.checks) rows.add("checks", check.name, "passed", check.passed ? 1.0 : 0.0);
  return rows.text();
}

}  // namespace saturn
