#include <nlohmann/json.hpp>

#include "reports/json_parts.hpp"
#include "reports/open_plan_report.hpp"
#include "reports/price_list.hpp"
#include "reports/system_facts_json.hpp"

namespace saturn {

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
