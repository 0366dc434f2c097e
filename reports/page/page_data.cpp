#include "reports/page/page_data.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include "models/results/measures.hpp"
#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/tables/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

Json resources_json(const std::vector<PlannerResource>& resources) {
  Json list = Json::array();
  for (const PlannerResource& one : resources)
    list.push_back(
        {{"name", one.name}, {"demand_s", json_number<Json>(one.demand_s)}, {"follows", name_of(one.follows)}});
  return list;
}

Json points_json(const std::vector<PlannerPoint>& points) {
  Json list = Json::array();
  for (const PlannerPoint& one : points)
    list.push_back({{"streams", json_number<Json>(one.clients)},
                    {"event_time_s", json_number<Json>(one.event_time_s)},
                    {"low_s", json_number<Json>(one.low_s)},
                    {"high_s", json_number<Json>(one.high_s)}});
  return list;
}

Json losses_json(const std::vector<PlannerLoss>& losses) {
  Json list = Json::array();
  for (const PlannerLoss& one : losses)
    list.push_back({{"devices", json_number<Json>(one.devices)},
                    {"lost_fraction", json_number<Json>(one.lost_fraction)},
                    {"low", json_number<Json>(one.low)},
                    {"high", json_number<Json>(one.high)}});
  return list;
}

Json stages_json(const std::vector<PlannerStage>& stages) {
  Json list = Json::array();
  for (const PlannerStage& one : stages) {
    Json transfers = Json::array();
    for (const PlannerTransfer& transfer : one.transfers)
      transfers.push_back({{"bytes", json_number<Json>(transfer.bytes)},
                           {"cap_bytes_per_s", json_number<Json>(transfer.cap_bytes_per_s)},
                           {"resources", transfer.resources}});
    list.push_back({{"fixed_s", json_number<Json>(one.fixed_s)},
                    {"round_trips", json_number<Json>(one.round_trips)},
                    {"links", one.links},
                    {"transfers", std::move(transfers)},
                    {"asynchronous", one.asynchronous},
                    {"sending_s", json_number<Json>(one.sending_s)},
                    {"needs", one.needs}});
  }
  return list;
}

Json network_json(const PlannerNetwork& network) {
  Json pools = Json::array();
  for (const PlannerPool& pool : network.pools) {
    Json demands = Json::array();
    for (const double demand_s : pool.demands_s) demands.push_back(json_number<Json>(demand_s));
    pools.push_back({{"name", pool.name},
                     {"streams", json_number<Json>(pool.streams)},
                     {"stages", stages_json(pool.stages)},
                     {"traffic_usd_per_event", json_number<Json>(pool.traffic_usd_per_event)},
                     {"demands_s", std::move(demands)}});
  }
  Json servers = Json::array();
  for (const PlannerServer& server : network.servers)
    servers.push_back({{"name", server.name},
                       {"site", server.site},
                       {"counted", server.counted},
                       {"count", json_number<Json>(server.count)},
                       {"devices_each", json_number<Json>(server.devices_each)},
                       {"device_usd_per_hour", json_number<Json>(server.device_usd_per_hour)},
                       {"node_usd_per_hour", json_number<Json>(server.node_usd_per_hour)}});
  Json links = Json::array();
  for (const PlannerLink& link : network.links)
    links.push_back({{"name", link.name}, {"round_trip_s", json_number<Json>(link.round_trip_s)}});
  Json resources = Json::array();
  for (const PlannerShared& resource : network.resources)
    resources.push_back({{"name", resource.name},
                         {"server", resource.server ? Json(*resource.server) : Json()},
                         {"bandwidth_bytes_per_s", json_number<Json>(resource.bandwidth_bytes_per_s)}});
  return {{"pools", std::move(pools)},
          {"servers", std::move(servers)},
          {"links", std::move(links)},
          {"resources", std::move(resources)}};
}

/// What CSV and JSON call the panel's answers, by the names of the measures.
Json keys_json(const PlannerModel& model) {
  using OfJobs = Key<Subject::jobs>;
  const bool open = model.arrivals_per_s.has_value();
  std::vector<MeasureId> shown = {OfJobs("ideal_event_time_s").id(), OfJobs("events_per_s").id(),
                                  measure("cost_per_million")};
  if (open)
    shown.insert(shown.end(), {OfJobs("capacity_per_s").id(), OfJobs("lost_fraction").id(), measure("gpus")});
  else
    shown.insert(shown.end(), {OfJobs("event_time_s").id(), OfJobs("slowdown").id()});
  if (!open && !model.network && model.stream_word == "job") shown.push_back(measure("jobs_per_gpu"));
  Json keys = Json::object();
  for (const MeasureId one : shown) keys[std::string(one->name)] = one->key();
  for (const std::string_view name : {answer_keys::binding, answer_keys::next}) keys[std::string(name)] = name;
  if (!open && !model.network)
    for (const std::string_view name :
         {answer_keys::streams_per_gpu, answer_keys::saturates_at, answer_keys::within_slowdown})
      keys[std::string(name)] = name;
  return keys;
}

}  // namespace

std::string figure_data(const Figure& figure) {
  const Json facts = {{"name", figure.name}, {"title", figure.title}, {"about", figure.caption}};
  std::string json = json_line(facts);
  json.pop_back();
  return json + ",\"rows\":" + rows_json(figure.rows) + ",\"spec\":" + figure.spec + "}";
}

std::string planner_data(const PlannerModel& model) {
  return json_line(Json{{"device_word", model.device_word},
                        {"stream_word", model.stream_word},
                        {"cpu_s", json_number<Json>(model.cpu_s)},
                        {"device_s", json_number<Json>(model.device_s)},
                        {"round_trips", json_number<Json>(model.round_trips)},
                        {"round_trip_s", json_number<Json>(model.round_trip_s)},
                        {"transferred_bytes", json_number<Json>(model.transferred_bytes)},
                        {"bandwidth_bytes_per_s", json_number<Json>(model.bandwidth_bytes_per_s)},
                        {"other_s", json_number<Json>(model.other_s)},
                        {"arrivals_per_s", json_number<Json>(model.arrivals_per_s)},
                        {"streams", json_number<Json>(model.clients)},
                        {"devices", json_number<Json>(model.devices)},
                        {"tolerated_slowdown", json_number<Json>(model.tolerated_slowdown)},
                        {"device_usd_per_hour", json_number<Json>(model.device_usd_per_hour)},
                        {"core_usd_per_hour", json_number<Json>(model.core_usd_per_hour)},
                        {"other_usd_per_hour", json_number<Json>(model.other_usd_per_hour)},
                        {"traffic_usd_per_million_events", json_number<Json>(model.traffic_usd_per_million_events)},
                        {"resources", resources_json(model.resources)},
                        {"simulated", points_json(model.simulated)},
                        {"losses", losses_json(model.losses)},
                        {"network", model.network ? network_json(*model.network) : Json()},
                        {"keys", keys_json(model)}});
}

namespace {

using Json = nlohmann::ordered_json;

constexpr int packed_digits = 5;
constexpr int drawn_digits = 4;

Json rounded(const std::optional<double>& value, double factor, int digits) {
  if (!value || !std::isfinite(*value * factor)) return nullptr;
  return json_number<Json>(read_number(compact_number(*value * factor, digits)));
}

Json drawn(const std::optional<double>& value, double factor) {
  return rounded(value, factor, drawn_digits);
}

// The ends of what is shown decide; looking at every number would take longer than writing the page.
ShownUnit unit_between(double least, double most, const std::string& unit) {
  std::vector<double> ends;
  if (std::isfinite(least)) ends.push_back(least);
  if (std::isfinite(most)) ends.push_back(most);
  return handiest_unit(ends, unit, 3);
}

class Ends {
 public:
  void see(const std::optional<double>& value) {
    if (!value || !std::isfinite(*value) || *value == 0.0) return;
    least_ = std::min(least_, *value);
    most_ = std::max(most_, *value);
  }
  ShownUnit unit(const std::string& base) const { return unit_between(least_, most_, base); }

 private:
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

Json axis_json(const MapAxis& axis) {
  if (!axis.words.empty()) return {{"title", axis.title}, {"unit", ""}, {"words", axis.words}, {"present", nullptr}};
  Ends ends;
  for (const double value : axis.values) ends.see(value);
  const ShownUnit unit = ends.unit(axis.unit);
  std::vector<std::string> words;
  for (const double value : axis.values)
    words.push_back(std::isfinite(value) ? compact_number(value * unit.factor, 4) : no_value);
  Json present = nullptr;
  const auto own = std::find_if(axis.values.begin(), axis.values.end(), [&](double value) {
    return axis.present && std::abs(value - *axis.present) <= 1e-9 * std::abs(value);
  });
  if (own != axis.values.end()) present = own - axis.values.begin();
  return {{"title", axis.title}, {"unit", unit.name}, {"words", words}, {"present", present}};
}

/// Lists that many cells share, each written once.
class SharedLists {
 public:
  std::size_t index_of(Json list) {
    const auto [entry, is_new] = known_.emplace(json_line(list), lists_.size());
    if (is_new) lists_.push_back(std::move(list));
    return entry->second;
  }
  const Json& lists() const { return lists_; }

 private:
  std::map<std::string, std::size_t> known_;
  Json lists_ = Json::array();
};

// Where the field is the curve's x, its value is the place of the knee.
Json knee_factor(const FieldMap& map, const ShownUnit& of_value, const ShownUnit& of_x) {
  if (map.value_title != map.curve_x_title) return nullptr;
  return of_x.factor / of_value.factor;
}

Json curves_json(const FieldMap& map, const ShownUnit& value_unit) {
  Ends ends_x;
  Ends ends_y;
  for (const MapCell& cell : map.cells) {
    for (const CurveSample& sample : cell.curve) {
      ends_x.see(sample.x);
      ends_y.see(sample.y);
    }
  }
  const ShownUnit unit_x = ends_x.unit(map.curve_x_unit);
  const ShownUnit unit_y = ends_y.unit(map.curve_y_unit);
  SharedLists xs;
  Json of = Json::array();
  Json y = Json::array();
  Json low = Json::array();
  Json high = Json::array();
  bool has_band = false;
  for (const MapCell& cell : map.cells) {
    Json x = Json::array();
    Json cell_y = Json::array();
    Json cell_low = Json::array();
    Json cell_high = Json::array();
    for (const CurveSample& sample : cell.curve) {
      x.push_back(drawn(sample.x, unit_x.factor));
      cell_y.push_back(drawn(sample.y, unit_y.factor));
      cell_low.push_back(drawn(sample.low, unit_y.factor));
      cell_high.push_back(drawn(sample.high, unit_y.factor));
      has_band = has_band || (sample.low && sample.high);
    }
    of.push_back(xs.index_of(std::move(x)));
    y.push_back(std::move(cell_y));
    low.push_back(std::move(cell_low));
    high.push_back(std::move(cell_high));
  }
  Json curves = {{"x_title", name_with_unit(map.curve_x_title, unit_x.name)},
                 {"y_title", name_with_unit(map.curve_y_title, unit_y.name)},
                 {"xs", xs.lists()},
                 {"of", std::move(of)},
                 {"y", std::move(y)},
                 {"knee_factor", knee_factor(map, value_unit, unit_x)}};
  if (has_band) {
    curves["low"] = std::move(low);
    curves["high"] = std::move(high);
  }
  return curves;
}

Json breakdowns_json(const FieldMap& map) {
  // The longest parts choose the unit: of an idle queue's nanoseconds nobody wants to see the rest.
  Ends ends;
  for (const MapCell& cell : map.cells) {
    double longest = 0.0;
    for (const NamedTime& part : cell.breakdown) longest = std::max(longest, part.seconds);
    ends.see(longest);
  }
  const ShownUnit unit = ends.unit("s");
  SharedLists names;
  Json of = Json::array();
  Json times = Json::array();
  for (const MapCell& cell : map.cells) {
    Json cell_names = Json::array();
    Json cell_times = Json::array();
    for (const NamedTime& part : cell.breakdown) {
      cell_names.push_back(part.name);
      cell_times.push_back(drawn(part.seconds, unit.factor));
    }
    of.push_back(names.index_of(std::move(cell_names)));
    times.push_back(std::move(cell_times));
  }
  return {{"unit", unit.name}, {"names", names.lists()}, {"of", std::move(of)}, {"times", std::move(times)}};
}

}  // namespace

std::string map_data(const LinkedMap& linked) {
  const FieldMap& map = linked.map;
  Ends ends;
  for (const MapCell& cell : map.cells) ends.see(cell.value);
  const ShownUnit unit = ends.unit(map.value_unit);
  SharedLists reasons;
  Json value = Json::array();
  Json low = Json::array();
  Json high = Json::array();
  Json why_not = Json::array();
  bool has_curves = false;
  bool has_breakdowns = false;
  for (const MapCell& cell : map.cells) {
    value.push_back(rounded(cell.value, unit.factor, packed_digits));
    low.push_back(rounded(cell.low, unit.factor, packed_digits));
    high.push_back(rounded(cell.high, unit.factor, packed_digits));
    why_not.push_back(reasons.index_of(cell.why_not));
    has_curves = has_curves || !cell.curve.empty();
    has_breakdowns = has_breakdowns || !cell.breakdown.empty();
  }
  Json data = {{"figure", linked.figure},   {"value_title", map.value_title},
               {"value_unit", unit.name},   {"method", map.method},
               {"x", axis_json(map.x)},     {"y", axis_json(map.y)},
               {"value", std::move(value)}, {"low", std::move(low)},
               {"high", std::move(high)},   {"why_not", {{"words", reasons.lists()}, {"of", std::move(why_not)}}}};
  if (has_curves && !map.curve_x_title.empty()) data["curves"] = curves_json(map, unit);
  if (has_breakdowns) data["breakdowns"] = breakdowns_json(map);
  return json_line(data);
}

}  // namespace saturn
