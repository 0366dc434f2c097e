#include "models/queueing/best_split.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/column_generation.hpp"
#include "models/queueing/open_capacity.hpp"

namespace saturn {

namespace {

/// All ways to divide `steps` steps among so many servers, as shares.
void each_share(std::size_t servers, int steps, std::vector<double> so_far, int left,
                const std::function<void(const std::vector<double>&)>& use) {
  if (so_far.size() + 1 == servers) {
    so_far.push_back(static_cast<double>(left) / steps);
    use(so_far);
    return;
  }
  for (int taken = 0; taken <= left; ++taken) {
    so_far.push_back(static_cast<double>(taken) / steps);
    each_share(servers, steps, so_far, left - taken, use);
    so_far.pop_back();
  }
}

/// The loads of a split.
std::vector<double> loads_of(const std::vector<double>& fixed, const std::vector<CallLoads>& calls,
                             const std::vector<std::vector<double>>& shares) {
  std::vector<double> loads = fixed;
  for (std::size_t c = 0; c < calls.size(); ++c)
    for (std::size_t s = 0; s < calls[c].size(); ++s)
      for (const ResourceLoad& load : calls[c][s]) loads[load.resource] += shares[c][s] * load.busy;
  return loads;
}

double largest_of(const std::vector<double>& loads) {
  return *std::max_element(loads.begin(), loads.end());
}

/// Loads from the largest to the least.
std::vector<double> sorted(std::vector<double> loads) {
  std::sort(loads.begin(), loads.end(), std::greater<>());
  return loads;
}

/// A class that thinks, and whose calls a slow or a fast server may answer.
ClosedNetwork slow_and_fast(double clients) {
  ClosedNetwork network;
  network.resources = {{.name = "slow", .kind = ResourceKind::gpu}, {.name = "fast", .kind = ResourceKind::gpu}};
  network.classes = {{.name = "reco",
                      .clients = clients,
                      .ideal_event_time = Seconds{13.0},
                      .think_time = Seconds{10.0},
                      .least_event_time = Seconds{11.0}}};
  network.fixed_work = Matrix(1, 2);
  network.free_calls = {{.job_class = 0, .servers = {{{0, 5.0}}, {{1, 1.0}}}}};
  network.work = balanced_work(network, {1.0});
  return network;
}

}  // namespace

TEST_CASE("calls are split so that a server five times as fast gets five times as many of them") {
  const ClosedNetwork network = slow_and_fast(12.0);
  // 1 of 6 calls keeps the slow one busy as long as 5 of 6 the fast one: 5/6 s an event.
  CHECK(network.work(0, 0) == doctest::Approx(5.0 / 6.0).epsilon(1e-12));
  CHECK(network.work(0, 1) == doctest::Approx(5.0 / 6.0).epsilon(1e-12));
  const Bounds bounds = asymptotic_bounds(network);
  CHECK(bounds.ideal_event_time_s == doctest::Approx(13.0));
  CHECK(bounds.least_event_time_s == doctest::Approx(11.0));
  CHECK(bounds.event_time_s == doctest::Approx(11.0));
  CHECK(bounds.knees[0].clients == doctest::Approx(11.0 * 6.0 / 5.0));
  CHECK(asymptotic_bounds(slow_and_fast(24.0)).event_time_s == doctest::Approx(24.0 * 5.0 / 6.0));
  // Slowdowns are of the mean that nobody waits for, which is longer.
  CHECK(clients_within(network, 0.0) == doctest::Approx(13.0 * 6.0 / 5.0));
}

TEST_CASE("the balanced split is the best of all splits for whatever calls and servers are drawn") {
  constexpr int steps = 24;
  CHECK(rc::check("best split", [] {
    const auto resources = *rc::gen::inRange<std::size_t>(1, 5);
    const auto busy = [] { return *rc::gen::inRange(0, 40) / 10.0; };
    std::vector<double> fixed(resources);
    for (double& one : fixed) one = *rc::gen::arbitrary<bool>() ? busy() : 0.0;
    std::vector<CallLoads> calls(*rc::gen::inRange<std::size_t>(1, 4));
    double all = 0.0;
    for (CallLoads& call : calls) {
      call.resize(*rc::gen::inRange<std::size_t>(2, calls.size() > 2 ? 3 : 4));
      for (std::vector<ResourceLoad>& server : call) {
        for (std::size_t r = 0; r < resources; ++r)
          if (*rc::gen::arbitrary<bool>()) server.push_back({r, busy()});
        for (const ResourceLoad& load : server) all += load.busy;
      }
    }
    const BalancedLoad balanced = balanced_load(fixed, calls);
    const std::vector<double> loads = loads_of(fixed, calls, balanced.shares);
    for (const std::vector<double>& shares : balanced.shares) {
      double sum = 0.0;
      for (const double share : shares) {
        RC_ASSERT(share >= 0.0);
        sum += share;
      }
      RC_ASSERT(std::abs(sum - 1.0) < 1e-9);
    }
    // The split has the load that is said to be the least.
    RC_ASSERT(std::abs(largest_of(loads) - balanced.largest) <= 1e-7 * (1.0 + balanced.largest));
    // No split on the grid is better, and the best on the grid is no further away than its steps.
    double best = std::numeric_limits<double>::infinity();
    std::vector<double> best_sorted;
    std::vector<std::vector<double>> shares(calls.size());
    const std::function<void(std::size_t)> each = [&](std::size_t c) {
      if (c == calls.size()) {
        const std::vector<double> found = loads_of(fixed, calls, shares);
        best = std::min(best, largest_of(found));
        if (best_sorted.empty() || sorted(found) < best_sorted) best_sorted = sorted(found);
        return;
      }
      each_share(calls[c].size(), calls.size() > 2 ? 8 : steps, {}, calls.size() > 2 ? 8 : steps,
                 [&](const std::vector<double>& of_call) {
                   shares[c] = of_call;
                   each(c + 1);
                 });
    };
    each(0);
    RC_ASSERT(balanced.largest <= best * (1.0 + 1e-9) + 1e-12);
    RC_ASSERT(balanced.largest >= best - 2.0 * all / (calls.size() > 2 ? 8 : steps));
    // Where the busiest is as busy as on the grid, so are the next ones at most.
    const std::vector<double> levels = sorted(loads);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      RC_ASSERT(levels[level] <= best_sorted[level] + 1e-6 * (1.0 + all));
      if (levels[level] < best_sorted[level] - 1e-6 * (1.0 + all)) break;
    }
  }));
}

TEST_CASE("at the best mix of two classes no more events end than by trying all mixes and splits") {
  constexpr int steps = 40;
  CHECK(rc::check("best mix", [] {
    ClosedNetwork network;
    for (const char* name : {"a", "b", "c"}) network.resources.push_back({.name = name, .kind = ResourceKind::gpu});
    network.classes = {{.name = "one", .clients = 1.0, .ideal_event_time = Seconds{1.0}, .think_time = {}},
                       {.name = "two", .clients = 1.0, .ideal_event_time = Seconds{1.0}, .think_time = {}}};
    network.fixed_work = Matrix(2, 3);
    const auto work = [] { return *rc::gen::inRange(1, 40) / 10.0; };
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t r = 0; r < 3; ++r)
        if (*rc::gen::inRange(0, 3) == 0) network.fixed_work(j, r) = work();
    for (std::size_t j = 0; j < 2; ++j) {
      network.free_calls.push_back({.job_class = j, .servers = {{}, {}}});
      for (std::vector<ResourceWork>& server : network.free_calls.back().servers)
        for (std::size_t r = 0; r < 3; ++r)
          if (*rc::gen::arbitrary<bool>()) server.push_back({r, work()});
    }
    const std::vector<double> worth{*rc::gen::inRange(1, 10) / 2.0, *rc::gen::inRange(1, 10) / 2.0};
    const std::vector<double> most{*rc::gen::inRange(1, 30) / 10.0, *rc::gen::inRange(1, 30) / 10.0};
    const MostEvents found = most_events(network, worth, most);
    // For shares of the two classes, the most of the one beside each rate of the other.
    double best = 0.0;
    for (int a = 0; a <= steps; ++a) {
      for (int b = 0; b <= steps; ++b) {
        Matrix asked = network.fixed_work;
        const double shares[2] = {static_cast<double>(a) / steps, static_cast<double>(b) / steps};
        for (std::size_t j = 0; j < 2; ++j)
          for (std::size_t s = 0; s < 2; ++s)
            for (const ResourceWork& one : network.free_calls[j].servers[s])
              asked(j, one.resource) += (s == 0 ? shares[j] : 1.0 - shares[j]) * one.work_s;
        double first_alone = most[0];
        for (std::size_t r = 0; r < 3; ++r)
          if (asked(0, r) > 0.0) first_alone = std::min(first_alone, 1.0 / asked(0, r));
        for (int x = 0; x <= steps; ++x) {
          const double first = first_alone * x / steps;
          double second = most[1];
          for (std::size_t r = 0; r < 3; ++r)
            if (asked(1, r) > 0.0) second = std::min(second, (1.0 - first * asked(0, r)) / asked(1, r));
          best = std::max(best, worth[0] * first + worth[1] * std::max(0.0, second));
        }
      }
    }
    RC_ASSERT(found.worth >= best * (1.0 - 1e-9));
    RC_ASSERT(found.worth <= best * 1.12);
    // The rates that are named reach it, and the worth is no more than they have.
    RC_ASSERT(std::abs(worth[0] * found.rates[0] + worth[1] * found.rates[1] - found.worth) <= 1e-7 * found.worth);
  }));
}

TEST_CASE("a programme that nothing limits says so, and a degenerate one ends") {
  const auto one = [](const std::vector<double>&) { return Activity{.profit = 1.0, .takes = {{0, -1.0}}, .tag = 0}; };
  CHECK_FALSE(most_profit({1.0}, one).bounded);
  // Three activities share a row that has nothing: only the one that gives to it lets the others run.
  const std::vector<Activity> activities{{.profit = 3.0, .takes = {{0, 1.0}, {1, 1.0}}, .tag = 0},
                                         {.profit = 2.0, .takes = {{0, 1.0}, {1, 0.5}}, .tag = 1},
                                         {.profit = 0.0, .takes = {{0, -1.0}, {1, 1.0}}, .tag = 2}};
  const LinearOptimum optimum = most_profit({0.0, 6.0}, [&](const std::vector<double>& prices) {
    const auto gain = [&](const Activity& activity) {
      double sum = activity.profit;
      for (const auto& [row, taken] : activity.takes) sum -= prices[row] * taken;
      return sum;
    };
    return *std::max_element(activities.begin(), activities.end(),
                             [&](const Activity& a, const Activity& b) { return gain(a) < gain(b); });
  });
  // By pairs: 3 of the first and the third, or 4 of the second and the third: 9 or 8.
  CHECK(optimum.profit == doctest::Approx(9.0));
}

TEST_CASE("events that arrive find the capacity of the best split") {
  ClosedNetwork network = slow_and_fast(100.0);
  network.classes[0].arrivals = Rate{1.0};
  const OpenCapacity capacity = open_capacity(network, 0);
  CHECK(capacity.capacity_per_s == doctest::Approx(1.2));
  CHECK(capacity.offered_per_s == doctest::Approx(1.0));
}

}  // namespace saturn
