#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"

namespace saturn {

/// A resource and the number of clients at which it saturates.
struct Knee {
  std::size_t resource = 0;  ///< index into ClosedNetwork::resources
  double demand_s = 0.0;     ///< D_r per event, averaged over the mix of classes [s]
  /// N at which it binds: (t + set-up) / D_r with the mix of classes kept, where t is what events take at least when
  /// nothing is saturated [1].
  double clients = 0.0;
};

/// Asymptotic bounds of a closed network: R(N) >= max(t_least, N·max_r D_r), X(N) <= min(N/t_least, 1/max_r D_r); where
/// clients set jobs up between events, a client's cycle R + set-up takes the place of R. t_least is t_ideal, or the
/// time with every call at the server that answers soonest where the load may choose it; the demands are then those of
/// the split that keeps the busiest resource least busy. With several classes the bound is the least mean over all
/// their events at whatever mix and split: a linear programme (models/queueing/best_split.hpp), since under load those
/// that wait least have more of the events. N counts all clients; knees and averages are those of the unhindered mix
/// (class j contributes N_j/t_least_j events per second). Source: Denning & Buzen, "The operational analysis of
/// queueing network models" (1978), and model.md section 2.
struct Bounds {
  double clients = 0.0;             ///< N
  double ideal_event_time_s = 0.0;  ///< t_ideal of the mix: the mean when nobody waits
  double least_event_time_s = 0.0;  ///< t_least of the mix
  double set_up_s = 0.0;            ///< between two events of a client, of the mix
  double event_time_s = 0.0;        ///< lower bound of R(N)
  double events_per_s = 0.0;        ///< upper bound of X(N)
  /// What the bound would be if the mix stayed as nothing hinders it; with one class the bound itself.
  double mixed_event_time_s = 0.0;
  /// Lower bound of R at any number of clients, since clients wait for what each of them brings a share of; 0: none.
  double own_event_time_s = 0.0;
  /// Resources with demand, the one that binds first at the front; none of those that grow with the clients.
  std::vector<Knee> knees;
};

/// @throws std::invalid_argument  a network without classes or clients, or a class with t_ideal <= 0
Bounds asymptotic_bounds(const ClosedNetwork& network);

/// Busy share of each of the bounds' knees at the most [1], in their order: of one class at its throughput by the
/// bound, of several in the mix of their events that uses the resource most, beside what the others can carry. Beyond
/// the first 24 of several classes the others are taken to hinder nothing.
std::vector<double> most_busy(const ClosedNetwork& network, const Bounds& bounds);

/// The same network with its classes scaled so that all clients together are `clients`.
/// @throws std::invalid_argument  a network without clients
ClosedNetwork with_clients(ClosedNetwork network, double clients);

/// Largest N (not rounded) in the network's mix of clients for which the bounds leave room for a slowdown: a mean event
/// time of at most (1 + slowdown) times the mean t_ideal of the same events.
/// @param slowdown  tolerated, >= 0
/// @throws std::invalid_argument  a negative slowdown, or as asymptotic_bounds
/// @returns N [1]; infinity when nothing is contended; 0 when what grows with the clients is too little for any
double clients_within(const ClosedNetwork& network, double slowdown);

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

/// The published model of an event's time with inference as a service, symbol by symbol as printed.
/// Source: T. Yang et al., "GPU-accelerated machine learning inference for offline reconstruction and analysis
/// workflows in neutrino experiments", HSF-WLCG workshop, 24 November 2020; M. Wang et al., Front. Big Data 3:604083.
struct SaturationFormula {
  double cpu_s = 0.0;      ///< (1 − p)·t_CPU, preprocessing included [s]
  double gpu_s = 0.0;      ///< t_GPU [s], > 0
  double latency_s = 0.0;  ///< t_latency [s]
  double clients = 0.0;    ///< N_CPU
  double gpus = 0.0;       ///< N_GPU, > 0

  /// t_ideal = (1 − p)·t_CPU + t_GPU + t_latency [s].
  double ideal_event_time_s() const;
  /// t_SONIC = (1 − p)·t_CPU + t_GPU·[1 + max(0, N_CPU/N_GPU − t_ideal/t_GPU)] + t_latency [s].
  double event_time_s() const;
  /// N_CPU/N_GPU at which the GPU saturates: t_ideal/t_GPU [1].
  double streams_per_gpu() const;
};

}  // namespace saturn
