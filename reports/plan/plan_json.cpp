#include <nlohmann/json.hpp>

#include <cmath>

#include "reports/plan/falsification_report.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/plan/sensitivity_report.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/tables/facts_json.hpp"
#include "reports/tables/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

std::uint64_t whole_jobs(const SystemFacts& facts, std::uint64_t event_loops) {
  return static_cast<std::uint64_t>(std::llround(jobs_of(facts, static_cast<double>(event_loops))));
}

/// The answer in jobs: clients are event loops, of which a job may have several.
void add_jobs_per_gpu(Json& json, const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  const auto whole = [&](double event_loops) {
    return json_number<Json>(std::floor(jobs_of(report.facts, event_loops)));
  };
  json["jobs_per_gpu"]["value"] = whole(unrounded_clients_per_gpu(answer, report.question));
  json["jobs_per_gpu"]["low"] = whole(answer.clients_per_gpu_low);
  json["jobs_per_gpu"]["high"] = whole(answer.clients_per_gpu_high);
  json["clients_per_job"] = json_number<Json>(report.facts.clients / report.facts.jobs);
}

Json json_answer(const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  Json json = Json::object();
  json["clients_per_gpu"]["value"] = answer.clients_per_gpu;
  json["clients_per_gpu"]["low"] = json_number<Json>(std::floor(answer.clients_per_gpu_low));
  json["clients_per_gpu"]["high"] = json_number<Json>(std::floor(answer.clients_per_gpu_high));
  if (answer.calibrated_clients_per_gpu) {
    IntervalParts parts = *answer.calibrated_clients_per_gpu->parts;
    parts.low_simulation = std::floor(parts.low_simulation);
    parts.high_simulation = std::floor(parts.high_simulation);
    add_parts(json["clients_per_gpu"], parts);
  }
  add_jobs_per_gpu(json, report);
  json["saturates_at_clients_per_gpu"] = json_number<Json>(answer.saturates_at);
  json["within_slowdown_clients_per_gpu"] = json_number<Json>(answer.within_slowdown);
  json["jobs"] = whole_jobs(report.facts, answer.clients);
  json["clients"] = answer.clients;
  json["gpus"] = answer.gpus ? Json(*answer.gpus) : Json(nullptr);
  json["gpus_by_bound"] = answer.gpus_by_bound ? Json(*answer.gpus_by_bound) : Json(nullptr);
  json["confirmed"] = report.plan.confirmed;
  json["why_no_gpus"] = json_word<Json>(answer.why_no_gpus);
  json["slowdown"] = answer.gpus ? json_estimate<Json>(answer.slowdown) : Json(nullptr);
  json["cost_per_million_events"] = json_number<Json>(answer.cost_per_million_events_usd);
  json["cost_of"] = json_word<Json>(priced_words(answer.priced, report.facts.device_word));
  json["cpu_only_cost_per_million_events"] = json_number<Json>(answer.cpu_only_cost_per_million_events_usd);
  json["module"]["cpu_only_usd_per_million_events"] = json_number<Json>(answer.module.cpu_only_usd_per_million);
  json["module"]["service_usd_per_million_events"] = json_number<Json>(answer.module.as_a_service_usd_per_million);
  json["prices"] = json_prices<Json>(answer.prices);
  json["binding"] = json_word<Json>(answer.binding);
  json["next"] = json_word<Json>(answer.next);
  json["next_at_jobs"] =
      answer.next.empty() ? Json(nullptr) : json_number<Json>(jobs_of(report.facts, answer.next_at_clients));
  json["tolerated_slowdown"] = report.question.slowdown;
  json["tolerance_of"] = answer.fewest_slowdown ? "fewest_jobs" : "ideal_event";
  json["fewest_jobs_slowdown"] = answer.fewest_slowdown ? json_estimate<Json>(*answer.fewest_slowdown) : Json(nullptr);
  json["also_tolerated_slowdown"] = json_number<Json>(report.question.also_within);
  json["also_within_clients_per_gpu"] = json_number<Json>(answer.also_within_clients_per_gpu);
  json["alone_clients_per_gpu"] = json_number<Json>(answer.alone_clients_per_gpu);
  json["unsaturated_gpus"] = answer.unsaturated_gpus ? Json(*answer.unsaturated_gpus) : Json(nullptr);
  json["unsaturated_slowdown"] =
      answer.unsaturated_gpus ? json_estimate<Json>(answer.unsaturated_slowdown) : Json(nullptr);
  json["waits"] = Json::array();
  for (const WaitingPart& part : answer.waits)
    json["waits"].push_back({{"what", part.what}, {"per_event_s", part.per_event_s}});
  return json;
}

Json json_methods(const PlanReport& report) {
  Json json = Json::array();
  for (const PlanRow& row : report.plan.rows) {
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
  for (const PlanCandidate& row : report.plan.candidates) {
    Json one = Json::object();
    one["jobs"] = whole_jobs(report.facts, row.clients);
    one["clients"] = row.clients;
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
  document["formula"] = json_formula<Json>(report.plan.formula);
  document["candidates"] = json_candidates(report);
  document["methods"] = json_methods(report);
  document["ideal_event"] = json_breakdown<Json>(report.facts);
  document["cpu_only"] = json_cpu_only<Json>(report.facts);
  document["knees"] = json_knees<Json>(report.facts);
  document["budget_spent"] = report.plan.budget_spent;
  document["left_out"] = report.left_out;
  document["precision_reached"] = report.plan.precision_reached;
  if (report.sensitivity) document["sensitivity"] = json_sensitivity<Json>(*report.sensitivity);
  if (report.falsification) document["falsify"] = json_falsification<Json>(*report.falsification);
  return json_document(document);
}

std::string plan_csv(const PlanReport& report) {
  const PlanAnswer& answer = report.plan.answer;
  CsvRows rows;
  rows.add("answer", "", "clients_per_gpu",
           Estimate{.mean = static_cast<double>(answer.clients_per_gpu),
                    .low = std::floor(answer.clients_per_gpu_low),
                    .high = std::floor(answer.clients_per_gpu_high),
                    .confidence = answer.confidence,
                    .replications = answer.slowdown.replications});
  if (answer.calibrated_clients_per_gpu) {
    rows.add("answer", "", "calibrated_clients_per_gpu", *answer.calibrated_clients_per_gpu);
  }
  rows.add("answer", "", "jobs", std::round(jobs_of(report.facts, static_cast<double>(answer.clients))));
  rows.add("answer", "", "clients", static_cast<double>(answer.clients));
  rows.add("answer", "", "saturates_at_clients_per_gpu", answer.saturates_at);
  rows.add("answer", "", "within_slowdown_clients_per_gpu", answer.within_slowdown);
  if (answer.gpus) {
    rows.add("answer", "", "gpus", static_cast<double>(*answer.gpus));
    rows.add("answer", "", "slowdown", answer.slowdown);
  }
  rows.add("answer", "", "cost_per_million_events_usd", answer.cost_per_million_events_usd);
  const auto add_cost = [&](const char* quantity, const std::optional<double>& value) {
    if (value) rows.add("answer", "", quantity, value);
  };
  add_cost("cpu_only_cost_per_million_events_usd", answer.cpu_only_cost_per_million_events_usd);
  add_cost("module_cpu_only_usd_per_million_events", answer.module.cpu_only_usd_per_million);
  add_cost("module_service_usd_per_million_events", answer.module.as_a_service_usd_per_million);
  if (!answer.binding.empty()) rows.add("answer", answer.binding, "binding_rank", 1.0);
  if (!answer.next.empty()) {
    rows.add("answer", answer.next, "binding_rank", 2.0);
    rows.add("answer", answer.next, "saturates_at_jobs", jobs_of(report.facts, answer.next_at_clients));
  }
  for (const PlanRow& row : report.plan.rows) {
    rows.add("methods", row.method, "saturates_at_clients_per_gpu", row.knee);
    if (row.low && row.high && row.clients_per_gpu) {
      rows.add("methods", row.method, "clients_per_gpu",
               Estimate{.mean = *row.clients_per_gpu,
                        .low = *row.low,
                        .high = *row.high,
                        .confidence = answer.confidence,
                        .replications = answer.slowdown.replications});
    } else {
      rows.add("methods", row.method, "clients_per_gpu", row.clients_per_gpu);
    }
  }
  for (const PlanCandidate& row : report.plan.candidates) {
    const std::string name =
        std::to_string(row.clients) + " " + noun_of(report.facts) + "s on " + std::to_string(row.gpus);
    rows.add("candidates", name, "bound_event_time_s", row.bound_event_time_s);
    rows.add("candidates", name, "event_time_s", row.event_time_s);
    rows.add("candidates", name, "slowdown", row.slowdown);
    rows.add("candidates", name, "accepted", row.accepted ? 1.0 : 0.0);
  }
  add_facts(rows, report.facts);
  if (report.sensitivity) add_sensitivity(rows, *report.sensitivity);
  if (report.falsification) add_falsification(rows, *report.falsification);
  return rows.text();
}

std::string open_plan_json(const OpenPlanReport& report) {
  using Json = nlohmann::ordered_json;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["sentence"] = plan_sentence(sentence_of(report));
  document["answer"]["gpus"] = report.plan.gpus;
  document["answer"]["cost_per_million_events"] = json_number<Json>(report.plan.cost_per_million_events_usd);
  document["answer"]["cost_of"] = json_word<Json>(priced_words(report.plan.priced, report.facts.device_word));
  document["answer"]["rate_per_s"] = json_number<Json>(report.plan.offered_per_s);
  document["answer"]["tolerated_loss"] = report.plan.tolerated_loss;
  document["formula"]["gpus"] = report.plan.gpus_by_bound;
  Json candidates = Json::array();
  for (const OpenCandidate& row : report.plan.candidates) {
    Json one = Json::object();
    one["gpus"] = row.gpus;
    one["capacity_per_s"] = json_number<Json>(row.capacity_per_s);
    one["limit"] = row.limit;
    one["offered_per_s"] = json_estimate<Json>(row.offered_per_s);
    one["lost_fraction"] = json_estimate<Json>(row.lost_fraction);
    one["event_time_s"] = nullptr;
    row.all_jobs.each([&](const Measure& measure, const Estimate& estimate) {
      if (measure.json.starts_with("event_time_s/") && !row.all_jobs.times_grow) add_number(one, measure, estimate);
    });
    one["verdict"] = name_of(row.verdict);
    one["accepted"] = row.accepted;
    candidates.push_back(std::move(one));
  }
  document["candidates"] = std::move(candidates);
  document["ideal_event"] = json_breakdown<Json>(report.facts);
  document["knees"] = json_knees<Json>(report.facts);
  return json_document(document);
}

}  // namespace saturn
