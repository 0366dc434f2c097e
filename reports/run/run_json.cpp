#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "reports/run/bottlenecks.hpp"
#include "reports/run/run_report.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/tables/facts_json.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/models_text.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

void add_arrivals(Json& json, const ArrivalResults& open) {
  json["limit"] = open.limit;
  json["buffer"] = open.buffer ? Json(*open.buffer) : Json(nullptr);
  json["verdict"] = name_of(open.verdict);
}

void add_jobs(Json& json, const JobsResults& jobs) {
  jobs.each([&](const Measure& measure, const Estimate& estimate) {
    if (!jobs.times_grow || measure.growing == Growing::told)
      add_number(json, measure, estimate);
    else if (measure.growing == Growing::withheld)
      json[std::string(measure.json.empty() ? measure.name : measure.json.substr(0, measure.json.find('/')))] = nullptr;
    if (measure.has_key("capacity_per_s")) add_arrivals(json, *jobs.open);
  });
}

Json json_jobs(const Results& results) {
  Json json = Json::object();
  for (const JobsResults& jobs : results.jobs) {
    Json one = Json::object();
    add_jobs(one, jobs);
    one["clients"] = jobs["clients"].mean;
    Json stages = Json::array();
    for (const StageResults& stage : jobs.stages) {
      if (jobs.times_grow) break;
      Json row = Json::object();
      row["label"] = stage.label;
      stage.each([&](const Measure& measure, const Estimate& estimate) { add_number(row, measure, estimate); });
      stages.push_back(std::move(row));
    }
    one["stages"] = std::move(stages);
    json[jobs.name] = std::move(one);
  }
  return json;
}

Json json_models(const Results& results) {
  Json json = Json::object();
  for (const ModelResults& model : results.models) {
    Json one = Json::object();
    model.each([&](const Measure& measure, const Estimate& estimate) { add_number(one, measure, estimate); });
    if (model.batches.empty()) one["batch_items"]["mean"] = nullptr;
    Json histogram = Json::object();
    for (const auto& [items, batches] : model.batches) histogram[std::to_string(items)] = batches;
    one["batch_items"]["histogram"] = std::move(histogram);
    for (std::size_t r = 0; r < send_reasons; ++r) {
      one["sent_because"][std::string(send_reason_names[r].key)] = model.sent_because[r];
    }
    json[model.name] = std::move(one);
  }
  return json;
}

// What the formulas say of a resource; null for one that no event uses.
void add_bound(Json& row, const SystemFacts& facts, const std::string& resource) {
  const auto knee = std::find_if(facts.knees.begin(), facts.knees.end(),
                                 [&](const KneeFact& fact) { return fact.resource == resource; });
  const bool used = knee != facts.knees.end();
  row["bound_demand_s_per_event"] = used ? json_number<Json>(knee->demand_s_per_event) : Json(nullptr);
  row["bound_busy_fraction"] = used ? json_number<Json>(bound_use(facts, *knee)) : Json(nullptr);
  row["saturates_at_jobs"] = used ? json_number<Json>(knee->jobs) : Json(nullptr);
}

Json json_resources(const RunReport& report) {
  Json json = Json::array();
  for (const ResourceResults& resource : report.summary.resources) {
    Json row = Json::object();
    row["name"] = resource.name;
    row["kind"] = name_of(resource.kind);
    resource.each([&](const Measure& measure, const Estimate& estimate) { add_number(row, measure, estimate); });
    add_bound(row, report.facts, resource.name);
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace

std::string run_json(const RunReport& report) {
  Json result = Json::object();
  add_jobs(result, report.summary.all_jobs);
  report.summary.run.each(
      [&](const Measure& measure, const Estimate& estimate) { add_number(result, measure, estimate); });
  result["jobs"] = json_jobs(report.summary);
  result["models"] = json_models(report.summary);
  result["resources"] = json_resources(report);
  result["binding"] = json_binding<Json>(report.facts);
  Json checks = Json::object();
  for (const Check& check : report.summary.checks) checks[check.name] = check.passed;
  result["checks"] = std::move(checks);
  result["references"] = json_references<Json>(report.references);
  if (report.explanation) {
    result["explain"] = json_changes<Json>(*report.explanation);
    result["explain_left_out"] = json_left_out<Json>(*report.explanation);
  }
  result["replications"] = report.summary.replications;
  result["warm_up_removed_s"] = json_number<Json>(report.summary.warm_up_removed_s);
  result["unsteady_replications"] = report.summary.unsteady_replications;
  result["window_s"] = json_number<Json>(report.summary.window_s);
  result["precision"]["asked"] = report.asked_precision;
  result["precision"]["relative_half_width"] = json_number<Json>(report.summary.relative_half_width);
  result["precision"]["reached"] = report.precision_reached;
  if (report.budget_s) {
    result["precision"]["budget_s"] = json_number<Json>(*report.budget_s);
    result["precision"]["out_of_time"] = report.out_of_time;
  }

  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["result"] = std::move(result);
  return json_document(document);
}

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
