#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/queueing/open_capacity.hpp"
#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/plan.hpp"

/// The answers that are searches over one variable: devices for so many clients, devices for so many arrivals.

namespace saturn {

/// Requests that clients have outstanding at once, at most.
double most_outstanding(const Scenario& scenario);

/// The fewest devices, in whole steps, with which the clients saturate nothing, by the bound; nothing where no number
/// of devices helps.
std::optional<Scenario> fewest_unsaturated(const Scenario& scenario);

/// The scenario with so many devices that nobody waits for one.
/// @throws std::domain_error  another resource saturates, however many devices there are
Scenario with_devices_to_spare(const Scenario& scenario, const PlanQuestion& question);

/// Finds the fewest devices that carry the scenario's clients within the tolerated slowdown: the fewest that the bound
/// allows, then as many more as the simulation finds necessary.
/// @returns the accepted point, confirmed
/// @throws std::domain_error  another resource saturates, or alone makes the events slower, however many devices there
/// are
const SimulatedPoint& find_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points);

/// The fewest devices that the bound allows, which no simulation has confirmed.
/// @throws std::domain_error  no number of devices does
std::uint64_t gpus_by_bound(const Scenario& scenario, const PlanQuestion& question);

/// The fewest devices with which mean value analysis puts the clients within the tolerated slowdown, and the bound too.
/// @throws std::domain_error  no number of devices does, or mean value analysis does not apply
std::uint64_t gpus_by_mva(const Scenario& scenario, const PlanQuestion& question);

/// What all pools together offer, and what can be served of it when all of their arrivals grow alike, by the pool whose
/// capacity is shortest.
/// @param system  events arrive from outside at every pool
OpenCapacity capacity_of_all(const System& system);

/// One simulated number of devices. Of several pools: rates together, the worst loss and verdict.
struct OpenCandidate {
  std::uint64_t gpus = 0;
  double capacity_per_s = 0.0;  ///< bound: what can be served when all pools' arrivals grow alike [1/s]
  std::string limit{};          ///< what sets it
  Estimate offered_per_s{};
  Estimate lost_fraction{};
  JobsResults all_jobs{};
  OpenVerdict verdict = OpenVerdict::stable;
  bool accepted = false;
};

/// How many devices the events need that arrive from outside.
struct OpenPlan {
  double tolerated_loss = 0.0;              ///< as it was asked [1]
  double offered_per_s = 0.0;               ///< long-run rate, all pools together [1/s]
  std::uint64_t gpus_by_bound = 0;          ///< fewest whose capacity is not below what must be served
  bool outages_bind = false;                ///< fewer would serve the rate, but not while nodes are out
  std::uint64_t gpus = 0;                   ///< fewest simulated ones that are stable and lose little enough
  bool confirmed = true;                    ///< false: formulas alone were asked, and `gpus` are those by bound
  std::vector<OpenCandidate> candidates{};  ///< by devices
  /// Of everything with a price, with those devices, for the events that are not lost [USD].
  std::optional<double> cost_per_million_events_usd{};
  std::vector<PricedPart> priced{};  ///< what that is, see priced_parts(); empty without a cost
};

/// Finds the fewest devices (in steps of DeviceFleet) with which every pool is stable and loses at most the share
/// `loss` of its events: the bound says where to begin, simulation confirms, upwards if need be.
/// @param loss     tolerated, in [0, 1)
/// @param methods  without the simulation the bound answers, and `evaluate` is not called
/// @throws std::domain_error      no number of devices can serve the events, with what limits them
/// @throws std::invalid_argument  a pool without arrivals, or a loss outside [0, 1)
OpenPlan plan_open(const System& system, double loss, const Evaluate& evaluate, const Methods& methods = every_method);

}  // namespace saturn
