#include "sim/plan/served_work.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

double what_is_left(double unserved) {
  constexpr double least = 1e-6;
  return std::max(1.0 - unserved, least);
}

/// Of one replication alone nothing tells the error; what is said of the slowdown then is its own.
Estimate as_far_as_known(const Estimate& share) {
  return std::isfinite(share.half_width()) ? share : exactly(share.mean);
}

/// Of the models that `counts` says true of, the share of the one where it is largest.
template <class Counts>
Estimate largest_refused_share(const Results& results, const Counts& counts) {
  Estimate largest = exactly(0.0);
  for (const ModelResults& model : results.models) {
    if (!counts(model)) continue;
    const Estimate share = refused_share(model);
    if (share.mean > largest.mean) largest = share;
  }
  return as_far_as_known(largest);
}

}  // namespace

Estimate rejected_share(const Results& results) {
  return largest_refused_share(results, [](const ModelResults&) { return true; });
}

Estimate unserved_share(const Scenario& scenario, const Results& results, const JobsResults& jobs,
                        std::span<const JobPool> pools) {
  if (const Estimate* failed = jobs.find("failed")) return as_far_as_known(*failed);
  const std::set<std::string> spoiling = models_that_spoil(scenario, pools);
  return largest_refused_share(results, [&](const ModelResults& model) { return spoiling.contains(model.name); });
}

Estimate unserved_share(const Scenario& scenario, const Results& results) {
  return unserved_share(scenario, results, results.all_jobs, scenario.jobs);
}

Estimate served_share(const Estimate& unserved) {
  Estimate served = mapped(unserved, what_is_left);
  std::swap(served.low, served.high);
  return served;
}

Estimate served_slowdown(const Estimate& slowdown, const Estimate& unserved) {
  return combined(slowdown, unserved, [](double slower, double share) { return slower / what_is_left(share); });
}

Estimate served_slowdown(const Scenario& scenario, const Results& results) {
  return served_slowdown(results.all_jobs["slowdown"], unserved_share(scenario, results));
}

}  // namespace saturn
