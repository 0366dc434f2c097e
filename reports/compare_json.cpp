#include <nlohmann/json.hpp>

#include "reports/compare_report.hpp"
#include "reports/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

Json json_scaled(Estimate estimate, double factor) {
  estimate.mean *= factor;
  estimate.low *= factor;
  estimate.high *= factor;
  return json_estimate<Json>(estimate);
}

Json json_outcome(const AlternativeOutcome& outcome) {
  Json json = Json::object();
  json["event_time_s"] = json_estimate<Json>(outcome.event_time_s);
  json["events_per_s"] = json_estimate<Json>(outcome.events_per_s);
  json["waiting_core_s_per_event"] = json_estimate<Json>(outcome.waiting_core_s);
  json["waiting_core_h_per_million_events"] = json_scaled(outcome.waiting_core_s, 1e6 / 3600.0);
  json["waiting_share_of_core_time"] = json_estimate<Json>(outcome.waiting_share);
  json["devices"] = json_number<Json>(outcome.devices);
  json["device_busy_fraction"] = outcome.device_use ? json_estimate<Json>(*outcome.device_use) : Json(nullptr);
  json["device_h_per_million_events"] = json_number<Json>(outcome.device_hours_per_million_events);
  json["cost_usd_per_million_events"] = json_number<Json>(outcome.cost_usd_per_million_events);
  json["cost_of"] = Json::array();
  for (const PricedPart part : outcome.priced) json["cost_of"].push_back(name_of(part));
  json["module_usd_per_million_events"] = json_number<Json>(outcome.module_usd_per_million_events);
  json["rejected_share"] = json_number<Json>(outcome.rejected_share);
  const bool binds = !outcome.first_to_saturate.empty();
  json["binding"]["resource"] = binds ? Json(outcome.first_to_saturate) : Json(nullptr);
  json["binding"]["at_jobs"] = binds ? json_number<Json>(outcome.saturates_at_jobs) : Json(nullptr);
  json["binding"]["saturated"] = outcome.saturated;
  return json;
}

Json json_alternative(const ComparedAlternative& one) {
  Json json = Json::object();
  json["name"] = one.about.name;
  json["set"] = texts_of(one.about.settings);
  json["made_of"] = one.about.made_of;
  json["why_not"] = one.about.why_not.empty() ? Json(nullptr) : Json(one.about.why_not);
  json["result"] = one.outcome ? json_outcome(*one.outcome) : Json(nullptr);
  return json;
}

Json json_point(const BreakEvenPoint& point) {
  switch (point.where) {
    case BreakEvenPoint::Where::never:
      return {{"where", "never"}, {"value", nullptr}};
    case BreakEvenPoint::Where::always:
      return {{"where", "always"}, {"value", nullptr}};
    case BreakEvenPoint::Where::at:
      break;
  }
  Json json = Json::object();
  json["where"] = "at";
  json["value"] = json_estimate<Json>(point.value);
  return json;
}

Json json_break_even(const BreakEven& one, const std::string& device_word) {
  Json json = Json::object();
  json["of"] = one.of == BreakEvenOf::round_trip_time ? "round_trip_time_s" : "jobs_per_device";
  json["service"] = one.service;
  json["against"] = one.against;
  json["present"] = json_number<Json>(one.present);
  json["lowest"] = json_number<Json>(one.lowest);
  json["highest"] = json_number<Json>(one.highest);
  json["formula"] = json_point(one.formula);
  json["simulated"] = json_point(one.simulated);
  json["simulations"] = one.simulations;
  json["says"] = break_even_sentence(one, device_word);
  return json;
}

}  // namespace

std::string compare_json(const CompareReport& report) {
  const AlternativesComparison& all = report.comparison;
  const auto name = [&](const std::optional<std::size_t>& index) {
    return index ? Json(all.alternatives[*index].about.name) : Json(nullptr);
  };
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["jobs"] = json_number<Json>(report.facts.jobs);
  document["alternatives"] = Json::array();
  for (const ComparedAlternative& one : all.alternatives) document["alternatives"].push_back(json_alternative(one));
  document["winner"]["shortest_events"] = name(all.fastest);
  document["winner"]["no_slower"] = Json::array();
  for (const std::size_t i : all.as_fast) document["winner"]["no_slower"].push_back(all.alternatives[i].about.name);
  document["winner"]["cheapest"] = name(all.cheapest);
  document["winner"]["cost_includes_cores"] = all.cores_priced;
  document["prices"] = json_prices<Json>(all.prices);
  document["break_even"] = Json::array();
  for (const BreakEven& one : all.break_evens) {
    document["break_even"].push_back(json_break_even(one, report.facts.device_word));
  }
  return json_document(document);
}

}  // namespace saturn
