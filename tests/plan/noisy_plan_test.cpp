#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/results/results.hpp"
#include "models/statistics/intervals.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/replications.hpp"
#include "tests/plan/plan_scenarios.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t first_seed = 5001;  // the search was tuned with lower ones
constexpr std::uint64_t seeds = 400;

/// A simulator whose replications scatter round a known slowdown.
struct NoisySystem {
  double sharpness = 8.0;   ///< p of the slowdown (1 + x^p)^(1/p), x clients over those that saturate
  double spread = 0.001;    ///< standard deviation of the slowdown of one replication
  double in_common = 0.81;  ///< share of its variance that all numbers of clients have in common: they share the seed

  double slowdown(double load) const { return std::pow(1 + std::pow(load, sharpness), 1 / sharpness); }
  /// Load at which events are so much slower.
  double load_within(double tolerated) const { return std::pow(std::pow(1 + tolerated, sharpness) - 1, 1 / sharpness); }
};

double standard_normal(std::uint64_t seed, std::uint64_t clients, std::uint64_t replica) {
  std::seed_seq all{seed, clients, replica};
  std::mt19937_64 random(all);
  return std::normal_distribution<double>()(random);
}

double one_replication(const NoisySystem& system, const Scenario& scenario, std::uint64_t replica) {
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  const auto clients = static_cast<std::uint64_t>(std::llround(bounds.clients));
  const double own = standard_normal(scenario.run.seed, clients, replica);
  const double common = standard_normal(scenario.run.seed, 0, replica);
  return system.slowdown(bounds.clients / bounds.knees.front().clients) +
         system.spread * (std::sqrt(system.in_common) * common + std::sqrt(1 - system.in_common) * own);
}

/// Replications until the precision that is asked for, as replicate() counts them.
Estimate replicated_slowdown(const NoisySystem& system, const Scenario& scenario) {
  const RunControl& run = scenario.run;
  const double confidence =
      run.min_replications < run.max_replications ? stopped_confidence(run.confidence) : run.confidence;
  std::vector<double> values;
  for (std::uint64_t wanted = run.min_replications; values.size() < wanted;) {
    while (values.size() < wanted) values.push_back(one_replication(system, scenario, values.size()));
    if (wanted == 1) break;
    wanted = replications_wanted(run, wanted, relative_half_width(student_interval(values, confidence)));
  }
  Estimate slowdown = student_interval(values, confidence);
  // Batch means see too little of what makes a replication differ from others.
  if (values.size() == 1) slowdown = {values[0], values[0] - system.spread, values[0] + system.spread, 0.95, 1};
  return slowdown;
}

Evaluate evaluate_noisily(const NoisySystem& system) {
  return [system](std::span<const Scenario> scenarios) {
    std::vector<Results> summaries;
    for (const Scenario& scenario : scenarios) {
      const double ideal_s = asymptotic_bounds(closed_network(scenario)).ideal_event_time_s;
      const Estimate slowdown = replicated_slowdown(system, scenario);
      Estimate time = slowdown;
      for (double* seconds : {&time.mean, &time.low, &time.high}) *seconds *= ideal_s;
      Results summary;
      summary.all_jobs.set("slowdown", slowdown);
      summary.all_jobs.set("event_time_s", time);
      summaries.push_back(summary);
    }
    return summaries;
  };
}

/// What came of many plans that differ by their seeds.
struct Coverage {
  std::uint64_t held = 0;
  double half_width = 0.0;  ///< of its interval, relative, on average
};

Coverage coverage_of(const NoisySystem& system, double tolerated) {
  Scenario scenario = closed_loop(1000, 1, ConstantTime{Seconds{999}}, ExponentialTime{Seconds{1}});
  const double saturating = asymptotic_bounds(closed_network(scenario)).knees.front().clients;
  const double truth = saturating * system.load_within(tolerated);
  Coverage coverage;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    scenario.run.seed = seed;
    const PlanQuestion question{.slowdown = tolerated, .clients = {}, .past_saturation = true, .how_many_gpus = false};
    const PlanAnswer answer = make_plan(scenario, question, evaluate_noisily(system)).answer;
    if (answer.streams_per_gpu_low <= truth && truth <= answer.streams_per_gpu_high) ++coverage.held;
    coverage.half_width += (answer.streams_per_gpu_high - answer.streams_per_gpu_low) / 2 / truth / seeds;
  }
  return coverage;
}

}  // namespace

TEST_CASE("the jobs per GPU that are true lie in 95 of 100 printed intervals, however much simulations scatter" *
          doctest::test_suite("release")) {
  for (const double sharpness : {8.0, 40.0})
    for (const double spread : {0.0003, 0.001, 0.002})
      for (const double tolerated : {0.01, 0.05}) {
        CAPTURE(sharpness);
        CAPTURE(spread);
        CAPTURE(tolerated);
        const Coverage found = coverage_of({.sharpness = sharpness, .spread = spread}, tolerated);
        CHECK(found.held >= 0.93 * seeds);
        // The scenario asks for 1 %; a crossing at a sharp knee is known so well.
        if (sharpness > 10.0) CHECK(found.half_width <= 0.02);
      }
}

}  // namespace saturn
