#include <nlohmann/json.hpp>

#include "reports/json_parts.hpp"
#include "reports/validation_report.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

Json json_comparison(const std::optional<Comparison>& comparison) {
  if (!comparison) return nullptr;
  Json json = Json::object();
  json["measured"] = json_number<Json>(comparison->measured);
  json["measured_sem"] = json_number<Json>(comparison->measured_sem);
  json["simulated"] = json_estimate<Json>(comparison->simulated);
  json["error"] = json_number<Json>(comparison->error());
  return json;
}

Json json_errors(const ValidationCase& validation, std::optional<Comparison> ValidationRow::*quantity) {
  const ErrorSummary errors = summarise_errors(validation, quantity);
  if (errors.rows == 0) return nullptr;
  Json json = Json::object();
  json["rows"] = errors.rows;
  json["median_absolute_error"] = json_number<Json>(errors.median_absolute_error);
  json["worst_error"] = json_number<Json>(errors.worst_error);
  json["worst_at_jobs"] = json_number<Json>(errors.worst_jobs);
  return json;
}

}  // namespace

std::string validation_json(const ValidationReport& report) {
  Json cases = Json::array();
  for (const ValidationCase& validation : report.cases) {
    Json one = Json::object();
    one["case"] = validation.id;
    one["title"] = validation.title;
    one["source"] = validation.source;
    one["scenario"] = validation.scenario;
    one["notes"] = validation.notes;
    one["rows"] = Json::array();
    for (const ValidationRow& row : validation.rows) {
      Json line = Json::object();
      line["jobs"] = json_number<Json>(row.jobs);
      line["event_time_s"] = json_comparison(row.event_time_s);
      line["module_time_s"] = json_comparison(row.module_time_s);
      line["events_per_s"] = json_comparison(row.events_per_s);
      line["remark"] = row.remark;
      one["rows"].push_back(std::move(line));
    }
    one["errors"]["event_time_s"] = json_errors(validation, &ValidationRow::event_time_s);
    one["errors"]["module_time_s"] = json_errors(validation, &ValidationRow::module_time_s);
    one["errors"]["events_per_s"] = json_errors(validation, &ValidationRow::events_per_s);
    cases.push_back(std::move(one));
  }
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["cases"] = std::move(cases);
  return document.dump(2) + "\n";
}

}  // namespace saturn
