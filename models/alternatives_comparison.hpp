#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/estimate.hpp"
#include "models/quoted_price.hpp"

/// Several ways to do the same jobs' inference, side by side.
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
  std::vector<std::string> priced{};                  ///< what that is: "devices", "hosts", "cores" ...
  /// The offloaded part of the events alone: devices, hosts, traffic, and cores while they prepare and wait; for CPU
  /// only, the cores while they compute it [USD].
  std::optional<double> module_usd_per_million_events{};
  std::string first_to_saturate;  ///< empty where nothing is shared
  double saturates_at_jobs = 0.0;
  bool saturated = false;       ///< at this number of jobs, by the bound
  double rejected_share = 0.0;  ///< of the requests, by queue policies [1]
};

/// A row of the comparison.
struct ComparedAlternative {
  std::string name;
  std::vector<std::string> settings{};  ///< "/json/pointer=value": what it changes in the scenario
  std::string made_of{};                ///< assumptions in words; empty where it is the user's own
  std::string why_not{};                ///< why it has no outcome; empty when it has one
  std::optional<AlternativeOutcome> outcome{};
};

/// What is varied until the winner changes.
enum class BreakEvenOf { round_trip_time, jobs_per_device };

/// Where a growing quantity makes one alternative lose against another: event times are equal there.
struct BreakEvenPoint {
  enum class Where {
    at,      ///< `value`, within the range
    never,   ///< it wins over the whole range
    always,  ///< it loses over the whole range
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
  double present = 0.0;        ///< the scenario's own value [s] or [1]
  BreakEvenPoint formula{};    ///< by the asymptotic bounds of both
  BreakEvenPoint simulated{};  ///< both simulated with the same random numbers
  std::size_t simulations = 0;
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

}  // namespace saturn
