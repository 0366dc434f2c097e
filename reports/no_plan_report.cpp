#include "reports/no_plan_report.hpp"

#include <nlohmann/json.hpp>

#include "models/csv_text.hpp"
#include "reports/json_parts.hpp"

namespace saturn {

std::string no_plan_text(const NoPlanReport& report, TextStyle style) {
  return heading("No plan: " + report.why, style);
}

std::string no_plan_json(const NoPlanReport& report) {
  using Json = nlohmann::ordered_json;
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["answer"] = nullptr;
  document["no_plan"] = report.why;
  return json_document(document);
}

std::string no_plan_csv(const NoPlanReport& report) {
  return "no_plan\n" + csv_cell(report.why) + "\n";
}

}  // namespace saturn
