#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/closed_network.hpp"
#include "models/dispatch.hpp"
#include "models/distribution.hpp"
#include "models/service_law.hpp"
#include "models/units.hpp"

/// A scenario as plain values. Ranges and sentences of every field stand in the field table (scenarios/field_table.hpp)
/// and nowhere else; defaults stand here, and the field table takes them from here.
namespace saturn {

/// A stage of an event that computes on the job's own core.
struct CpuStage {
  std::string label;
  TimeDistribution time;
  /// Name of the model that this work prepares or follows: it exists only because that model is offloaded
  /// (t_pre of the formula), and would not be done by a job that infers on its own CPU.
  std::optional<std::string> part_of;
};

/// A stage of an event that calls a model on a server.
struct InferStage {
  std::string label;
  std::string model;
  std::uint64_t items = 1;                 ///< inferences an event needs
  std::uint64_t request_batch = 1;         ///< items a request carries; the last one carries the rest
  std::uint64_t in_flight = 1;             ///< outstanding requests of this stage; 1 = blocking calls
  std::optional<Seconds> cpu_alternative;  ///< the same inferences on the job's own core [s]
};

using Stage = std::variant<CpuStage, InferStage>;

/// How the jobs of a pool begin.
enum class JobStart {
  random,     ///< each at its own moment, uniform over the ideal event time
  staggered,  ///< evenly spread over the ideal event time
};

/// Equal jobs at one site.
struct JobPool {
  std::string name;
  std::string site;
  std::uint64_t count = 1;
  std::uint64_t threads = 1;  ///< event loops of a job, each on a core of its own
  JobStart start = JobStart::staggered;
  std::vector<Stage> event;
};

/// A model as the servers execute it.
struct Model {
  Bytes input;   ///< S_in, a request's bytes per item
  Bytes output;  ///< S_out, an answer's bytes per item
  std::uint64_t max_batch_size = 1;
  std::uint64_t instances = 1;
  std::map<std::string, ServiceLaw> service;  ///< by device type
};

struct DevicePool {
  std::string type;
  std::uint64_t count = 1;  ///< in each node
};

/// A pool of equal nodes. A node has one queue a model, first come first served, that all its devices draw from.
struct Server {
  std::string name;
  std::string site;
  std::uint64_t nodes = 1;
  std::optional<Bandwidth> nic;  ///< of each node, each direction; absent: no limit
  DevicePool devices;
  std::vector<std::string> models;
  Dispatch dispatch = Dispatch::round_robin;  ///< over the nodes of all servers that hold the model
};

struct DeviceType {
  ResourceKind kind = ResourceKind::gpu;
  std::optional<UsdPerHour> price;
  std::optional<Watts> power;
};

/// A link between two sites (or within one): each direction has the whole bandwidth.
struct Link {
  std::string site_a;
  std::string site_b;
  Bandwidth bandwidth;
  Seconds round_trip_time;
  std::optional<Bandwidth> per_flow;  ///< what one transfer can reach alone; absent: the whole link
};

struct RunControl {
  std::uint64_t seed = 42;
  double precision = 0.01;  ///< relative half-width asked of the mean event time
  double confidence = 0.95;
  std::uint64_t min_replications = 3;
  std::uint64_t max_replications = 32;
  std::uint64_t cycles = 24;  ///< length of a run's window, in event times, at least
};

struct Scenario {
  std::string title;
  std::vector<JobPool> jobs;
  std::map<std::string, Model> models;
  std::vector<Server> servers;
  std::map<std::string, DeviceType> devices;
  std::vector<Link> links;
  RunControl run;
};

}  // namespace saturn
