#include "reports/page/page_data.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

// A number that is not finite has no JSON; the page shows what is null as absent.
Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json optional_number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}

Json resources_json(const std::vector<PlannerResource>& resources) {
  Json list = Json::array();
  for (const PlannerResource& one : resources)
    list.push_back({{"name", one.name}, {"demand_s", number(one.demand_s)}, {"follows", name_of(one.follows)}});
  return list;
}

Json points_json(const std::vector<PlannerPoint>& points) {
  Json list = Json::array();
  for (const PlannerPoint& one : points)
    list.push_back({{"clients", number(one.clients)},
                    {"event_time_s", number(one.event_time_s)},
                    {"low_s", number(one.low_s)},
                    {"high_s", number(one.high_s)}});
  return list;
}

Json losses_json(const std::vector<PlannerLoss>& losses) {
  Json list = Json::array();
  for (const PlannerLoss& one : losses)
    list.push_back({{"devices", number(one.devices)},
                    {"lost_fraction", number(one.lost_fraction)},
                    {"low", number(one.low)},
                    {"high", number(one.high)}});
  return list;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string figure_data(const Figure& figure) {
  const Json facts = {{"name", figure.name}, {"title", figure.title}, {"about", figure.caption}};
  std::string json = text_of(facts);
  json.pop_back();
  return json + ",\"rows\":" + rows_json(figure.rows) + ",\"spec\":" + figure.spec + "}";
}

std::string planner_data(const PlannerModel& model) {
  return text_of({{"device_word", model.device_word},
                  {"cpu_s", number(model.cpu_s)},
                  {"device_s", number(model.device_s)},
                  {"round_trips", number(model.round_trips)},
                  {"round_trip_s", number(model.round_trip_s)},
                  {"transferred_bytes", number(model.transferred_bytes)},
                  {"bandwidth_bytes_per_s", number(model.bandwidth_bytes_per_s)},
                  {"other_s", number(model.other_s)},
                  {"arrivals_per_s", optional_number(model.arrivals_per_s)},
                  {"clients", number(model.clients)},
                  {"devices", number(model.devices)},
                  {"tolerated_slowdown", number(model.tolerated_slowdown)},
                  {"device_usd_per_hour", optional_number(model.device_usd_per_hour)},
                  {"core_usd_per_hour", optional_number(model.core_usd_per_hour)},
                  {"other_usd_per_hour", number(model.other_usd_per_hour)},
                  {"traffic_usd_per_million_events", number(model.traffic_usd_per_million_events)},
                  {"resources", resources_json(model.resources)},
                  {"simulated", points_json(model.simulated)},
                  {"losses", losses_json(model.losses)}});
}

}  // namespace saturn
