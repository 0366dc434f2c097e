#pragma once

#include <cstddef>

#include "tests/oracles/failing_servers.hpp"

/// Queues whose requests are so many that they flow, as oracles of simulations: what remains of a queue when the chance
/// of single arrivals averages out, and only the changes of rates are left.

namespace saturn::tests {

/// The level of a fluid queue.
struct FluidQueue {
  double positive = 0.0;   ///< chance that anything waits
  double decay_per = 0.0;  ///< δ: P(Q > x) = P(Q > 0)·e^(−δx)
  double mean = 0.0;       ///< P(Q > 0)/δ
};

/// A source that flows at rate r > C into a queue that drains at C, on after exponential times of rate α and off after
/// those of β: with m = rα/(α + β) < C, P(Q > 0) = m/C and δ = β/(r − C) − α/C.
/// Source: Anick, Mitra, Sondhi, "Stochastic theory of a data-handling system", BSTJ 61 (1982)
FluidQueue on_off_queue(double peak, double capacity, double on_per_s, double off_per_s);

/// A flow λ through a server that fails and is repaired: while it is down λ comes in, while it is up μ − λ goes out.
/// P(Q > 0) = μ(1 − A)/(μ − λ), δ = η/λ − ξ/(μ − λ), Q in requests.
FluidQueue fluid_with_breakdowns(const FailingServers& queue);

/// Replicas that come too late: n₀ at first, s more after d and then every T, until they carry a constant load.
struct RampUp {
  double load_per_s = 0.0;      ///< λ
  double replica_per_s = 1.0;   ///< μ of a replica
  double first_replicas = 1.0;  ///< n₀
  double step_replicas = 1.0;   ///< s
  double first_delay_s = 0.0;   ///< d
  double period_s = 1.0;        ///< T
};
struct Backlog {
  std::size_t steps = 0;   ///< k = ⌈(λ/μ − n₀)/s⌉ until the backlog falls, or stays
  double peak = 0.0;       ///< Σ_{j<k} (λ − (n₀ + js)μ)·T_j, T_0 = d, then T [request]
  double drained_s = 0.0;  ///< peak/((n₀ + ks)μ − λ) after its peak, where no more replicas come; may be infinite
};
Backlog ramp_up(const RampUp& ramp);

}  // namespace saturn::tests
