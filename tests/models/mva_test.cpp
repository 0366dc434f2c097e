#include "models/queueing/mva.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "models/queueing/closed_formulas.hpp"

namespace saturn {

// Independent ways to the numbers of mean value analysis, for its tests.

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

namespace {

bool agree(double value, long double oracle, long double tolerance = 1e-10L) {
  return std::abs(static_cast<long double>(value) - oracle) <= tolerance * std::abs(oracle);
}

/// A network of up to four stations, their units whole or not, their works over four decades.
struct DrawnNetwork {
  std::vector<MvaStation> stations;
  double think_s = 0.0;
};

DrawnNetwork drawn_network() {
  DrawnNetwork network;
  const int stations = *rc::gen::inRange(1, 5);
  for (int r = 0; r < stations; ++r) {
    const double work = std::pow(10.0, *rc::gen::inRange(-200, 201) / 100.0);
    const double units = 1.0 + *rc::gen::inRange(0, 13) / 2.0;
    network.stations.push_back({.work_s = work, .units = units});
  }
  network.think_s = *rc::gen::inRange(0, 1000) / 10.0;
  return network;
}

double ideal_s(const DrawnNetwork& network) {
  return std::accumulate(network.stations.begin(), network.stations.end(), network.think_s,
                         [](double sum, const MvaStation& s) { return sum + s.work_s; });
}

double largest_demand_s(const DrawnNetwork& network) {
  double largest = 0.0;
  for (const MvaStation& s : network.stations) largest = std::max(largest, s.work_s / s.units);
  return largest;
}

}  // namespace

TEST_CASE("mean value analysis gives the hand-computed throughputs of small networks") {
  // Two single servers of 1 s each: X(N) = N/(N + 1).
  const std::vector<double> balanced = mva_throughputs({{1.0, 1.0}, {1.0, 1.0}}, 0.0, 5);
  for (std::size_t n = 1; n <= 5; ++n) {
    CHECK(agree(balanced[n - 1], static_cast<long double>(n) / static_cast<long double>(n + 1), 1e-15L));
  }
  // Works 2 s and 1 s: G(1) = 3, G(2) = 4 + 2 + 1 = 7.
  const MvaPoint pair = exact_mva({{2.0, 1.0}, {1.0, 1.0}}, 0.0, 2);
  CHECK(agree(pair.events_per_s, 3.0L / 7.0L, 1e-15L));
  CHECK(agree(pair.mean_in_use[0], (2.0L * 1.0L + 4.0L * 2.0L) / 7.0L, 1e-15L));
  CHECK(agree(pair.residence_s[1], (2.0L * 1.0L + 1.0L * 2.0L) / 3.0L, 1e-15L));
  // One server of 1 s and 1 s of thinking: G(1) = 2, G(2) = 1/2 + 1 + 1.
  CHECK(agree(exact_mva({{1.0, 1.0}}, 1.0, 2).events_per_s, 2.0L / 2.5L, 1e-15L));
}

TEST_CASE("one and a half units serve two clients at one and a half times the rate") {
  // G(1) = 1 + 1, G(2) = 1/2 + 1 + 1/1.5.
  const MvaPoint point = exact_mva({{1.0, 1.5}}, 1.0, 2);
  CHECK(agree(point.events_per_s, 2.0L / (1.5L + 1.0L / 1.5L), 1e-15L));
}

TEST_CASE("convolution agrees with the textbook recursion for small networks") {
  CHECK(rc::check([] {
    const DrawnNetwork network = drawn_network();
    const auto clients = *rc::gen::inRange<std::size_t>(1, 9);
    const MvaPoint point = exact_mva(network.stations, network.think_s, clients);
    const OraclePoint oracle = textbook_mva(network.stations, network.think_s, clients);
    RC_ASSERT(agree(point.events_per_s, oracle.throughput));
    for (std::size_t r = 0; r < network.stations.size(); ++r) {
      RC_ASSERT(std::abs(point.mean_in_use[r] - static_cast<double>(oracle.mean_in_use[r])) <=
                1e-10 * static_cast<double>(clients));
    }
  }));
}

TEST_CASE("one multi-server station with a think time is the machine-repairman model, up to a million clients") {
  struct Case {
    double work, units, think;
    std::size_t clients;
  };
  const double tiny = 1e-9;
  for (const Case& c : {Case{1.77, 4, 117.9, 68}, Case{1.77, 4, 117.9, 270}, Case{1.77, 4, 117.9, 1000},
                        Case{2.0, 50.5, 116.0, 3000}, Case{1.0, 100, 9.0, 1000}, Case{1.0, 4, 250000.0, 1000000},
                        Case{1.0, 4, 250.0, 1000000}, Case{tiny, 1, 1000.0, 1000000}, Case{1000.0, 1, tiny, 100000}}) {
    CAPTURE(c.clients);
    CAPTURE(c.work);
    const MvaPoint point = exact_mva({{c.work, c.units}}, c.think, c.clients);
    const OraclePoint oracle = machine_repairman(c.work, c.units, c.think, c.clients);
    CHECK(agree(point.events_per_s, oracle.throughput));
    CHECK(agree(point.mean_in_use[0], oracle.mean_in_use[0]));
    CHECK(agree(point.event_time_s, static_cast<long double>(c.clients) / oracle.throughput));
  }
}

TEST_CASE("throughput grows with the clients and stays within the asymptotic bounds") {
  CHECK(rc::check([] {
    const DrawnNetwork network = drawn_network();
    const auto clients = *rc::gen::inRange<std::size_t>(2, 300);
    const std::vector<double> throughput = mva_throughputs(network.stations, network.think_s, clients);
    const double rounding = 1.0 + 1e-12;
    RC_ASSERT(agree(throughput[0], 1.0L / ideal_s(network)));
    for (std::size_t n = 1; n <= clients; ++n) {
      const double x = throughput[n - 1];
      RC_ASSERT(x <= rounding * static_cast<double>(n) / ideal_s(network));
      RC_ASSERT(x * largest_demand_s(network) <= rounding);
      if (n > 1) RC_ASSERT(x * rounding >= throughput[n - 2]);
    }
  }));
}

TEST_CASE("all clients are somewhere: at a station or thinking") {
  CHECK(rc::check([] {
    const DrawnNetwork network = drawn_network();
    const auto clients = *rc::gen::inRange<std::size_t>(1, 2000);
    const MvaPoint point = exact_mva(network.stations, network.think_s, clients);
    double present = point.events_per_s * network.think_s;
    double cycle_s = network.think_s;
    for (std::size_t r = 0; r < network.stations.size(); ++r) {
      present += point.mean_in_use[r];
      cycle_s += point.residence_s[r];
      RC_ASSERT(point.residence_s[r] >= network.stations[r].work_s * (1.0 - 1e-12));
    }
    RC_ASSERT(agree(present, static_cast<long double>(clients)));
    RC_ASSERT(agree(cycle_s, point.event_time_s));
  }));
}

TEST_CASE("a client that arrives at a single server sees the queue of a network with one client less") {
  const std::vector<MvaStation> stations = {{1.77, 1.0}, {2.0, 50.0}, {0.1, 2.5}};
  for (const std::size_t clients : {2u, 40u, 70u, 400u}) {
    const MvaPoint before = exact_mva(stations, 60.0, clients - 1);
    const MvaPoint point = exact_mva(stations, 60.0, clients);
    CHECK(agree(point.residence_s[0], 1.77L * (1.0L + before.mean_in_use[0])));
  }
}

TEST_CASE("stations that nobody visits change nothing") {
  const MvaPoint with = exact_mva({{0.0, 1.0}, {1.77, 4.0}}, 117.9, 270);
  const MvaPoint without = exact_mva({{1.77, 4.0}}, 117.9, 270);
  CHECK(with.events_per_s == without.events_per_s);
  CHECK(with.mean_in_use[0] == 0.0);
  CHECK(with.residence_s[0] == 0.0);
}

TEST_CASE("mean value analysis takes the resources in product form as its stations") {
  ClosedNetwork network;
  network.resources = {{.name = "gke/t4", .kind = ResourceKind::gpu, .units = 4.0},
                       {.name = "fnal to iowa", .kind = ResourceKind::link, .units = 50.0},
                       {.name = "gke nic in", .kind = ResourceKind::network_card, .units = 16.0}};
  network.resources[1].in_product_form = false;
  network.classes = {{.name = "reco", .clients = 1.0, .ideal_event_time = Seconds{5.0}, .think_time = Seconds{1.0}}};
  network.work = {{1.77, 2.03, 2.03}};
  const std::vector<MvaStation> stations = mva_stations(network);
  REQUIRE(stations.size() == 2);
  CHECK(stations[0].work_s == 1.77);
  CHECK(stations[1].work_s == 2.03);
  CHECK(stations[1].units == 16.0);
}

TEST_CASE("mean value analysis refuses what is not a closed network") {
  CHECK_THROWS_WITH_AS(exact_mva({{1.0, 1.0}}, 1.0, 0), "mva: at least one client is needed", std::invalid_argument);
  CHECK_THROWS_WITH_AS(exact_mva({{1.0, 0.5}}, 1.0, 1), "mva: a station has at least one unit", std::invalid_argument);
  CHECK_THROWS_WITH_AS(exact_mva({{-1.0, 1.0}}, 1.0, 1), "mva: a station's work is a finite duration >= 0",
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS(exact_mva({}, std::numeric_limits<double>::infinity(), 1),
                       "mva: the think time is a finite duration >= 0", std::invalid_argument);
  CHECK_THROWS_WITH_AS(exact_mva({{0.0, 1.0}}, 0.0, 1), "mva: an event that takes no time", std::invalid_argument);
}

}  // namespace saturn
