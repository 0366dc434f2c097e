#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "reports/run/provenance.hpp"

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
