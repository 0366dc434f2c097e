#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

/// A search over one variable: what it has simulated, and the least whole number that it accepts.

namespace saturn {

/// How carefully a point is simulated.
enum class Care {
  scout,      ///< one replication: enough to see on which side of the tolerated slowdown it lies
  settled,    ///< replications until it is resolved, or the scenario's precision if that is finer
  confirmed,  ///< replications until a fifth of the tolerated slowdown is resolved, or the most that a plan spends
};

/// A simulated scenario with its whole summary.
struct SimulatedPoint {
  Scenario scenario;  ///< as it was asked for, not as it is simulated
  Care care = Care::scout;
  Results summary;
};

/// A scenario as it is simulated with this care.
using Prepare = std::function<Scenario(Scenario, Care)>;

/// What a search has simulated, of each key the most thorough look. Nothing is simulated twice with the same care, and
/// all share the scenario's seed, so that differences are those of what was looked at and not of the random numbers.
template <class Key, class Look>
class RunStore {
 public:
  /// Null when it has not been simulated.
  const Look* find(const Key& key) const {
    const auto found = looks_.find(key);
    return found == looks_.end() ? nullptr : &found->second;
  }
  const std::map<Key, Look>& all() const { return looks_; }

  /// Simulates those that are not known as thoroughly, each once.
  /// @param wanted    each with its key(), and is_met_by(look)
  /// @param together  so many in one call of `simulate`, which gives a look for each, in order
  template <class Wanted, class Simulate>
  void simulate(std::span<const Wanted> wanted, std::size_t together, const Simulate& simulate) {
    std::vector<Wanted> unknown;
    for (const Wanted& one : wanted) {
      const Look* known = find(one.key());
      const auto is_same = [&](const Wanted& other) { return other.key() == one.key(); };
      if (!(known && one.is_met_by(*known)) && std::none_of(unknown.begin(), unknown.end(), is_same))
        unknown.push_back(one);
    }
    for (std::size_t i = 0; i < unknown.size(); i += together) {
      const auto some = std::span<const Wanted>(unknown).subspan(i, std::min(together, unknown.size() - i));
      std::vector<Look> looks = simulate(some);
      if (looks.size() != some.size()) throw std::logic_error("a search got fewer simulations than it asked for");
      for (std::size_t k = 0; k < some.size(); ++k) looks_.insert_or_assign(some[k].key(), std::move(looks[k]));
    }
  }

 private:
  std::map<Key, Look> looks_;
};

/// Simulated scenarios that differ in their numbers of devices and clients.
class SimulatedPoints {
 public:
  SimulatedPoints(const Evaluate& evaluate, Prepare prepare) : evaluate_(evaluate), prepare_(std::move(prepare)) {}

  /// Those that are not known with this care in one call, so that they run side by side.
  void simulate(const std::vector<Scenario>& scenarios, Care care);

  /// Null when the scenario has not been simulated.
  const SimulatedPoint* find(const Scenario& scenario) const;

  /// Points with so many devices, by their number of clients.
  std::map<std::uint64_t, const SimulatedPoint*> with_devices(std::uint64_t devices) const;

  /// All of them, by devices, then clients.
  std::vector<const SimulatedPoint*> all() const;

 private:
  const Evaluate& evaluate_;
  Prepare prepare_;
  RunStore<std::pair<std::uint64_t, std::uint64_t>, SimulatedPoint> store_;
};

/// Clients of a scenario, in whole numbers.
std::uint64_t whole_clients(const Scenario& scenario);

/// Slowdown of a point as a plan counts it.
Estimate served_slowdown(const SimulatedPoint& point);

/// Half-width that a single replication would have, by an estimate of several.
double noise_of_one(const Estimate& repeated);

/// A point as a plan tells of it, judged by a slowdown.
PlanCandidate judged(const SimulatedPoint& point, double tolerated);

/// A scenario as a plan simulates it: shorter windows and fewer replications than a run, because a plan needs the side
/// of the tolerated slowdown and not the last digit.
Scenario as_simulated(Scenario scenario, double slowdown, Care care);

/// Points simulated after a burst, see after_burst().
SimulatedPoints burst_points(const Evaluate& evaluate, double slowdown);

/// Simulates the clients that the plan would recommend from both starts, where devices that share a queue can starve:
/// one start alone may find them in the one state that does not last.
/// @returns nothing where none can starve
std::optional<StartsCompared> compare_starts(const Scenario& scenario, double clients, SimulatedPoints& orderly,
                                             SimulatedPoints& bursts);

}  // namespace saturn
