#pragma once

#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

/// How loaded a scenario is by the formulas.
struct ExpectedLoad {
  /// Event time over the ideal one, by mean value analysis where that is exact enough and cheap, else by the bound with
  /// a rounded knee; where events arrive from outside, their rate over what can be served [1].
  double slowdown = 1.0;
  bool by_mva = false;
  std::string binding{};           ///< saturates first; empty when nothing is contended
  double saturates_at_jobs = 0.0;  ///< 0: nothing, or not by jobs that begin their events themselves
  std::string next{};              ///< and the one after it
  double next_at_jobs = 0.0;
};

/// Cost: some 20 to 200 µs
ExpectedLoad expected_load(const Scenario& scenario);

}  // namespace saturn
