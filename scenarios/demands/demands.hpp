#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/closed_network.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

struct RoutedResources;

/// What a stage spends time on.
enum class StagePart { cpu, serialisation, bandwidth, travel, device };

/// "cpu", "serialisation", "bandwidth", "travel", "device": as outputs print it.
const char* name_of(StagePart part);

/// One part of the unloaded event time, for the breakdown that users know from the slides.
struct EventPart {
  std::string label;  ///< the stage's label
  StagePart part = StagePart::cpu;
  double seconds = 0.0;  ///< per event, nothing waiting [s]
};

/// t_ideal of one event of the pool, part by part, in the order of the stages. Calls in flight together shorten their
/// stage to the lower bound: work of the slowest resource, or requests × latency over the window. An asynchronous stage
/// counts only as long as its event does nothing but wait for it, so that the parts add up to t_ideal. Jobs of
/// different speed count in proportion to the rate of their events.
std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const JobPool& pool);
/// The same for who asks of many pools. @param routed  of the scenario
std::vector<EventPart> ideal_event_parts(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool);

/// The closed queueing network of a scenario: the resources of routed_resources() (scenarios/topology/routes.hpp: every
/// server's devices, each direction of whatever part of the network calls use, cores that streams share), what an
/// event of each job class demands of them, t_ideal, and what keeps the network from having product form. The engine
/// uses the same names in the same order. Servers that hold a model share its requests in proportion to their nodes
/// where the policy says so; where the load chooses, they are free calls, with the best split in the work. A pool that
/// events reach from outside is a class with its streams as clients and its rate of arrivals: bounds of the network
/// then hold while its streams are never idle (models/queueing/open_capacity.hpp says what follows).
/// @throws std::invalid_argument  a call between sites without a path, a model that no server holds, no jobs, or an
///         event that takes no time; the reader refuses such scenarios
ClosedNetwork closed_network(const Scenario& scenario);

/// Why the asymptotic bound is only an average of this scenario; empty where it is a law.
std::string bound_caveat(const Scenario& scenario);

/// Why the shares of a model's requests that the demands take hold on average only; empty where they are certain, or
/// the best that any balancer could do.
std::string why_average_shares(const Scenario& scenario, const std::string& model);

/// How much the drawn times of one event scatter, relative to their mean: the larger of what its whole unhindered event
/// time and its service alone do [1]; 0 when nothing is drawn.
double relative_scatter(const Scenario& scenario, const JobPool& pool);

/// The published formula's inputs for a scenario with one pool whose calls all go to one kind of device.
/// @returns the formula and, in `why_not`, a sentence when the scenario is outside the formula's scope
struct PublishedFormula {
  SaturationFormula formula;
  std::string why_not;  ///< empty when the formula applies
};
PublishedFormula published_formula(const Scenario& scenario);

/// The same alone; absent outside its scope.
std::optional<SaturationFormula> formula_in_scope(const Scenario& scenario);

/// The event on CPU alone: CPU stages that belong to no offloaded model plus every cpu_alternative.
struct CpuOnly {
  bool known = false;           ///< every infer stage names its cpu_alternative
  double event_time_s = 0.0;    ///< whole event [s]
  double offloaded_s = 0.0;     ///< the part that is offloaded, on CPU [s]
  double as_a_service_s = 0.0;  ///< the same part as a service, nothing waiting, its preprocessing included [s]
};
CpuOnly cpu_only(const Scenario& scenario, const JobPool& pool);
/// The same for who asks of many pools. @param routed  of the scenario
CpuOnly cpu_only(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool);

/// The same scenario with its jobs scaled so that `clients` streams run in all (counts rounded to whole jobs, at
/// least one a pool).
/// @throws std::invalid_argument  clients <= 0, or a scenario without jobs
Scenario with_streams(Scenario scenario, double clients);

/// True when events reach every pool from outside; false when they reach none, or some.
bool all_open(const Scenario& scenario);
bool any_open(const Scenario& scenario);

/// Devices of all servers.
std::uint64_t device_count(const Scenario& scenario);
/// Streams of all pools.
double stream_count(const Scenario& scenario);
/// Jobs of all pools.
double job_count(const Scenario& scenario);

}  // namespace saturn
