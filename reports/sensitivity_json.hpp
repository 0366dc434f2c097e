#pragma once

#include "reports/json_parts.hpp"
#include "sim/plan/sensitivity.hpp"

namespace saturn {

/// {input, value, uncertainty, uncertainty_from, elasticity{}, answer_when_low, answer_when_high, variance_share}
template <class Json>
Json json_sensitivity_row(const SensitivityRow& row) {
  Json one = Json::object();
  one["input"] = row.input.pointer;
  one["value"] = row.input.value;
  one["uncertainty"] = json_number<Json>(row.input.uncertainty);
  one["uncertainty_from"] = uncertainty_from(row.input);
  one["elasticity"] = json_estimate<Json>(row.elasticity);
  one["answer_when_low"] = json_number<Json>(row.when_low);
  one["answer_when_high"] = json_number<Json>(row.when_high);
  one["variance_share"] = json_number<Json>(row.variance_share);
  return one;
}

/// {answer, unit, value, change, assumed, inputs[], without_effect[], next_measurement, notes[]}
template <class Json>
Json json_sensitivity(const Sensitivity& sensitivity) {
  Json json = Json::object();
  json["answer"] = sensitivity.answer;
  json["unit"] = sensitivity.unit;
  json["value"] = json_number<Json>(sensitivity.value);
  json["change"] = sensitivity.change;
  json["assumed"] = sensitivity.assumed;
  json["inputs"] = Json::array();
  for (const SensitivityRow& row : sensitivity.rows) json["inputs"].push_back(json_sensitivity_row<Json>(row));
  json["without_effect"] = sensitivity.without_effect;
  json["next_measurement"] = sensitivity.next_measurement.empty() ? Json(nullptr) : Json(sensitivity.next_measurement);
  json["notes"] = sensitivity.notes;
  return json;
}

}  // namespace saturn
