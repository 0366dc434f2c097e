#include "models/queueing/mva.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace saturn {

/// A number >= 0 of any size: mantissa·2^(256·exponent), the mantissa 0 or within [2^-128, 2^128). Products and sums of
/// positive numbers keep a double's relative precision where a double alone would overflow or vanish.
struct ScaledNumber {
  double mantissa = 0.0;
  std::int64_t exponent = 0;
};

inline constexpr double scaled_number_step = 0x1p256;

/// Brings the mantissa of a number >= 0 back into its range.
inline ScaledNumber normalised(double mantissa, std::int64_t exponent) {
  if (mantissa == 0.0) return {};
  while (mantissa >= 0x1p128) {
    mantissa *= 1.0 / scaled_number_step;
    ++exponent;
  }
  while (mantissa < 0x1p-128) {
    mantissa *= scaled_number_step;
    --exponent;
  }
  return {mantissa, exponent};
}

inline ScaledNumber operator*(ScaledNumber a, ScaledNumber b) {
  return normalised(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/// a/b as a double; b > 0, and the ratio must fit.
inline double ratio(ScaledNumber a, ScaledNumber b) {
  const auto shift = 256 * (a.exponent - b.exponent);
  return std::ldexp(a.mantissa / b.mantissa, static_cast<int>(shift));
}

/// A sum of products of scaled numbers.
class ScaledSum {
 public:
  /// Adds factor·a·b. @param factor  in [0, 2^64]
  void add_product(ScaledNumber a, ScaledNumber b, double factor = 1.0) {
    add(factor * (a.mantissa * b.mantissa), a.exponent + b.exponent);
  }

  ScaledNumber value() const { return normalised(mantissa_, exponent_); }

 private:
  void add(double mantissa, std::int64_t exponent) {
    if (mantissa == 0.0) return;
    if (exponent == exponent_) {
      mantissa_ += mantissa;
    } else if (mantissa_ == 0.0 || exponent > exponent_) {
      mantissa_ = mantissa + shrunk(mantissa_, exponent - exponent_);
      exponent_ = exponent;
    } else {
      mantissa_ += shrunk(mantissa, exponent_ - exponent);
    }
  }

  /// Two products of one exponent differ by at most 2^576, so that three steps down are beyond a double's precision.
  static double shrunk(double mantissa, std::int64_t steps) {
    if (steps == 1) return mantissa / scaled_number_step;
    if (steps == 2) return mantissa / scaled_number_step / scaled_number_step;
    return 0.0;
  }

  double mantissa_ = 0.0;
  std::int64_t exponent_ = 0;
};

namespace {

/// G(0..N) of a network, in units of time that make all works and the think time add up to 1.
using NormalisationConstants = std::vector<ScaledNumber>;

/// The network in those units. A station with as many units as there are clients never lets anyone wait, so its work
/// counts as thinking.
struct NormalisedNetwork {
  double time_unit_s = 0.0;
  double think = 0.0;
  std::vector<std::size_t> queueing;  ///< indices of the stations that can queue
  std::vector<double> work;           ///< of those
  std::vector<double> units;
};

bool is_duration(double seconds) {
  return std::isfinite(seconds) && seconds >= 0.0;
}

NormalisedNetwork normalise(const std::vector<MvaStation>& stations, double think_s, std::size_t clients) {
  if (clients < 1) throw std::invalid_argument("mva: at least one client is needed");
  if (!is_duration(think_s)) throw std::invalid_argument("mva: the think time is a finite duration >= 0");
  NormalisedNetwork network{.time_unit_s = think_s, .think = think_s, .queueing = {}, .work = {}, .units = {}};
  for (std::size_t r = 0; r < stations.size(); ++r) {
    const MvaStation& station = stations[r];
    if (!is_duration(station.work_s)) throw std::invalid_argument("mva: a station's work is a finite duration >= 0");
    if (!(station.units >= 1.0)) throw std::invalid_argument("mva: a station has at least one unit");
    network.time_unit_s += station.work_s;
    if (station.work_s == 0.0) continue;
    if (station.units >= static_cast<double>(clients)) {
      network.think += station.work_s;
    } else {
      network.queueing.push_back(r);
      network.work.push_back(station.work_s);
      network.units.push_back(station.units);
    }
  }
  if (!(network.time_unit_s > 0.0)) throw std::invalid_argument("mva: an event that takes no time");
  network.think /= network.time_unit_s;
  for (double& work : network.work) work /= network.time_unit_s;
  return network;
}

/// Z^n/n! for n = 0..N.
NormalisationConstants of_thinking(double think, std::size_t clients) {
  NormalisationConstants g(clients + 1);
  g[0] = {1.0, 0};
  for (std::size_t n = 1; n <= clients; ++n) g[n] = g[n - 1] * normalised(think / static_cast<double>(n), 0);
  return g;
}

/// f(k) = Π work/min(i, units), i = 1..k, for k = 0..K.
std::vector<ScaledNumber> station_factors(double work, double units, std::size_t largest) {
  std::vector<ScaledNumber> f(largest + 1);
  f[0] = {1.0, 0};
  for (std::size_t k = 1; k <= largest; ++k) {
    f[k] = f[k - 1] * normalised(work / std::min(static_cast<double>(k), units), 0);
  }
  return f;
}

/// G of the network with one station more. Beyond the station's units its factors fall geometrically, and that tail is
/// carried from n to n + 1 by one multiplication.
NormalisationConstants convolved(const NormalisationConstants& g, double work, double units) {
  const auto whole = static_cast<std::size_t>(std::floor(units));
  const std::vector<ScaledNumber> f = station_factors(work, units, whole);
  const ScaledNumber tail_ratio = normalised(work / units, 0);
  constexpr ScaledNumber one{1.0, 0};
  NormalisationConstants result(g.size());
  ScaledNumber tail;
  for (std::size_t n = 0; n < g.size(); ++n) {
    ScaledSum sum;
    for (std::size_t k = 0; k < std::min(whole, n + 1); ++k) sum.add_product(f[k], g[n - k]);
    if (n >= whole) {
      ScaledSum longer_tail;
      longer_tail.add_product(g[n - whole], one);
      longer_tail.add_product(tail, tail_ratio);
      tail = longer_tail.value();
      sum.add_product(f[whole], tail);
    }
    result[n] = sum.value();
  }
  return result;
}

/// Mean number at a station, from the constants of the network without it.
double mean_at(double work, double units, const NormalisationConstants& without, ScaledNumber whole_network) {
  const std::size_t clients = without.size() - 1;
  const std::vector<ScaledNumber> f = station_factors(work, units, clients);
  ScaledSum sum;
  for (std::size_t k = 1; k <= clients; ++k) sum.add_product(f[k], without[clients - k], static_cast<double>(k));
  return ratio(sum.value(), whole_network);
}

}  // namespace

MvaPoint exact_mva(const std::vector<MvaStation>& stations, double think_s, std::size_t clients) {
  const NormalisedNetwork network = normalise(stations, think_s, clients);
  std::vector<NormalisationConstants> without;
  NormalisationConstants g = of_thinking(network.think, clients);
  for (std::size_t i = 0; i < network.work.size(); ++i) {
    for (NormalisationConstants& others : without) others = convolved(others, network.work[i], network.units[i]);
    without.push_back(g);
    g = convolved(g, network.work[i], network.units[i]);
  }

  MvaPoint point;
  point.clients = static_cast<double>(clients);
  point.events_per_s = ratio(g[clients - 1], g[clients]) / network.time_unit_s;
  point.event_time_s = point.clients / point.events_per_s;
  for (const MvaStation& station : stations) point.mean_in_use.push_back(point.events_per_s * station.work_s);
  for (std::size_t i = 0; i < network.work.size(); ++i) {
    point.mean_in_use[network.queueing[i]] = mean_at(network.work[i], network.units[i], without[i], g[clients]);
  }
  for (const double in_use : point.mean_in_use) point.residence_s.push_back(in_use / point.events_per_s);
  return point;
}

std::vector<double> mva_throughputs(const std::vector<MvaStation>& stations, double think_s, std::size_t clients) {
  const NormalisedNetwork network = normalise(stations, think_s, clients);
  NormalisationConstants g = of_thinking(network.think, clients);
  for (std::size_t i = 0; i < network.work.size(); ++i) g = convolved(g, network.work[i], network.units[i]);
  std::vector<double> events_per_s(clients);
  for (std::size_t n = 1; n <= clients; ++n) events_per_s[n - 1] = ratio(g[n - 1], g[n]) / network.time_unit_s;
  return events_per_s;
}

double mva_products(const std::vector<MvaStation>& stations, double clients) {
  double units = 0.0;
  for (const MvaStation& station : stations)
    if (station.work_s > 0.0 && station.units < clients) units += station.units;
  return clients * std::max(1.0, units);
}

std::vector<MvaStation> mva_stations(const ClosedNetwork& network) {
  if (network.classes.empty()) throw std::invalid_argument("mva_stations: a network without job classes");
  std::vector<MvaStation> stations;
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    if (!network.resources[r].in_product_form) continue;
    const double units = network.resources[r].units;
    // Half a unit is a whole one that takes twice as long.
    stations.push_back({.work_s = network.work(0, r) / std::min(1.0, units), .units = std::max(1.0, units)});
  }
  return stations;
}

}  // namespace saturn
