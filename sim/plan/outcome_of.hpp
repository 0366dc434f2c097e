#pragma once

#include "models/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/purchase_terms.hpp"

namespace saturn {

/// What an alternative comes to, at the number of jobs of the scenario.
struct AlternativeOutcome {
  Estimate event_time_s;
  Estimate events_per_s;
  Estimate waiting_core_s;  ///< core time that an event holds while it waits for inference [s]
  Estimate waiting_share;   ///< the same over all core time that an event holds [1]
  double devices = 0.0;
  std::optional<Estimate> device_use;                 ///< busy share of the devices [1]; absent where there are none
  double device_hours_per_million_events = 0.0;       ///< of the devices that are there, busy or not [h]
  std::optional<double> cost_usd_per_million_events;  ///< of everything with a price [USD]
  std::vector<PricedPart> priced{};                   ///< what that is
  /// The offloaded part of the events alone: devices, hosts, traffic, and cores while they prepare and wait; for CPU
  /// only, the cores while they compute it [USD].
  std::optional<double> module_usd_per_million_events{};
  std::string first_to_saturate;  ///< empty where nothing is shared
  double saturates_at_jobs = 0.0;
  bool saturated = false;       ///< at this number of jobs, by the bound
  double rejected_share = 0.0;  ///< of the requests, by queue policies [1]
};

/// What a simulated scenario comes to as an alternative. Core time is wasted while an event is in a stage of inference:
/// each event loop holds a core of its own, busy or not.
/// Costs are those of expenses_of(), without a reserve.
AlternativeOutcome outcome_of(const Scenario& scenario, const Results& summary);

}  // namespace saturn
