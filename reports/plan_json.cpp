#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "reports/falsification_json.hpp"
#include "reports/json_parts.hpp"
#include "reports/plan_report.hpp"
#include "reports/sensitivity_json.hpp"
#include "reports/system_facts_json.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t whole_jobs(const SystemFacts& facts, std::uint64_t event_loops) {
  return static_cast<std::uint64_t>(std::llround(jobs_of(facts, static_cast<double>(event_loops))));
}

/// The answer in jobs: clients are event loops, of which a job may have several.
void add_jobs_per_gpu(Json& json, const PlanReport& report) {
  const double most =
      report.past_saturation ? report.within_slowdown : std::min(report.within_slowdown, report.saturates_at);
  const auto whole = [&](double event_loops) {
    return json_number<Json>(std::floor(jobs_of(report.facts, event_loops)));
  };
  json["jobs_per_gpu"]["value"] = whole(most);
  json["jobs_per_gpu"]["low"] = whole(report.clients_per_gpu_low);
  json["jobs_per_gpu"]["high"] = whole(report.clients_per_gpu_high);
  json["clients_per_job"] = json_number<Json>(report.facts.clients / report.facts.jobs);
}

Json json_answer(const PlanReport& report) {
  Json json = Json::object();
  json["clients_per_gpu"]["value"] = report.clients_per_gpu;
  json["clients_per_gpu"]["low"] = json_number<Json>(std::floor(report.clients_per_gpu_low));
  json["clients_per_gpu"]["high"] = json_number<Json>(std::floor(report.clients_per_gpu_high));
  if (report.calibrated_clients_per_gpu) {
    IntervalParts parts = *report.calibrated_clients_per_gpu->parts;
    parts.low_simulation = std::floor(parts.low_simulation);
    parts.high_simulation = std::floor(parts.high_simulation);
    add_parts(json["clients_per_gpu"], parts);
  }
  add_jobs_per_gpu(json, report);
  json["saturates_at_clients_per_gpu"] = json_number<Json>(report.saturates_at);
  json["within_slowdown_clients_per_gpu"] = json_number<Json>(report.within_slowdown);
  json["jobs"] = whole_jobs(report.facts, report.jobs);
  json["clients"] = report.jobs;
  json["gpus"] = report.gpus ? Json(*report.gpus) : Json(nullptr);
  json["gpus_by_bound"] = report.gpus_by_bound ? Json(*report.gpus_by_bound) : Json(nullptr);
  json["confirmed"] = report.confirmed;
  json["why_no_gpus"] = json_word<Json>(report.why_no_gpus);
  json["slowdown"] = report.gpus ? json_estimate<Json>(report.slowdown) : Json(nullptr);
  json["cost_per_million_events"] = json_number<Json>(report.cost_per_million_events_usd);
  json["cost_of"] = json_word<Json>(report.priced);
  json["cpu_only_cost_per_million_events"] = json_number<Json>(report.cpu_only_cost_per_million_events_usd);
  json["module"]["cpu_only_usd_per_million_events"] = json_number<Json>(report.module_cpu_only_usd_per_million_events);
  json["module"]["service_usd_per_million_events"] = json_number<Json>(report.module_service_usd_per_million_events);
  json["prices"] = json_prices<Json>(report.prices);
  json["binding"] = json_word<Json>(report.binding);
  json["next"] = json_word<Json>(report.next);
  json["next_at_jobs"] =
      report.next.empty() ? Json(nullptr) : json_number<Json>(jobs_of(report.facts, report.next_at_jobs));
  json["tolerated_slowdown"] = report.tolerated_slowdown;
  json["tolerance_of"] = report.fewest_slowdown ? "fewest_jobs" : "ideal_event";
  json["fewest_jobs_slowdown"] = report.fewest_slowdown ? json_estimate<Json>(*report.fewest_slowdown) : Json(nullptr);
  json["also_tolerated_slowdown"] = json_number<Json>(report.also_tolerated_slowdown);
  json["also_within_clients_per_gpu"] = json_number<Json>(report.also_within_clients_per_gpu);
  json["alone_clients_per_gpu"] = json_number<Json>(report.alone_clients_per_gpu);
  json["unsaturated_gpus"] = report.unsaturated_gpus ? Json(*report.unsaturated_gpus) : Json(nullptr);
  json["unsaturated_slowdown"] =
      report.unsaturated_gpus ? json_estimate<Json>(report.unsaturated_slowdown) : Json(nullptr);
  json["waits"] = Json::array();
  for (const WaitingPart& part : report.waits)
    json["waits"].push_back({{"what", part.what}, {"per_event_s", part.per_event_s}});
  return json;
}

Json json_methods(const PlanReport& report) {
  Json json = Json::array();
  for (const MethodRow& row : report.methods) {
    Json one = Json::object();
    one["method"] = row.method;
    one["saturates_at_clients_per_gpu"] = json_number<Json>(row.knee);
    one["clients_per_gpu"] = json_number<Json>(row.clients_per_gpu);
    one["low"] = json_number<Json>(row.low);
    one["high"] = json_number<Json>(row.high);
    one["remark"] = row.remark;
    json.push_back(std::move(one));
  }
  return json;
}

Json json_candidates(const PlanReport& report) {
  Json json = Json::array();
  for (const CandidateRow& row : report.candidates) {
    Json one = Json::object();
    one["jobs"] = whole_jobs(report.facts, row.jobs);
    one["clients"] = row.jobs;
    one["gpus"] = row.gpus;
    one["bound_event_time_s"] = json_number<Json>(row.bound_event_time_s);
    one["event_time_s"] = json_estimate<Json>(row.event_time_s);
    one["slowdown"] = json_estimate<Json>(row.slowdown);
    one["accepted"] = row.accepted;
    one["reason"] = row.reason;
    json.push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string plan_json(const PlanReport& report) {
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["sentence"] = plan_sentence(sentence_of(report));
  document["answer"] = json_answer(report);
  document["formula"]["clients_per_gpu"] = json_number<Json>(report.formula_clients_per_gpu);
  document["formula"]["event_time_s"] = json_number<Json>(report.formula_event_time_s);
  document["candidates"] = json_candidates(report);
  document["methods"] = json_methods(report);
  document["ideal_event"] = json_breakdown<Json>(report.facts);
  document["cpu_only"] = json_cpu_only<Json>(report.facts);
  document["knees"] = json_knees<Json>(report.facts);
  document["budget_spent"] = report.budget_spent;
  document["left_out"] = report.left_out;
  document["precision_reached"] = report.precision_reached;
  if (report.sensitivity) document["sensitivity"] = json_sensitivity<Json>(*report.sensitivity);
  if (report.falsification) document["falsify"] = json_falsification<Json>(*report.falsification);
  return json_document(document);
}

}  // namespace saturn
