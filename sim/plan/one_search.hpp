#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/plan.hpp"

/// A search over one variable: what it has simulated, and the least whole number that it accepts.

namespace saturn {

/// The whole numbers among which the least that is accepted is looked for.
struct WholeRange {
  std::uint64_t first = 1;  ///< nothing below it is accepted
  /// Where a number as large as this is not accepted, none is.
  std::uint64_t enough = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  ///< none above it is tried
};

/// The least number that is accepted, where every number above an accepted one is: tries the first, in steps that
/// double until one is accepted, and then halves what lies between that and the largest that was not. Each is tried
/// once.
/// @returns nothing where none is accepted
std::optional<std::uint64_t> least_accepted(const WholeRange& range, const std::function<bool(std::uint64_t)>& accepts);

/// How carefully a point is simulated.
enum class Care {
  scout,      ///< one replication: enough to see on which side of the tolerated slowdown it lies
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

/// Every point that a search has simulated. None is simulated twice with the same care, and all share the scenario's
/// seed, so that their differences are those of the points and not of the random numbers.
template <class Key>
class PointStore {
 public:
  PointStore(const Evaluate& evaluate, Prepare prepare) : evaluate_(evaluate), prepare_(std::move(prepare)) {}

  /// Simulates those scenarios that are not known with this care, in one call, so that they run side by side.
  void simulate(const std::vector<std::pair<Key, Scenario>>& wanted, Care care) {
    std::vector<const std::pair<Key, Scenario>*> asked;
    std::vector<Scenario> unknown;  // the same as they are simulated
    for (const auto& one : wanted) {
      const SimulatedPoint* known = find(one.first);
      if (known && (known->care == Care::confirmed || care == Care::scout)) continue;
      const auto is_same = [&](const auto* other) { return other->first == one.first; };
      if (std::any_of(asked.begin(), asked.end(), is_same)) continue;
      asked.push_back(&one);
      unknown.push_back(prepare_(one.second, care));
    }
    if (unknown.empty()) return;
    std::vector<Results> summaries = evaluate_(unknown);
    if (summaries.size() != unknown.size()) throw std::logic_error("a plan got fewer simulations than it asked for");
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      // Where nothing is drawn, one replication tells everything.
      const Care reached = is_deterministic(unknown[i]) ? Care::confirmed : care;
      points_.insert_or_assign(asked[i]->first, SimulatedPoint{asked[i]->second, reached, std::move(summaries[i])});
    }
  }

  /// Null when it has not been simulated.
  const SimulatedPoint* find(const Key& key) const {
    const auto found = points_.find(key);
    return found == points_.end() ? nullptr : &found->second;
  }

  const std::map<Key, SimulatedPoint>& all() const { return points_; }

 private:
  const Evaluate& evaluate_;
  Prepare prepare_;
  std::map<Key, SimulatedPoint> points_;
};

/// Points that are known by their numbers of devices and clients.
class SimulatedPoints {
 public:
  SimulatedPoints(const Evaluate& evaluate, Prepare prepare) : store_(evaluate, std::move(prepare)) {}

  void simulate(const std::vector<Scenario>& scenarios, Care care);

  /// Null when the scenario has not been simulated.
  const SimulatedPoint* find(const Scenario& scenario) const;

  /// Points with so many devices, by their number of clients.
  std::map<std::uint64_t, const SimulatedPoint*> with_devices(std::uint64_t devices) const;

  /// All of them, by devices, then clients.
  std::vector<const SimulatedPoint*> all() const;

 private:
  PointStore<std::pair<std::uint64_t, std::uint64_t>> store_;
};

/// Clients of a scenario, in whole numbers.
std::uint64_t whole_clients(const Scenario& scenario);

/// Slowdown of a simulation as a plan counts it: events whose requests queues refuse end early and are worth nothing,
/// so that the others take the time of all.
Estimate served_slowdown(const Results& summary);

/// A point as a plan tells of it, judged by a slowdown.
PlanCandidate judged(const SimulatedPoint& point, double tolerated);

/// A scenario as a plan simulates it: shorter windows and fewer replications than a run, because a plan needs the side
/// of the tolerated slowdown and not the last digit.
Scenario as_simulated(Scenario scenario, double slowdown, Care care);

/// Share of the requests that reach a queue which its limits refuse, of the model where it is largest [1].
double rejected_share(const Results& summary);

}  // namespace saturn
