#pragma once

#include <cstddef>

namespace saturn {

/// The open queue M/M/c: Poisson arrivals, exponential service, c servers, one queue, first come first served.
struct MmcQueue {
  double arrivals_per_s = 0.0;  ///< λ [1/s], >= 0
  double service_s = 0.0;       ///< mean service time 1/μ [s], > 0
  std::size_t servers = 1;      ///< c, >= 1
};

/// Erlang's C formula: the probability that an arrival has to wait [1].
/// Source: Kleinrock, "Queueing Systems" vol. 1 (1975), section 3.5, by way of the stable recursion for Erlang's B
/// @throws std::invalid_argument  arguments out of their domain, or a load λ/(c·μ) >= 1, where no steady state exists
/// Cost: O(c)
double erlang_c(const MmcQueue& queue);

/// Mean time in the queue, service excluded [s]: C/(c·μ − λ).
/// @throws std::invalid_argument  as erlang_c
double mean_wait_s(const MmcQueue& queue);

/// Mean time from arrival to departure [s].
/// @throws std::invalid_argument  as erlang_c
double mean_response_s(const MmcQueue& queue);

}  // namespace saturn
