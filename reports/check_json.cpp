#include <nlohmann/json.hpp>

#include "reports/check_report.hpp"
#include "reports/json_parts.hpp"
#include "reports/system_facts_json.hpp"

namespace saturn {

std::string check_json(const CheckReport& report) {
  using Json = nlohmann::ordered_json;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["result"]["jobs"] = report.facts.jobs;
  document["result"]["clients"] = report.facts.clients;
  document["result"]["gpus"] = report.facts.devices;
  document["result"]["ideal_event_time_s"] = json_number<Json>(report.facts.ideal_event_time_s);
  if (report.facts.least_event_time_s)
    document["result"]["least_event_time_s"] = json_number<Json>(*report.facts.least_event_time_s);
  document["result"]["bound_event_time_s"] = json_number<Json>(report.facts.bound_event_time_s);
  document["result"]["ideal_event"] = json_breakdown<Json>(report.facts);
  document["result"]["cpu_only"] = json_cpu_only<Json>(report.facts);
  document["result"]["knees"] = json_knees<Json>(report.facts);
  document["result"]["product_form_violations"] = report.product_form_violations;
  document["scenario"] = Json::parse(report.resolved);
  return json_document(document);
}

}  // namespace saturn
