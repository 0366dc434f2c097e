#pragma once

#include "reports/json_parts.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

/// [{pool, label, part, seconds}]: the ideal event time, part by part.
template <class Json>
Json json_breakdown(const SystemFacts& facts) {
  Json json = Json::array();
  for (const PoolFacts& pool : facts.pools) {
    for (const EventPart& part : pool.parts) {
      Json row = Json::object();
      row["jobs"] = pool.name;
      row["label"] = part.label;
      row["part"] = name_of(part.part);
      row["time_s"] = json_number<Json>(part.seconds);
      json.push_back(std::move(row));
    }
  }
  return json;
}

/// {pool: {cpu_event_time_s, service_event_time_s, cpu_offloaded_s, service_offloaded_s}} of the pools that know it.
template <class Json>
Json json_cpu_only(const SystemFacts& facts) {
  Json json = Json::object();
  for (const PoolFacts& pool : facts.pools) {
    if (!pool.cpu_only) continue;
    Json row = Json::object();
    row["cpu_event_time_s"] = json_number<Json>(pool.cpu_only->event_time_s);
    row["service_event_time_s"] = json_number<Json>(pool.ideal_event_time_s);
    row["cpu_offloaded_s"] = json_number<Json>(pool.cpu_only->offloaded_s);
    row["service_offloaded_s"] = json_number<Json>(pool.cpu_only->as_a_service_s);
    json[pool.name] = std::move(row);
  }
  return json;
}

/// [{name, kind, demand_s_per_event, saturates_at_jobs}], the one that binds first at the front.
template <class Json>
Json json_knees(const SystemFacts& facts) {
  Json json = Json::array();
  for (const KneeFact& knee : facts.knees) {
    Json row = Json::object();
    row["name"] = knee.resource;
    row["kind"] = name_of(knee.kind);
    row["demand_s_per_event"] = json_number<Json>(knee.demand_s_per_event);
    row["saturates_at_jobs"] = json_number<Json>(knee.jobs);
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace saturn
