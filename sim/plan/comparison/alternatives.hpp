#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan/costs/purchase_terms.hpp"

namespace saturn {

/// What the alternatives that are made from a scenario assume. Each report prints it.
struct AlternativeDefaults {
  /// Cores of a worker node: with GPUs in the worker nodes, one GPU serves the jobs that fill a node.
  std::uint64_t node_cores = 32;
  /// PCI Express 3.0 with 16 lanes: 8 GT/s a lane with 128 of 130 bits used is 15.75 GB/s; three quarters of it reach
  /// an application.
  /// Source  PCI-SIG, PCI Express Base Specification 3.0 (2010), section 4.2.2 for the coding
  std::string bus = "12 GB/s";
  std::string bus_latency = "10 us";  ///< one way; assumption: starting a copy and hearing of its end
  std::string local_bandwidth = "10 Gbps";
  std::string local_rtt = "0.2 ms";  ///< assumption: a switched network within one building
};

/// One way to do the same jobs' inference, as changes of the scenario.
struct Alternative {
  std::string name;
  std::vector<Override> settings{};
  bool cpu_only = false;  ///< no settings can say it: see cpu_only_scenario()
  bool service = false;   ///< the one whose break-even is looked for
  bool per_job = false;   ///< its hardware grows with the jobs, so that its event time does not depend on their number
  std::string made_of{};  ///< its assumptions, in words
  std::string why_not{};  ///< why it cannot be made; empty when it can
};

/// CPU only, and then the scenario's own "alternatives" or, where it has none: a GPU in each worker node, a service on
/// site, and the service where the scenario has it. Those that cannot be made say why.
std::vector<Alternative> alternatives(const Scenario& scenario, const AlternativeDefaults& defaults);

/// The same jobs without servers: every inference takes its cpu_alternative on the job's own core, and work that is
/// done only because a model is offloaded is left out.
/// @throws std::invalid_argument  a stage without cpu_alternative
Scenario cpu_only_scenario(const Scenario& scenario);

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
/// each stream holds a core of its own, busy or not.
/// Costs are those of compute_expenses(), without a reserve.
AlternativeOutcome assess_alternative(const Scenario& scenario, const Results& summary);

}  // namespace saturn
