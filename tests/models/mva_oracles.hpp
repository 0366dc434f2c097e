#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/mva.hpp"

/// Independent ways to the numbers of mean value analysis, for its tests.
namespace saturn {

struct OraclePoint {
  long double throughput = 0.0L;
  std::vector<long double> mean_in_use;
};

/// The textbook recursion for load-dependent stations, over marginal probabilities, in long double: it subtracts, so it
/// is exact for small N only.
/// Source: Reiser & Lavenberg, JACM 27 (1980) 313
inline OraclePoint textbook_mva(const std::vector<MvaStation>& stations, long double think, std::size_t clients) {
  std::vector<std::vector<long double>> probability(stations.size(), std::vector<long double>(clients + 1, 0.0L));
  for (auto& p : probability) p[0] = 1.0L;
  OraclePoint point;
  for (std::size_t n = 1; n <= clients; ++n) {
    long double cycle = think;
    for (std::size_t r = 0; r < stations.size(); ++r) {
      for (std::size_t j = 1; j <= n; ++j) {
        const auto present = static_cast<long double>(j);
        const long double rate = std::min(present, static_cast<long double>(stations[r].units));
        cycle += stations[r].work_s * present / rate * probability[r][j - 1];
      }
    }
    point.throughput = static_cast<long double>(n) / cycle;
    point.mean_in_use.assign(stations.size(), 0.0L);
    for (std::size_t r = 0; r < stations.size(); ++r) {
      long double others = 0.0L;
      for (std::size_t j = n; j >= 1; --j) {
        const auto present = static_cast<long double>(j);
        const long double rate = std::min(present, static_cast<long double>(stations[r].units));
        probability[r][j] = stations[r].work_s / rate * point.throughput * probability[r][j - 1];
        others += probability[r][j];
        point.mean_in_use[r] += present * probability[r][j];
      }
      probability[r][0] = 1.0L - others;
    }
  }
  return point;
}

/// The machine-repairman model (N clients that think, c units that serve them) as a birth-death chain, solved by
/// detailed balance outward from its most likely state, in long double.
inline OraclePoint machine_repairman(long double work, long double units, long double think, std::size_t clients) {
  const auto up = [&](std::size_t n) { return static_cast<long double>(clients - n) / think; };
  const auto down = [&](std::size_t n) { return std::min(static_cast<long double>(n), units) / work; };
  std::size_t mode = 0;
  while (mode < clients && up(mode) >= down(mode + 1)) ++mode;
  long double total = 0.0L;
  long double in_use = 0.0L;
  long double served = 0.0L;
  const auto count = [&](std::size_t n, long double weight) {
    total += weight;
    in_use += weight * static_cast<long double>(n);
    served += weight * (n == 0 ? 0.0L : down(n));
  };
  count(mode, 1.0L);
  long double weight = 1.0L;
  for (std::size_t n = mode; n < clients && weight > 0.0L; ++n) count(n + 1, weight *= up(n) / down(n + 1));
  weight = 1.0L;
  for (std::size_t n = mode; n > 0 && weight > 0.0L; --n) count(n - 1, weight *= down(n) / up(n - 1));
  return {.throughput = served / total, .mean_in_use = {in_use / total}};
}

}  // namespace saturn
