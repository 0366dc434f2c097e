#pragma once

#include <vector>

#include "reports/json_parts.hpp"
#include "reports/run_report.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

/// {resource, at_jobs, next, next_at_jobs}: what saturates first and next.
template <class Json>
Json json_binding(const SystemFacts& facts) {
  Json json = Json::object();
  const bool binds = !facts.knees.empty();
  const bool follows = facts.knees.size() > 1;
  json["resource"] = binds ? Json(facts.knees[0].resource) : Json(nullptr);
  json["at_jobs"] = binds ? json_number<Json>(facts.knees[0].jobs) : Json(nullptr);
  json["next"] = follows ? Json(facts.knees[1].resource) : Json(nullptr);
  json["next_at_jobs"] = follows ? json_number<Json>(facts.knees[1].jobs) : Json(nullptr);
  return json;
}

/// [{method, event_time_s, events_per_s, remark}]: what formulas say of the same jobs.
template <class Json>
Json json_references(const std::vector<ReferencePoint>& references) {
  Json json = Json::array();
  for (const ReferencePoint& point : references) {
    Json row = Json::object();
    row["method"] = point.method;
    row["event_time_s"] = json_number<Json>(point.event_time_s);
    row["events_per_s"] = json_number<Json>(point.events_per_s);
    row["remark"] = point.remark;
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace saturn
