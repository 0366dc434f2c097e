#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/search/search.hpp"

namespace saturn::tests {

/// Jobs that think and call devices of one of two types, with two speeds and prices, in one site. Free: the type, an
/// extra delay of every event, the jobs, and the devices, of which more is faster; the last is the last.
struct MadeUpProblem {
  std::vector<std::uint64_t> devices{};
  std::vector<std::uint64_t> jobs{};
  std::vector<double> delays_s{};
  double service_s = 1.0;
  double think_s = 20.0;
  std::vector<Requirement> requirements{};
  Objective objective{};
  std::uint64_t seed = 1;
  double noise = 0.02;  ///< of one replication, relative
};

SearchQuestion question_of(const MadeUpProblem& problem);
/// Its scenarios. Jobs in a number that 13 divides are refused by the reader.
MakeScenario scenarios_of(const MadeUpProblem& problem);
/// Exact mean value analysis plus noise by seed, candidate and replication; a full look has next to none.
EvaluateEach made_up_simulations(const MadeUpProblem& problem);

/// "slowdown <= 0.1" and the like.
Requirement required(MeasureId figure, double limit, bool at_most = true);

}  // namespace saturn::tests
