#include <nlohmann/json.hpp>

#include <algorithm>

#include "reports/bottlenecks.hpp"
#include "reports/explanation_json.hpp"
#include "reports/json_parts.hpp"
#include "reports/references_json.hpp"
#include "reports/run_report.hpp"
#include "reports/send_reason_names.hpp"
#include "reports/system_facts_json.hpp"

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

}  // namespace saturn
