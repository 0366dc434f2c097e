#pragma once

#include <vector>

#include "reports/plan/falsification_report.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/facts_text.hpp"
#include "sim/plan/comparison/sensitivity.hpp"

namespace saturn {

template <class Json>
void add_prediction(Json& one, const Prediction& prediction, const std::string& says) {
  one["quantity"] = name_of(prediction.quantity);
  one["predicted"] = json_estimate<Json>(prediction.predicted);
  one["contradicts_below"] = json_number<Json>(prediction.contradicts_below);
  one["contradicts_above"] = json_number<Json>(prediction.contradicts_above);
  one["says"] = says;
}

/// {kind "jobs", jobs, pools{name: jobs}, again, quantity, predicted, contradicts_below, contradicts_above, says}
template <class Json>
Json json_jobs_test(const JobsTest& test, const Prediction& prediction, double margin) {
  Json one = Json::object();
  one["kind"] = "jobs";
  one["jobs"] = test.jobs;
  one["pools"] = Json::object();
  for (const PoolJobs& pool : test.pools) one["pools"][pool.pool] = pool.jobs;
  one["again"] = test.again;
  add_prediction(one, prediction, contradiction(test, prediction, margin));
  return one;
}

/// {kind "perf_analyzer", model, command, request_batch, concurrency, requests, again, notes, quantity, predicted, ...}
template <class Json>
Json json_model_test(const ModelTest& test, const Prediction& prediction) {
  Json one = Json::object();
  one["kind"] = "perf_analyzer";
  one["model"] = test.model;
  one["command"] = command_text(test);
  one["request_batch"] = test.request_batch;
  one["concurrency"] = test.concurrency;
  one["requests"] = test.requests;
  one["again"] = test.again.empty() ? Json(nullptr) : Json(test.again);
  one["notes"] = test.notes;
  add_prediction(one, prediction, contradiction(test, prediction));
  return one;
}

/// One object a predicted number; what cannot be measured is {kind, model, why_not}.
template <class Json>
Json json_falsification(const Falsification& falsification) {
  Json json = Json::array();
  if (const auto& jobs = falsification.jobs) {
    json.push_back(json_jobs_test<Json>(*jobs, jobs->event_time, falsification.margin));
    json.push_back(json_jobs_test<Json>(*jobs, jobs->events_per_s, falsification.margin));
  } else {
    json.push_back({{"kind", "jobs"}, {"why_not", falsification.why_no_jobs}});
  }
  for (const ModelTest& test : falsification.models) {
    for (const Prediction& prediction : test.predictions) json.push_back(json_model_test<Json>(test, prediction));
    if (!test.why_not.empty())
      json.push_back({{"kind", "perf_analyzer"}, {"model", test.model}, {"why_not", test.why_not}});
  }
  return json;
}

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
