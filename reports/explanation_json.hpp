#pragma once

#include "reports/explanation.hpp"
#include "reports/json_parts.hpp"

namespace saturn {

/// [{change, set, events_per_s_change, event_time_change, latency_change, latency_p99_change, verdict, why_not}], the
/// changes relative to the original [1], best first.
template <class Json>
Json json_changes(const Explanation& explanation) {
  const auto change = [](const std::optional<Estimate>& estimate) {
    return estimate ? json_estimate<Json>(*estimate) : Json(nullptr);
  };
  Json json = Json::array();
  for (const ExplainedChange& one : explanation.changes) {
    const PairedChange effect = one.effect.value_or(PairedChange{});
    const bool known = one.effect.has_value();
    Json row = Json::object();
    row["change"] = one.neighbour.what;
    row["set"] = texts_of(one.neighbour.settings);
    row["events_per_s_change"] = known ? json_estimate<Json>(effect.events_per_s) : Json(nullptr);
    row["event_time_change"] = known ? json_estimate<Json>(effect.event_time) : Json(nullptr);
    row["latency_change"] = change(effect.latency);
    row["latency_p99_change"] = change(effect.latency_p99);
    row["verdict"] = known ? Json(word_of(verdict_of(effect.events_per_s))) : Json(nullptr);
    row["why_not"] = known ? Json(nullptr) : Json(one.why_not);
    json.push_back(std::move(row));
  }
  return json;
}

/// [{change, why}]: changes that were not simulated.
template <class Json>
Json json_left_out(const Explanation& explanation) {
  Json json = Json::array();
  for (const NoNeighbour& one : explanation.left_out) {
    Json row = Json::object();
    row["change"] = one.what;
    row["why"] = one.why;
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace saturn
