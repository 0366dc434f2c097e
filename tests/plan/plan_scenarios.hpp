#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// Jobs that compute for `cpu` and then call a device for `service`, in one site without a network.
Scenario closed_loop(std::uint64_t jobs, std::uint64_t devices, TimeDistribution cpu, TimeDistribution service);

/// ProtoDUNE with big batches, as the slides give it: 110 s + 7 s on the CPU, 55,000 items of 9,216 B in 32 requests,
/// 2 Gb/s a client, round trips of 11.8 ms, 32.2 µs an item on a T4; jobs start at random moments.
Scenario protodune(std::uint64_t jobs, std::uint64_t gpus);

/// The same scenario with its one link, which has a "per_flow", as the routes of a SimGrid platform.
Scenario on_platform(Scenario scenario);

/// A made-up simulator: the slowdown of a scenario as a function, with the half-width of its interval.
struct ClosedForm {
  std::function<double(const Scenario&)> slowdown;  ///< event time over t_ideal [1]
  double half_width = 0.0;                          ///< of the slowdown [1]
  std::vector<std::size_t>* calls = nullptr;        ///< takes the number of scenarios of each call
};
Evaluate evaluate_by(ClosedForm form);

/// Event time over t_ideal by exact mean value analysis.
double mva_slowdown(const Scenario& scenario);

/// The bound with a smooth knee: (1 + (N·D/t_ideal)^8)^(1/8).
double rounded_bound(const Scenario& scenario);

}  // namespace saturn
