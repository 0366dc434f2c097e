#pragma once

#include <functional>
#include <span>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// Jobs that compute for `cpu` and then call a device for `service`, in one site without a network.
Scenario closed_loop(std::uint64_t jobs, std::uint64_t devices, TimeDistribution cpu, TimeDistribution service);

/// ProtoDUNE with big batches as shipped, which is as the slides give it, with the prices of its GPUs alone; jobs
/// start at random moments.
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

/// Event time over t_ideal by the bound.
double bound_slowdown(const Scenario& scenario);

/// The bound with a smooth knee: (1 + (N·D/t_ideal)^8)^(1/8).
double rounded_bound(const Scenario& scenario);

}  // namespace saturn
