#include "reports/point_answer.hpp"

#include <cmath>

#include "models/open_verdict.hpp"

namespace saturn {

namespace {

/// A number whose interval is the whole line has none that could be written.
void add_number(PointAnswer& answer, const std::string& of, const Measure& measure, const Estimate& estimate) {
  const std::string stem = of + std::string(measure.name);
  if (is_quantile(measure.average) && estimate.caveat != Caveat::none) {
    answer.words.push_back({.name = stem + "_withheld", .word = std::string(words_of(estimate.caveat))});
    return;
  }
  const std::string_view ending = text_of(measure.unit).ending;
  SweepMetric metric{
      .stem = stem, .unit = std::string(ending.empty() ? ending : ending.substr(1)), .mean = estimate.mean};
  if (std::isfinite(estimate.low) && std::isfinite(estimate.high)) {
    metric.low = estimate.low;
    metric.high = estimate.high;
  }
  answer.metrics.push_back(std::move(metric));
}

/// @param of  what stands before the names: "models.emtrk."
template <Subject subject>
void add_numbers(PointAnswer& answer, const std::string& of, Swept swept, const Numbers<subject>& numbers) {
  numbers.each([&](const Measure& measure, const Estimate& estimate) {
    if (measure.swept == swept) add_number(answer, of, measure, estimate);
  });
}

}  // namespace

PointAnswer point_answer(const Results& results, const SystemFacts& facts) {
  PointAnswer answer{.replications = results.replications};
  results.all_jobs.each([&](const Measure& measure, const Estimate& estimate) {
    const bool told = !results.all_jobs.times_grow || measure.growing != Growing::withheld;
    if (measure.swept == Swept::of_all && told) add_number(answer, "", measure, estimate);
  });
  add_numbers(answer, "", Swept::of_all, results.run);
  for (const JobsResults& jobs : results.jobs) {
    if (!jobs.open) continue;
    const std::string pool = "jobs." + jobs.name + ".";
    add_numbers(answer, pool, Swept::of_each, jobs);
    answer.words.push_back({.name = pool + "verdict", .word = std::string(name_of(jobs.open->verdict))});
  }
  for (const ModelResults& model : results.models)
    add_numbers(answer, "models." + model.name + ".", Swept::of_each, model);
  for (const ResourceResults& resource : results.resources)
    add_numbers(answer, "resources." + resource.name + ".", Swept::of_each, resource);
  if (!facts.knees.empty()) answer.words.push_back({.name = "binding", .word = facts.knees[0].resource});
  if (facts.knees.size() > 1) answer.words.push_back({.name = "next", .word = facts.knees[1].resource});
  return answer;
}

}  // namespace saturn
