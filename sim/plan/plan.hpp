#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/results/results.hpp"
#include "scenarios/scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/formulas.hpp"

namespace saturn {

/// What makes a simulated event longer than t_ideal.
struct WaitingPart {
  std::string what{};      ///< "requests of net wait for a free instance"
  double per_event_s = 0;  ///< summed over an event's requests, also those that wait at the same time [s]
};

/// Where the time goes that a simulated event takes beyond t_ideal: held back by a batcher, waiting for an instance,
/// for the device that instances share, for a larger batch to end, in shared transfers, for a core. The longest first;
/// those below a thousandth of the event time are left out.
/// @param scenario  as it was simulated
std::vector<WaitingPart> waiting_parts(const Scenario& scenario, const Results& summary);

/// What an Evaluate throws when it may not simulate any more.
class OutOfBudget : public std::runtime_error {
 public:
  OutOfBudget() : std::runtime_error("the budget ended before the plan was finished") {}
};

/// Simulates scenarios and gives their summaries, in order. The planner knows nothing else of simulation.
/// @throws OutOfBudget  the plan is then made of what is known
using Evaluate = std::function<std::vector<Results>(std::span<const Scenario>)>;

/// What is asked.
struct PlanQuestion {
  double slowdown = 0.01;                ///< tolerated: event time may be (1 + slowdown)·t_ideal, > 0
  std::optional<std::uint64_t> clients;  ///< "how many GPUs for so many jobs"; absent: the scenario's own count
  /// Plan with more clients than saturate the first resource, as far as the tolerated slowdown allows. Those clients
  /// only wait: throughput does not grow past saturation.
  bool past_saturation = false;
  bool how_many_gpus = true;  ///< also ask how many carry `clients`; costs half of the simulations and more
  /// Another tolerated slowdown, of which the answer says how many clients it allows; simulated as well.
  std::optional<double> also_within{};
  bool also_alone = false;         ///< where there are several devices: how many clients one of them carries by itself
  Methods methods = every_method;  ///< whose rows there are; without the simulation nothing is simulated
};

/// The tolerance that is answered beside that one: 5 %, and 1 % beside those that are as lenient [1].
constexpr double other_tolerance(double slowdown) {
  constexpr double strict = 0.01;
  constexpr double lenient = 0.05;
  return slowdown < lenient ? lenient : strict;
}

/// One simulated candidate.
struct PlanCandidate {
  std::uint64_t clients = 0;
  std::uint64_t gpus = 0;
  double bound_event_time_s = 0.0;
  Estimate event_time_s;
  Estimate slowdown;
  bool accepted = false;
  std::string reason;  ///< "within 1 %", or by how much it is not
};

/// The same clients from two starts, where devices that share a queue can starve.
struct StartsCompared {
  std::uint64_t clients = 0;
  Estimate orderly_s;  ///< event time from the scenario's own start [s]
  Estimate burst_s;    ///< after a burst, see after_burst() [s]
  /// Longer after a burst, beyond both intervals: the plan is then what holds after a burst.
  bool differ = false;
};

/// What follows from the simulation.
struct PlanAnswer {
  std::uint64_t streams_per_gpu = 0;  ///< whole clients: within the slowdown, and not past saturation unless asked
  double within_slowdown = 0.0;       ///< the same, not rounded, by the tolerated slowdown alone
  double saturates_at = 0.0;          ///< clients per GPU at which the first resource saturates
  double streams_per_gpu_low = 0.0;
  double streams_per_gpu_high = 0.0;
  double confidence = 0.95;  ///< of that interval
  /// The same, not rounded, with the parts of the interval; where fitted parameters widen it.
  std::optional<Estimate> calibrated_streams_per_gpu{};
  /// Event time of the fewest jobs over t_ideal, where even these take longer than tolerated: the tolerance is then one
  /// of that time.
  std::optional<Estimate> fewest_slowdown{};
  std::vector<WaitingPart> fewest_waits{};  ///< what makes that up
  /// Where nothing is steady: event time of the asked clients over t_ideal with devices to spare. The GPUs are the
  /// fewest with which it is longer by no more than the tolerance.
  std::optional<Estimate> enough_slowdown{};
  std::vector<WaitingPart> enough_waits{};              ///< what makes that up
  std::optional<double> also_within_streams_per_gpu{};  ///< see PlanQuestion; not past saturation unless asked
  std::optional<double> alone_streams_per_gpu{};        ///< see PlanQuestion
  std::uint64_t clients = 0;                            ///< for which the GPUs were asked
  std::optional<std::uint64_t> gpus;                    ///< that carry them; absent when no number of GPUs does
  std::uint64_t most_in_a_node = 0;  ///< of these in one node, where a node would have to grow; 0: none has to
  std::string why_no_gpus;           ///< the reason where no number does
  std::optional<std::uint64_t> gpus_by_bound{};  ///< where nothing confirmed them: the budget ended, or formulas alone
  std::optional<std::uint64_t> gpus_by_mva{};    ///< where formulas alone were asked, and this one decides
  std::optional<double> formula_event_time_s{};  ///< of the jobs on the devices by that method [s]
  std::optional<double> formula_events_per_s{};  ///< the same [1/s]
  Estimate slowdown;                             ///< simulated at (clients, gpus), as served_slowdown() counts it
  std::optional<Estimate> failed{};              ///< the same: share of calls that fail, where calls are followed [1]
  double refused = 0.0;  ///< the same: of the work that queues refuse and nobody does, where they are not [1]
  std::vector<WaitingPart> waits{};  ///< what makes up the slowdown, see waiting_parts()
  /// Where no number of devices keeps the clients within the tolerance: the fewest with which nothing is saturated,
  /// their slowdown and what makes it up; absent where another resource is saturated whatever the devices.
  std::optional<std::uint64_t> unsaturated_gpus{};
  Estimate unsaturated_slowdown{};
  std::optional<double> cost_per_million_events_usd;  ///< of everything with a price, at (clients, gpus)
  std::vector<PricedPart> priced{};                   ///< what that is, see priced_parts()
  std::vector<QuotedPrice> prices{};                  ///< that the costs rest on
  /// The whole event on the job's own core; absent without a price of cores or where a stage lacks cpu_alternative.
  std::optional<double> cpu_only_cost_per_million_events_usd{};
  ModulePrice module{};  ///< of the offloaded part alone, at (clients, gpus)
  std::optional<StartsCompared> starts{};
  std::string binding;           ///< resource that saturates first, in the scenario as it stands
  std::string next;              ///< the one after it; empty when there is no other
  double next_at_streams = 0.0;  ///< clients at which `next` saturates; 0 when there is none
};

/// An answer with what it rests on.
struct Plan {
  std::vector<PlanRow> rows;
  std::vector<PlanCandidate> candidates;
  PlanAnswer answer;
  /// The bound in clients per device and event time [s]; empty where it is flat up to saturates_at and rises straight
  /// then.
  std::vector<std::pair<double, double>> bound_curve{};
  std::optional<SaturationFormula> formula{};  ///< the published one; absent outside its scope
  bool budget_spent = false;      ///< before it was finished: the interval is what candidates and bound leave open
  bool confirmed = true;          ///< the clients per GPU are simulated; else the formulas', between what was simulated
  bool precision_reached = true;  ///< every event time that the answer rests on is as precise as the scenario asks
};

/// Clients per device of an answer, not rounded: within the slowdown, and not past saturation unless asked.
double unrounded_streams_per_gpu(const PlanAnswer& answer, const PlanQuestion& question);

/// The whole plan: brackets the crossing of the tolerated slowdown with the bound, simulates round it, interpolates,
/// and confirms the GPUs for the asked number of clients. Over a horizon the GPUs alone are simulated, and formulas say
/// the clients per GPU. Where formulas alone are asked, their answer, which nothing confirms; `evaluate` is not called.
/// How: docs/models/planning.md.
/// @throws std::domain_error  no number of clients, or of GPUs, meets the slowdown, or mean value analysis alone is
///                            asked and does not apply, with the reason (exit code 3)
/// @throws std::invalid_argument  a slowdown that is not above 0, or no clients asked for
Plan make_plan(const System& system, const PlanQuestion& question, const Evaluate& evaluate);

}  // namespace saturn
