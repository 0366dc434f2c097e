#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/plan.hpp"

namespace saturn {

/// How carefully a candidate is simulated.
enum class Care {
  scout,      ///< one replication: enough to see on which side of the tolerated slowdown it lies
  confirmed,  ///< replications until a fifth of the tolerated slowdown is resolved, or the most that a plan spends
};

/// A simulated candidate with its whole summary.
struct SimulatedPoint {
  Scenario scenario;  ///< as it was asked for, not as a plan simulates it
  Care care = Care::scout;
  PlanCandidate candidate;
  Results summary;
};

/// Slowdown of a simulation as a plan counts it: events whose requests queues refuse end early and are worth nothing,
/// so that the others take the time of all.
Estimate served_slowdown(const Results& summary);

/// Every candidate that a plan has simulated. None is simulated twice with the same care, and all share the scenario's
/// seed, so that their differences are those of the candidates and not of the random numbers.
class SimulatedPoints {
 public:
  /// @param slowdown  tolerated, > 0
  SimulatedPoints(const Evaluate& evaluate, double slowdown)
      : evaluate_(evaluate), slowdown_(slowdown), tolerated_(slowdown) {}

  /// Judges all points, those to come as well, by another slowdown; they are simulated as precisely as before.
  void tolerate(double slowdown);

  /// Simulates those scenarios that are not known with this care, in one call, so that they run side by side.
  void simulate(const std::vector<Scenario>& scenarios, Care care);

  /// The point of a scenario, by its numbers of clients and devices; null when it has not been simulated.
  const SimulatedPoint* find(const Scenario& scenario) const;

  /// Points with so many devices, by their number of clients.
  std::map<std::uint64_t, const SimulatedPoint*> with_devices(std::uint64_t devices) const;

  /// All candidates, by devices, then clients.
  std::vector<PlanCandidate> candidates() const;

 private:
  const Evaluate& evaluate_;
  double slowdown_;                                                           ///< that the precision follows from
  double tolerated_;                                                          ///< that points are judged by
  std::map<std::pair<std::uint64_t, std::uint64_t>, SimulatedPoint> points_;  ///< by (devices, clients)
};

/// A scenario as a plan simulates it: shorter windows and fewer replications than a run, because a plan needs the side
/// of the tolerated slowdown and not the last digit.
Scenario as_simulated(Scenario scenario, double slowdown, Care care);

/// Share of the requests that reach a queue which its limits refuse, of the model where it is largest [1].
double rejected_share(const Results& summary);

}  // namespace saturn
