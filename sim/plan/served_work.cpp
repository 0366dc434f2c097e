#include "sim/plan/served_work.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

constexpr double least_served_share = 1e-6;  // keeps searches among finite numbers

/// Share of the requests to a model that are refused [1].
double refused_share(const ModelResults& model) {
  const double refused = model["rejected_per_s"].mean;
  return refused > 0.0 ? refused / (refused + model["requests_per_s"].mean) : 0.0;
}

}  // namespace

double rejected_share(const Results& results) {
  double share = 0.0;
  for (const ModelResults& model : results.models) share = std::max(share, refused_share(model));
  return share;
}

double unserved_share(const Scenario& scenario, const Results& results, const JobsResults& jobs,
                      std::span<const JobPool> pools) {
  if (const Estimate* failed = jobs.find("failed")) return failed->mean;
  const std::set<std::string> spoiling = models_that_spoil(scenario, pools);
  double share = 0.0;
  for (const ModelResults& model : results.models)
    if (spoiling.contains(model.name)) share = std::max(share, refused_share(model));
  return share;
}

double unserved_share(const Scenario& scenario, const Results& results) {
  return unserved_share(scenario, results, results.all_jobs, scenario.jobs);
}

Estimate beyond_unserved(const Estimate& slowdown, double unserved) {
  return scaled(slowdown, 1.0 / std::max(1.0 - unserved, least_served_share));
}

Estimate served_slowdown(const Scenario& scenario, const Results& results) {
  return beyond_unserved(results.all_jobs["slowdown"], unserved_share(scenario, results));
}

}  // namespace saturn
