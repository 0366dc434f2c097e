#include "sim/plan/served_work.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "scenarios/scenario_traits.hpp"

namespace saturn {

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

double served_share(double unserved) {
  constexpr double least = 1e-6;
  return std::max(1.0 - unserved, least);
}

Estimate served_slowdown(const Scenario& scenario, const Results& results) {
  return scaled(results.all_jobs["slowdown"], 1.0 / served_share(unserved_share(scenario, results)));
}

}  // namespace saturn
