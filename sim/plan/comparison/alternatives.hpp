#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/plan.hpp"

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

/// CPU only, and then the scenario's own "alternatives" or, where it has none: a GPU in each worker node, all servers
/// at a site of the jobs (four sites at most), and the service where the scenario has it. Those that cannot be made say
/// why.
/// @param resolved  of the scenario
std::vector<Alternative> alternatives(const Scenario& scenario, const std::string& resolved,
                                      const AlternativeDefaults& defaults);

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
  double unserved_share = 0.0;  ///< see unserved_share() of a summary [1]
};

/// What a simulated scenario comes to as an alternative. Core time is wasted while an event is in a stage of inference:
/// each stream holds a core of its own, busy or not.
/// Costs are those of compute_expenses(), without a reserve.
AlternativeOutcome assess_alternative(const Scenario& scenario, const Results& summary);

/// What is varied until the winner changes.
enum class BreakEvenOf { round_trip_time, jobs_per_device };

/// Where a growing quantity makes one alternative slower than another by more than the least difference that decides.
struct BreakEvenPoint {
  enum class Where {
    at,      ///< `value`, within the range
    never,   ///< it is not over the whole range
    always,  ///< it is over the whole range
  };
  Where where = Where::at;
  Estimate value;  ///< [s] or [1]; where == at
};

struct BreakEven {
  BreakEvenOf of = BreakEvenOf::round_trip_time;
  std::string service;  ///< the alternative that is varied
  std::string against;  ///< the one whose event time stays
  double lowest = 0.0;  ///< of the range that was searched [s] or [1]
  double highest = 0.0;
  double least_difference = 0.0;  ///< by which it may be slower and is as good still, of the other's event time [1]
  double present = 0.0;           ///< the scenario's own value [s] or [1]
  BreakEvenPoint formula{};       ///< by the asymptotic bounds of both
  BreakEvenPoint simulated{};     ///< both simulated with the same random numbers
  std::size_t simulations = 0;
};

/// A row of the comparison: an alternative, the scenario that it is, and what that comes to.
struct ComparedAlternative {
  Alternative about;
  std::optional<Scenario> scenario{};           ///< absent where it cannot be made: `about` says why
  std::optional<AlternativeOutcome> outcome{};  ///< once simulated
};

/// The alternatives with what follows from them.
struct AlternativesComparison {
  std::vector<ComparedAlternative> alternatives;
  std::vector<BreakEven> break_evens;
  std::optional<std::size_t> fastest;   ///< index: shortest mean event time
  std::vector<std::size_t> as_fast;     ///< indices that its interval cannot tell from it
  std::optional<std::size_t> cheapest;  ///< index, among those whose cost is known
  bool cores_priced = false;            ///< costs include the jobs' cores
  std::vector<QuotedPrice> prices{};    ///< that the costs rest on
};

/// Longest round trip that is looked at [s]; no two sites of a collaboration are further apart.
inline constexpr double longest_round_trip_s = 1.0;

/// Simulates all alternatives as they stand, and finds where the service among them starts to lose: the round-trip time
/// and the number of jobs a device at which its event time passes that of CPU only, of GPUs in the worker nodes, and of
/// the best of the others.
/// @param alternatives      those of alternatives(), with their scenarios, without outcomes
/// @param core_price        of one core of a job, instead of the scenarios' own
/// @param least_difference  by which the service may be slower and is as good still, of the other's event time [1]
AlternativesComparison compare_alternatives(std::vector<ComparedAlternative> alternatives,
                                            std::optional<UsdPerHour> core_price, double least_difference,
                                            const Evaluate& evaluate);

}  // namespace saturn
