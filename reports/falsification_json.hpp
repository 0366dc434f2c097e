#pragma once

#include "reports/falsification_report.hpp"
#include "reports/json_parts.hpp"

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

}  // namespace saturn
