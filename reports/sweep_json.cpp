#include "reports/sweep_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "reports/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_axes(const SweepTable& table) {
  Json axes = Json::array();
  for (const AxisColumn& axis : table.axes)
    axes.push_back(
        {{"name", axis.name}, {"head", axis.head()}, {"pointer", axis.pointer}, {"unit", json_word<Json>(axis.unit)}});
  return axes;
}

Json json_counts(const SweepTable& table) {
  Json counts = Json::object();
  for (const PointStatus status :
       {PointStatus::answered, PointStatus::imprecise, PointStatus::failed, PointStatus::missing})
    counts[name_of(status)] = std::count_if(table.rows.begin(), table.rows.end(),
                                            [&](const SweepRow& row) { return row.result.status == status; });
  return counts;
}

Json json_values(const SweepTable& table, const SweepRow& row) {
  Json values = Json::object();
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const AxisCell& cell = row.cells.at(c);
    values[table.axes[c].head()] = cell.number ? json_number<Json>(*cell.number) : Json(cell.text);
  }
  return values;
}

Json json_point(const SweepTable& table, const SweepRow& row) {
  const PointResult& result = row.result;
  Json point = Json::object();
  point["point"] = row.number;
  point["id"] = row.id;
  point["values"] = json_values(table, row);
  point["status"] = name_of(result.status);
  point["failure"] = json_word<Json>(result.failure);
  point["reason"] = json_word<Json>(result.reason);
  point["replications"] = result.answer.replications;
  point["metrics"] = Json::object();
  for (const SweepMetric& metric : result.answer.metrics)
    point["metrics"][metric.name()] = {{"mean", json_number<Json>(metric.mean)},
                                       {"low", json_number<Json>(metric.low)},
                                       {"high", json_number<Json>(metric.high)}};
  point["words"] = Json::object();
  for (const SweepWord& word : result.answer.words) point["words"][word.name] = word.word;
  return point;
}

}  // namespace

std::string sweep_json(const SweepTable& table) {
  std::string text = "{\n  \"title\": " + dumped(table.title) + ",\n  \"answer\": " + dumped(table.answer) +
                     ",\n  \"seed\": " + std::to_string(table.seed) + ",\n  \"axes\": " + dumped(json_axes(table)) +
                     ",\n  \"counts\": " + dumped(json_counts(table)) + ",\n  \"points\": [";
  // One document of all points would take many times the memory of its text.
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    text += (i > 0 ? ",\n    " : "\n    ") + dumped(json_point(table, table.rows[i]));
  return text + (table.rows.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

}  // namespace saturn
