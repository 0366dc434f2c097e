#pragma once

#include <cstdint>
#include <string>

#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep_space.hpp"
#include "sim/plan/plan.hpp"
#include "sim/run/run_failure.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// What is asked at every point of a sweep.
struct PointAsked {
  bool plan = false;      ///< how many clients a device carries; else: the scenario as it stands, simulated
  PlanQuestion question;  ///< of a plan
};

/// The same as it stands in plan.jsonl and in ids: "run", "plan slowdown=0.01".
std::string text_of(const PointAsked& asked);

/// Answers the points of a sweep, one simulation at a time. Fits are taken as exact. Refers to what it is made of.
class PointAnswers {
 public:
  /// @param limits  of each simulation
  PointAnswers(const ReadScenario& read, const SweepSpace& space, const PointAsked& asked, const RunLimits& limits)
      : read_(read), space_(space), asked_(asked), limits_(limits) {}

  /// @throws PointFailed  "refused" (the scenario at this point), "no plan", or the name of a failure of simulations
  PointAnswer operator()(std::uint64_t point) const;

 private:
  PointAnswer simulated(const Scenario& scenario) const;
  PointAnswer planned(const Scenario& scenario) const;

  const ReadScenario& read_;
  const SweepSpace& space_;
  const PointAsked& asked_;
  RunLimits limits_;
};

}  // namespace saturn
