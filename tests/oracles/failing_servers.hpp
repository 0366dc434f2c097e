#pragma once

#include <cstddef>
#include <vector>

/// Exact results for queues whose servers fail and are repaired, as oracles of simulations. All times are exponential
/// where nothing else is said; availability A = η/(ξ + η).

namespace saturn::tests {

/// Servers that serve, fail and are repaired, each by itself.
struct FailingServers {
  double arrivals_per_s = 0.0;  ///< λ, Poisson
  double services_per_s = 1.0;  ///< μ, of a server that is up
  double failures_per_s = 0.0;  ///< ξ, of a server that is up
  double repairs_per_s = 1.0;   ///< η, of a server that is down
  std::size_t servers = 1;      ///< c

  double availability() const { return repairs_per_s / (failures_per_s + repairs_per_s); }
};

/// A queue's means.
struct QueueMeans {
  double present = 0.0;     ///< L, waiting or in service
  double response_s = 0.0;  ///< W = L/λ
  double empty = 0.0;       ///< chance that nobody is there
};

/// M/M/1 whose server fails at any time, idle or busy; what it interrupts goes on afterwards:
/// L = λ(1 + μξ/(ξ + η)²)/(μA − λ), and empty with the server up A − λ/μ, which is `empty` here. Stable if λ < μA.
/// Source: White and Christie, "Queueing with preemptive priorities or with breakdown", Operations Research 6 (1958)
QueueMeans mm1_with_breakdowns(const FailingServers& queue);

/// M/M/c with breakdowns: min(n, i) of the n requests are served where i servers are up, for a server that fails hands
/// its request to one that is free. By its chain; `empty` is whatever is up. Stable if λ < cμA.
/// Source: Mitrany and Avi-Itzhak, "A many-server queue with service interruptions", Operations Research 16 (1968)
QueueMeans mmc_with_breakdowns(const FailingServers& queue);

/// The first two moments of a time [s], [s²].
struct Moments {
  double mean = 0.0;
  double square = 0.0;
};

/// How long a service takes of a server that fails only while it serves and goes on afterwards:
/// E[C] = E[S](1 + ξ/η), E[C²] = E[S²](1 + ξ/η)² + 2ξE[S]/η². Source: Gaver, J. R. Stat. Soc. B 24 (1962)
Moments completion_time(const Moments& service, double failures_per_s, double repairs_per_s);

/// The mean of the same where all work is lost at a failure and the service of D begins anew: (1/ξ + 1/η)(e^(ξD) − 1).
double repeated_completion_s(double service_s, double failures_per_s, double repairs_per_s);

/// M/G/1 by Pollaczek and Khinchine: L = λE[S] + λ²E[S²]/(2(1 − λE[S])).
QueueMeans mg1(double arrivals_per_s, const Moments& service);

/// How many of n machines are down, when each fails with ξ and each of r repairers mends one at a time with η:
/// p_j ∝ Π_{i<j} (n − i)ξ/(min(i + 1, r)η). @returns p_0 to p_n; with r = n the machines are independent
std::vector<double> machines_down(std::size_t machines, std::size_t repairers, double failures_per_s,
                                  double repairs_per_s);

/// The chance that at least k of n machines are up, of independent ones Σ_{j>=k} C(n, j)A^j(1 − A)^(n−j).
double at_least_up(std::size_t k, const std::vector<double>& down);

}  // namespace saturn::tests
