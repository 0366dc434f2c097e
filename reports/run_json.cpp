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

Json json_exact_time(double seconds, const Estimate& like) {
  Json json = json_estimate<Json>({seconds, seconds, seconds, like.confidence, like.replications});
  // Quantiles of an unhindered event are not computed: only its mean follows from the scenario.
  json["p50"] = json["p95"] = json["p99"] = nullptr;
  return json;
}

void add_open(Json& json, const OpenSummary& open) {
  json["offered_per_s"] = json_estimate<Json>(open.offered_per_s);
  json["accepted_per_s"] = json_estimate<Json>(open.accepted_per_s);
  json["lost_per_s"] = json_estimate<Json>(open.lost_per_s);
  json["lost_fraction"] = json_estimate<Json>(open.lost_fraction);
  json["backlog_mean"] = json_estimate<Json>(open.waiting_mean);
  json["backlog_max"] = open.waiting_max;
  json["present_mean"] = json_estimate<Json>(open.present_mean);
  json["growth_per_s"] = json_estimate<Json>(open.growth_per_s);
  json["rate_per_s"] = json_number<Json>(open.rate_per_s);
  json["capacity_per_s"] = json_number<Json>(open.capacity_per_s);
  json["limit"] = open.limit;
  json["buffer"] = open.buffer ? Json(*open.buffer) : Json(nullptr);
  json["verdict"] = name_of(open.verdict);
}

void add_jobs(Json& json, const JobsSummary& jobs) {
  json["events_per_s"] = json_estimate<Json>(jobs.events_per_s);
  if (jobs.open) add_open(json, *jobs.open);
  if (jobs.times_grow) {
    json["event_time_s"] = nullptr;
    json["ideal_event_time_s"] = json_exact_time(jobs.ideal_event_time_s, jobs.event_time.mean_s);
    json["slowdown"] = nullptr;
    return;
  }
  json["event_time_s"] = json_time<Json>(jobs.event_time);
  json["ideal_event_time_s"] = json_exact_time(jobs.ideal_event_time_s, jobs.event_time.mean_s);
  json["slowdown"] = json_estimate<Json>(jobs.slowdown);
  json["set_up_s"] = json_estimate<Json>(jobs.set_up_s);
  json["jobs_per_s"] = json_estimate<Json>(jobs.jobs_per_s);
}

Json json_jobs(const RunSummary& summary) {
  Json json = Json::object();
  for (const JobsSummary& jobs : summary.jobs) {
    Json one = Json::object();
    add_jobs(one, jobs);
    one["clients"] = jobs.clients;
    Json stages = Json::array();
    for (const StageSummary& stage : jobs.stages) {
      if (jobs.times_grow) break;
      Json row = Json::object();
      row["label"] = stage.label;
      row["time_s"] = json_estimate<Json>(stage.mean_s);
      stages.push_back(std::move(row));
    }
    one["stages"] = std::move(stages);
    json[jobs.name] = std::move(one);
  }
  return json;
}

/// send, host, queue, compute and receive add up to the latency; fill and instance_wait are the queue's two parts, and
/// device_wait is a part of compute.
Json json_breakdown_of_request(const ModelSummary& model) {
  Json json = Json::object();
  json["send"] = json_estimate<Json>(model.send_s);
  json["host"] = json_estimate<Json>(model.host_s);
  json["queue"] = json_estimate<Json>(model.queue_s);
  json["fill"] = json_estimate<Json>(model.fill_s);
  json["instance_wait"] = json_estimate<Json>(model.instance_wait_s);
  json["compute"] = json_estimate<Json>(model.compute_s);
  json["device_wait"] = json_estimate<Json>(model.device_wait_s);
  json["receive"] = json_estimate<Json>(model.receive_s);
  return json;
}

Json json_batch_items(const ModelSummary& model) {
  Json json = model.batch_items ? json_estimate<Json>(*model.batch_items) : Json{{"mean", nullptr}};
  Json histogram = Json::object();
  for (const auto& [items, batches] : model.batches) histogram[std::to_string(items)] = batches;
  json["histogram"] = std::move(histogram);
  return json;
}

Json json_models(const RunSummary& summary) {
  Json json = Json::object();
  for (const ModelSummary& model : summary.models) {
    Json one = Json::object();
    one["requests_per_s"] = json_estimate<Json>(model.requests_per_s);
    one["items_per_s"] = json_estimate<Json>(model.items_per_s);
    one["ingress_bytes_per_s"] = json_estimate<Json>(model.ingress_bytes_per_s);
    one["latency_s"] = json_time<Json>(model.latency);
    one["rejected_per_s"] = json_estimate<Json>(model.rejected_per_s);
    one["breakdown_s"] = json_breakdown_of_request(model);
    one["batch_items"] = json_batch_items(model);
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
  for (const ResourceSummary& resource : report.summary.resources) {
    Json row = Json::object();
    row["name"] = resource.name;
    row["kind"] = name_of(resource.kind);
    row["busy_fraction"] = json_estimate<Json>(resource.busy_fraction);
    row["demand_s_per_event"] = json_estimate<Json>(resource.demand_s_per_event);
    row["units"] = json_number<Json>(resource.units);
    row["mean_in_use"] = json_estimate<Json>(resource.mean_in_use);
    add_bound(row, report.facts, resource.name);
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace

std::string run_json(const RunReport& report) {
  Json result = Json::object();
  add_jobs(result, report.summary.all_jobs);
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
