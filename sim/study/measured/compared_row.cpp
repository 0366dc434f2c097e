#include "sim/study/measured/compared_row.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

[[noreturn]] void complain_of_model(const MeasuredCase& measured, const std::string& text) {
  refuse_input(measured.about.id, "measured.model", text);
}

const ModelResults& summary_of(const Results& summary, const std::string& model) {
  const auto found = std::find_if(summary.models.begin(), summary.models.end(),
                                  [&](const ModelResults& one) { return one.name == model; });
  if (found == summary.models.end()) throw std::logic_error("a run's summary lacks the model " + model);
  return *found;
}

}  // namespace

double most_in_flight(const Scenario& scenario, const std::string& model) {
  double items = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    double widest = 0.0;
    double beside = 0.0;
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || infer->model != model) continue;
      const auto wide = static_cast<double>(std::min(infer->items.largest(), infer->in_flight * infer->request_batch));
      if (infer->asynchronous) {
        beside += wide;
      } else {
        widest = std::max(widest, wide);
      }
    }
    items += (widest + beside) * static_cast<double>(stream_count(pool));
  }
  return items;
}

std::string measured_model(const MeasuredCase& measured, const MeasuredRow& row, const Scenario& scenario) {
  const std::set<std::string> called = called_models(scenario);
  const std::string names = joined({called.begin(), called.end()});
  const std::string& model = row.model.empty() ? measured.model : row.model;
  if (model.empty()) {
    if (called.size() == 1) return *called.begin();
    complain_of_model(measured, "/model is missing: the jobs of " + measured.about.scenario + " call " +
                                    (called.empty() ? "no model" : names) +
                                    "; name the one that the measured rates and latencies are of.");
  }
  if (called.contains(model)) return model;
  complain_of_model(measured, "/model is \"" + model + "\"; the jobs of " + measured.about.scenario + " call " +
                                  (called.empty() ? "no model" : names) + ".");
}

ValidationRow compared_row(const MeasuredRow& row, const Scenario& scenario, const std::string& model,
                           const Results& summary) {
  ValidationRow result;
  result.measured = row.point;
  if (!model.empty()) result.little_ratio = little_ratio(row.point, most_in_flight(scenario, model));
  const ComparedPart part{.model = model.empty() ? nullptr : &summary_of(summary, model),
                          .nonml_s = row.nonml_s.value_or(0.0)};
  for (const MeasuredValue& value : row.point.values) {
    result.simulated.push_back(simulated_number(*value.quantity, summary, part));
  }
  return result;
}

}  // namespace saturn
