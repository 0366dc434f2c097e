#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/results/results.hpp"
#include "reports/run/provenance.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/plan/costs/purchase_terms.hpp"

/// Pieces that all JSON documents share. `Json` is nlohmann::ordered_json; as a template parameter it keeps that header
/// inside the .cpp files.

namespace saturn {

/// Any value as text in one line. Names of files and what was typed need not be UTF-8, which JSON is: bytes that are
/// not become U+FFFD.
template <class Json>
std::string json_line(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// A document as text, indented, with a newline at its end.
template <class Json>
std::string json_document(const Json& json, int indent = 2) {
  return json_line(json, indent) + "\n";
}

/// A number; null when it is not finite, since JSON has no infinity.
template <class Json>
Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class Json>
Json json_number(const std::optional<double>& value) {
  return value ? json_number<Json>(*value) : Json(nullptr);
}

/// A word; null when it is empty.
template <class Json>
Json json_word(const std::string& word) {
  return word.empty() ? Json(nullptr) : Json(word);
}

/// What an interval is made of, where fitted parameters widen it: {low_simulation, high_simulation, from}.
template <class Json>
void add_parts(Json& json, const IntervalParts& parts) {
  json["low_simulation"] = json_number<Json>(parts.low_simulation);
  json["high_simulation"] = json_number<Json>(parts.high_simulation);
  json["from"] = Json::array();
  for (const CalibrationShare& share : parts.calibration)
    json["from"].push_back({{"about", share.about}, {"half_width", json_number<Json>(share.half_width)}});
}

/// {mean, low, high, confidence, replications}, and the parts of the interval where it has some
template <class Json>
Json json_estimate(const Estimate& estimate) {
  Json json = Json::object();
  json["mean"] = json_number<Json>(estimate.mean);
  json["low"] = json_number<Json>(estimate.low);
  json["high"] = json_number<Json>(estimate.high);
  json["confidence"] = estimate.confidence;
  json["replications"] = estimate.replications;
  if (estimate.parts) add_parts(json, *estimate.parts);
  if (estimate.caveat != Caveat::none) json["caveat"] = words_of(estimate.caveat);
  return json;
}

/// {p99, p99_low, p99_high}; {p99: null, p99_withheld} where there are too few events beyond it
template <class Json>
void add_quantile(Json& json, const std::string& name, const Estimate& quantile) {
  if (quantile.caveat == Caveat::too_few_events) {
    json[name] = nullptr;
    json[name + "_withheld"] = words_of(quantile.caveat);
    return;
  }
  json[name] = json_number<Json>(quantile.mean);
  json[name + "_low"] = json_number<Json>(quantile.low);
  json[name + "_high"] = json_number<Json>(quantile.high);
}

/// A number of a run at its place in the object of its subject. Quantiles stand in the object of their time's mean.
template <class Json>
void add_number(Json& json, const Measure& measure, const Estimate& estimate) {
  const std::string_view path = measure.json;
  const std::size_t slash = path.find('/');
  const std::string first = path.empty() ? measure.key() : std::string(path.substr(0, slash));
  const std::string last(slash == std::string_view::npos ? "" : path.substr(slash + 1));
  if (is_quantile(measure.average))
    add_quantile(json[first], last, estimate);
  else
    (last.empty() ? json[first] : json[first][last]) =
        is_exact(measure.average) ? json_number<Json>(estimate.mean) : json_estimate<Json>(estimate);
  if (measure.average != Average::exact_mean) return;
  json[first] = json_estimate<Json>(estimate);
  // Quantiles of an unhindered event are not computed: only its mean follows from the scenario.
  for (const char* quantile : {"p99", "p95", "p50"}) json[first][quantile] = nullptr;
}

/// [{of, value, date, source}]; null for what is not said
template <class Json>
Json json_prices(const std::vector<QuotedPrice>& prices) {
  Json list = Json::array();
  const auto said = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  for (const QuotedPrice& price : prices) {
    Json one = Json::object();
    one["of"] = price.of;
    one["value"] = price.value;
    one["date"] = said(price.date);
    one["source"] = said(price.source);
    list.push_back(std::move(one));
  }
  return list;
}

/// "/json/pointer=value", one a setting.
inline std::vector<std::string> texts_of(const std::vector<Override>& settings) {
  std::vector<std::string> texts;
  for (const Override& setting : settings) texts.push_back(text_of(setting));
  return texts;
}

/// {streams_per_gpu, event_time_s} of the published formula; null outside its scope
template <class Json>
Json json_formula(const std::optional<SaturationFormula>& formula) {
  Json json = Json::object();
  json["streams_per_gpu"] = formula ? json_number<Json>(formula->streams_per_gpu()) : Json(nullptr);
  json["event_time_s"] = formula ? json_number<Json>(formula->event_time_s()) : Json(nullptr);
  return json;
}

/// {version, simgrid, git, seed, scenario_sha256, command}, and the fitted parameter files where there are some
template <class Json>
Json json_provenance(const Provenance& provenance) {
  Json json = Json::object();
  json["version"] = provenance.version;
  json["simgrid"] = provenance.simgrid;
  json["git"] = provenance.git;
  json["seed"] = provenance.seed;
  json["scenario_sha256"] = provenance.scenario_sha256;
  json["command"] = provenance.command;
  for (const FittedSource& source : provenance.fitted)
    json["fitted"].push_back({{"path", source.path}, {"sha256", source.sha256}, {"fits", source.fits}});
  return json;
}

}  // namespace saturn
