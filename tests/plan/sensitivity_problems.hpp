#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/plan/comparison/sensitivity.hpp"
#include "sim/formula/formulas.hpp"
#include "tests/plan/plan_scenarios.hpp"

/// Scenarios and simulators without noise, of which elasticities are known.
namespace saturn {

inline const EvaluateEach no_simulation = [](std::span<const SearchedScenario>) -> std::vector<SearchedRun> {
  throw std::logic_error("nothing was to be simulated");
};

inline std::vector<SearchedRun> simulated_by(double (*slowdown)(const Scenario&),
                                             std::span<const SearchedScenario> scenarios) {
  std::vector<SearchedRun> runs;
  for (const SearchedScenario& one : scenarios) {
    SearchedRun run;
    run.summary = evaluate_by({.slowdown = slowdown})(std::span(&one.scenario, 1)).front();
    run.replications = {run.summary, run.summary};
    runs.push_back(std::move(run));
  }
  return runs;
}

/// A simulator without noise: mean value analysis.
inline std::vector<SearchedRun> by_mva(std::span<const SearchedScenario> scenarios) {
  return simulated_by(mva_slowdown, scenarios);
}

/// A simulator without waiting before the first resource saturates.
inline std::vector<SearchedRun> by_bound(std::span<const SearchedScenario> scenarios) {
  return simulated_by(
      [](const Scenario& scenario) {
        const Bounds bounds = asymptotic_bounds(closed_network(scenario));
        return std::max(1.0, bounds.clients / bounds.knees.front().clients);
      },
      scenarios);
}

inline MakeScenario maker_of(const ReadScenario& read) {
  return [&read](std::span<const Override> changes) { return read.again(changes); };
}

/// A plan whose answer is where the first resource saturates.
inline Plan saturating_plan(const Scenario& scenario) {
  Plan plan;
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  plan.answer.saturates_at = bounds.knees.front().clients / static_cast<double>(device_count(scenario));
  plan.answer.within_slowdown = 1.5 * plan.answer.saturates_at;
  return plan;
}

inline double elasticity_of(const Sensitivity& sensitivity, const std::string& pointer) {
  for (const SensitivityRow& row : sensitivity.rows)
    if (row.input.pointer == pointer) return row.elasticity.mean;
  const auto& none = sensitivity.without_effect;
  REQUIRE(std::find(none.begin(), none.end(), pointer) != none.end());
  return 0.0;
}

inline const SensitivityRow& row_of(const Sensitivity& sensitivity, const std::string& pointer) {
  const auto found = std::find_if(sensitivity.rows.begin(), sensitivity.rows.end(),
                                  [&](const SensitivityRow& row) { return row.input.pointer == pointer; });
  REQUIRE(found != sensitivity.rows.end());
  return *found;
}

inline bool has_note(const Sensitivity& sensitivity, const std::string& text) {
  return std::count(sensitivity.notes.begin(), sensitivity.notes.end(), text) == 1;
}

/// Sum of the elasticities to everything that is measured in a dimension.
inline double sum_over(const Sensitivity& sensitivity, Dimension dimension) {
  double sum = 0.0;
  for (const SensitivityRow& row : sensitivity.rows)
    if (read_quantity(row.input.value, dimension).reading == QuantityReading::good) sum += row.elasticity.mean;
  return sum;
}

/// Jobs that think, then send a request over a link to devices; exponential times.
inline std::string loop_text(double cpu_s, double service_s, double rtt_s, double input_mb, int devices) {
  return R"({ "schema": "saturn-scenario/1",
    "jobs": [{ "name": "job", "site": "a", "count": 20, "event": [
      { "cpu": { "exponential": { "mean": ")" +
         shortest(cpu_s) + R"( s" } } },
      { "infer": "model", "items": 1, "cpu_alternative": "3 s" }] }],
    "models": { "model": { "input": ")" +
         shortest(input_mb) + R"( MB", "max_batch_size": 1,
      "service": { "gpu": { "per_batch": { "exponential": { "mean": ")" +
         shortest(service_s) + R"( s" } } } } } },
    "servers": [{ "name": "server", "site": "b", "devices": { "type": "gpu", "count": )" +
         std::to_string(devices) + R"( }, "models": ["model"] }],
    "devices": { "gpu": { "kind": "gpu", "price": "0.35 USD/h", "power": "70 W" } },
    "network": { "links": [{ "between": ["a", "b"], "bandwidth": "10 Gbps", "rtt": ")" +
         shortest(rtt_s) + R"( s", "per_flow": "2 Gbps" }] } })";
}

}  // namespace saturn
