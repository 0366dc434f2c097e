#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/queueing/closed_network.hpp"

namespace saturn {

/// One station of a closed product-form network.
struct MvaStation {
  double work_s = 0.0;  ///< service time per event of one unit [s]; visits times mean service
  double units = 1.0;   ///< c >= 1: n customers are served at the rate of min(n, c) units
};

/// A closed network at one number of clients.
struct MvaPoint {
  double clients = 0.0;
  double events_per_s = 0.0;        ///< X(N)
  double event_time_s = 0.0;        ///< R(N) = N / X(N), think time included
  std::vector<double> residence_s;  ///< per station and event, waiting included
  std::vector<double> mean_in_use;  ///< Q_r(N)
};

/// Exact mean value analysis of a closed, single-class product-form network with multi-server (load-dependent)
/// stations and a think time. Computed by convolution, all of whose terms are positive: the textbook MVA recursion
/// subtracts probabilities for multi-server stations and loses every digit near saturation.
/// Source: Buzen, CACM 16 (1973) 527; Reiser & Lavenberg, JACM 27 (1980) 313.
/// @param stations  (r)
/// @param think_s   Z [s], >= 0
/// @param clients   N, >= 1
/// @throws std::invalid_argument  no clients, negative or infinite times, units below 1, or an event that takes no time
/// Cost: for R stations of c units that can queue, O(R²·N·c) time (some 2 ns each) and O(R·N) memory; stations of N
/// units or more only delay and cost nothing
MvaPoint exact_mva(const std::vector<MvaStation>& stations, double think_s, std::size_t clients);

/// X(n) for n = 1..N in one pass [1/s]; shape (N).
/// @throws std::invalid_argument  as exact_mva
/// Cost: O(R·N·c) time, O(N) memory
std::vector<double> mva_throughputs(const std::vector<MvaStation>& stations, double think_s, std::size_t clients);

/// Products that mva_throughputs() takes, some 2 ns each: N·Σ c over the stations that can queue. exact_mva() takes R
/// times as many.
double mva_products(const std::vector<MvaStation>& stations, double clients);

/// Stations of a closed network's first class: the resources in product form, in their order. The think time that goes
/// with them is that class's JobClass::think_time. The network must have product form (or the caller says that it is an
/// approximation).
/// @throws std::invalid_argument  a network without classes
std::vector<MvaStation> mva_stations(const ClosedNetwork& network);

}  // namespace saturn
