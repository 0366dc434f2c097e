#include <nlohmann/json.hpp>

#include "reports/check_report.hpp"
#include "reports/json_parts.hpp"
#include "reports/system_facts_json.hpp"

namespace saturn {

std::string check_json(const ReadScenario& read, const SystemFacts& facts, const Provenance& provenance) {
  using Json = nlohmann::ordered_json;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(provenance);
  document["result"]["jobs"] = facts.jobs;
  document["result"]["clients"] = facts.clients;
  document["result"]["gpus"] = facts.devices;
  document["result"]["ideal_event_time_s"] = json_number<Json>(facts.ideal_event_time_s);
  if (facts.least_event_time_s) document["result"]["least_event_time_s"] = json_number<Json>(*facts.least_event_time_s);
  document["result"]["bound_event_time_s"] = json_number<Json>(facts.bound_event_time_s);
  document["result"]["ideal_event"] = json_breakdown<Json>(facts);
  document["result"]["cpu_only"] = json_cpu_only<Json>(facts);
  document["result"]["knees"] = json_knees<Json>(facts);
  document["result"]["product_form_violations"] = facts.product_form_violations;
  document["scenario"] = Json::parse(read.resolved);
  return json_document(document);
}

}  // namespace saturn
