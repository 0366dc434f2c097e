#include <chrono>

#include "bench/closed_loop.hpp"
#include "sim/engine/simulate.hpp"

namespace saturn::bench {

LoopResult run_saturn(const ClosedLoop& loop, double horizon_s) {
  return run_scenario(scenario_of(loop), horizon_s);
}

LoopResult run_scenario(const Scenario& scenario, double horizon_s) {
  constexpr std::uint32_t slices = 32;
  const Replica replica{.seed = 1,
                        .index = 0,
                        .length = {.slice = Seconds{horizon_s / slices},
                                   .slices = slices,
                                   .aligned_slices = slices / 2,
                                   .least_warm_up = slices / 2}};
  const double before = resident_bytes();
  const auto start = std::chrono::steady_clock::now();
  const RunOutcome outcome = simulate(scenario, replica);
  LoopResult result;
  result.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.grown_bytes = peak_resident_bytes() - before;
  result.requests = outcome.requests;
  result.requests_per_s = outcome.models.front().requests_per_s;
  return result;
}

}  // namespace saturn::bench
