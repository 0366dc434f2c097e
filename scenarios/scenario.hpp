#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/laws/arrival_law.hpp"
#include "models/laws/distribution.hpp"
#include "models/laws/service_law.hpp"
#include "models/laws/worker_nodes.hpp"
#include "models/queueing/closed_network.hpp"
#include "models/serving/congestion_window.hpp"
#include "models/serving/dispatch.hpp"
#include "models/serving/service_order.hpp"
#include "models/values/units.hpp"
#include "scenarios/living.hpp"
#include "scenarios/topology/simgrid_platform.hpp"

namespace saturn {

/// Most points that a sweep has.
inline constexpr std::uint64_t most_points = 10'000'000;

/// How the points of a sample are drawn.
enum class Sampling { latin_hypercube, random };

/// Where in the scenario file the parts of a sweep stand, as JSON pointers; empty: they were given as options.
struct SweepPlaces {
  std::string axes{};   ///< "/sweep/axes"
  std::string where{};  ///< "/sweep/where"
  std::string sample{};
};

/// A sweep as it was asked, by options or by the scenario's `sweep` block.
struct SweepText {
  /// "/models/emtrk/max_batch_size=1:1024:x2"; several places that run along with each other (zipped, as many values
  /// each) are joined by " with ": "/a=1,2,4 with /b=1ms,2ms,4ms". Axes are crossed, the last one running fastest.
  std::vector<std::string> axes{};
  /// Conditions between axes, all of which hold at every point: "max_batch_size * 2 <= request_batch and rtt < 5 ms".
  /// Axes are called by their pointers or their short names.
  std::vector<std::string> where{};
  std::optional<std::uint64_t> sample{};  ///< so many points in place of all
  Sampling sampling = Sampling::latin_hypercube;
  SweepPlaces places{};  ///< what complaints point at
};

// A scenario as plain values. Ranges and sentences of every field stand in the field table
// (scenarios/fields/field_table.hpp) and nowhere else; defaults stand here, and the field table takes them from here.

/// A stage of an event that computes on the job's own core.
struct CpuStage {
  std::string label;
  TimeDistribution time;
  /// Name of the model that this work prepares or follows: it exists only because that model is offloaded
  /// (t_pre of the formula), and would not be done by a job that infers on its own CPU.
  std::optional<std::string> part_of{};
  std::vector<std::string> needs{};  ///< labels of earlier asynchronous stages whose answers it waits for
};

/// What sending a request costs on the core of the job that sends it: serialisation, the client library.
struct ClientCost {
  Seconds per_request{};
  Seconds per_item{};
};

/// Which requests of a stream make up a sequence for a stateful model.
enum class SequenceScope {
  job,    ///< all of a job: the slot is free again when the job ends
  event,  ///< those of one event: with the last of them
};

/// A stage of an event that calls a model on a server.
struct InferStage {
  std::string label;
  std::string model;
  CountDistribution items = 1;               ///< inferences an event needs; 0 of them: no request is sent
  std::uint64_t request_batch = 1;           ///< items a request carries; the last one carries the rest
  std::uint64_t in_flight = 1;               ///< outstanding requests of this stage; 1 = blocking calls
  std::optional<Seconds> cpu_alternative{};  ///< the same inferences on the job's own core [s]
  std::optional<std::uint64_t> priority{};   ///< level at the model's queue; absent: the model's default
  /// Lengths of the items of a request, relative to those the service law was measured with; each request has one of
  /// them, each as likely. Empty: 1.
  std::vector<double> item_lengths{};
  bool asynchronous = false;         ///< the event goes on, up to a stage that needs the answers, or to its end
  std::vector<std::string> needs{};  ///< labels of earlier asynchronous stages whose answers it waits for
  ClientCost client_cost{};
  CallRules rules{};
  SequenceScope sequence = SequenceScope::job;  ///< of the requests to a stateful model
};

using Stage = std::variant<CpuStage, InferStage>;
/// Labels of the asynchronous stages that a stage needs.
inline const std::vector<std::string>& needs_of(const Stage& stage) {
  return std::visit([](const auto& one) -> const std::vector<std::string>& { return one.needs; }, stage);
}

/// How the jobs of a pool begin.
enum class JobStart {
  random,     ///< each at its own moment, uniform over the unloaded event time
  staggered,  ///< evenly spread over the unloaded event time
};

/// Equal jobs at one site.
struct JobPool {
  std::string name;
  std::string site;
  std::uint64_t count = 1;
  std::uint64_t threads = 1;               ///< cores of a job
  std::optional<std::uint64_t> streams{};  ///< streams of a job; absent: as many as threads
  WorkerSpeed speed{};                     ///< of the jobs' nodes: CPU times are divided by it
  JobStart start = JobStart::staggered;
  std::optional<Seconds> start_over{};            ///< period over which the jobs begin; absent: the unloaded event time
  std::optional<std::uint64_t> events_per_job{};  ///< after these the slot takes the next job; absent: endless jobs
  bool replaced = true;                           ///< by the next job, when one has ended
  Seconds job_setup{};                            ///< CPU time with which the next job begins
  /// How events arrive from outside (open loop); absent: every stream begins the next event itself.
  std::optional<ArrivalLaw> arrivals{};
  std::optional<std::uint64_t> buffer{};  ///< arrived events that may wait for a free stream; absent: no limit
  std::vector<Stage> event{};
};

/// Streams of one job.
inline std::uint64_t streams_per_job(const JobPool& pool) {
  return pool.streams.value_or(pool.threads);
}
/// Streams of all jobs of a pool.
inline std::uint64_t stream_count(const JobPool& pool) {
  return pool.count * streams_per_job(pool);
}
/// True when the streams of a job wait for its cores.
inline bool shares_cores(const JobPool& pool) {
  return streams_per_job(pool) > pool.threads;
}
/// Events that each stream of a job runs before the next job takes its place: a job's events over its streams,
/// rounded up; 0 for endless jobs.
inline std::uint64_t events_per_stream(const JobPool& pool) {
  return (pool.events_per_job.value_or(0) + streams_per_job(pool) - 1) / streams_per_job(pool);
}

/// How many batches of a model a device, or a slice of one, executes at once.
enum class ExecutionPolicy {
  per_instance,    ///< one on each instance
  one_per_device,  ///< one, however many instances: a single thread issues them, as TensorRT's backend does
};

/// max_batch_size of a model that takes requests of any size, one at a time: Triton's 0.
inline constexpr std::uint64_t unlimited_batch = 1'000'000'000;

/// How the sequence batcher of an instance makes batches of its sequences.
enum class SequenceStrategy {
  direct,  ///< every slot has its row; rows before the last one that is ready are executed whether they are or not
  oldest,  ///< requests are joined as the dynamic batcher joins them
};

/// A stateful model: the requests of a sequence are executed one after the other, by the instance that has its state.
struct SequenceBatching {
  SequenceStrategy strategy = SequenceStrategy::direct;
  std::optional<std::uint64_t> candidates{};  ///< sequences that an instance serves at once; absent: max_batch_size
  Seconds max_idle{1.0};                      ///< between two requests of a sequence, after which its slot is lost [s]
};

/// A model as the servers execute it: on instances, or as an ensemble, a chain of other models within one node.
struct Model {
  Bytes input{};   ///< S_in, a request's bytes per item
  Bytes output{};  ///< S_out, an answer's bytes per item
  /// The config.pbtxt that the fields which the scenario omits were taken from.
  std::optional<std::string> triton_config{};
  std::uint64_t max_batch_size = 1;
  std::uint64_t instances = 1;  ///< on each device, or on each of its slices
  ExecutionPolicy execution = ExecutionPolicy::per_instance;
  bool dynamic_batching = false;
  std::vector<std::uint64_t> preferred_batch_size{};
  Seconds max_queue_delay{};
  BatchForming forming = BatchForming::when_idle;
  LengthRule lengths = LengthRule::ragged;
  std::uint64_t priority_levels = 1;
  std::optional<std::uint64_t> default_priority_level{};  ///< absent: the last level
  QueuePolicy queue_policy{};
  std::optional<SequenceBatching> sequence_batching{};  ///< absent: any instance executes any request
  std::vector<std::string> ensemble{};  ///< steps, one after the other; empty: a model with instances of its own
  std::map<std::string, ServiceLaw> service{};  ///< by device type; empty for an ensemble
  Bytes memory{};                               ///< of each instance, on its device
  Seconds load_time{};                          ///< that a node which starts up takes to load it
};

/// Batches of the model that a device, or a slice of one, executes at once.
inline std::uint64_t batches_at_once(const Model& model) {
  return model.execution == ExecutionPolicy::one_per_device ? 1 : model.instances;
}

/// Whether several requests may share a batch of the model.
inline bool joins_requests(const Model& model) {
  return model.dynamic_batching || model.sequence_batching.has_value();
}
/// Most items of a batch. A request of a sequence has one, and a batch of a stateful model one of each.
inline std::uint64_t batch_limit(const Model& model) {
  if (!model.sequence_batching) return model.max_batch_size;
  const std::uint64_t rows = model.max_batch_size == unlimited_batch ? 1 : model.max_batch_size;
  return std::min(rows, model.sequence_batching->candidates.value_or(rows));
}
/// Sequences that each instance of a stateful model serves at once.
inline std::uint64_t sequence_slots(const Model& model) {
  return model.sequence_batching->candidates.value_or(batch_limit(model));
}

/// The batcher's view of a model; of a stateful one, that of each instance.
BatchingRules batching_rules(const Model& model);

/// The models that a request of this model passes one after the other: itself, or an ensemble's steps, their own
/// ensembles resolved. @throws std::invalid_argument  an unknown step or a cycle; the reader refuses such scenarios
std::vector<std::string> model_steps(const std::map<std::string, Model>& models, const std::string& model);

/// Where a request that has reached a node waits for a device of it.
enum class DeviceDispatch {
  shared_queue,      ///< in one queue a model, which the instances on all devices draw from
  per_device_queue,  ///< in the queue of the device with the fewest requests that wait or are executed; ties in turn
};

struct DevicePool {
  std::string type;
  std::uint64_t count = 1;  ///< in each node
  /// Shares of a device that its slices have (NVIDIA's multi-instance GPU), in sum at most 1. A slice works as a device
  /// of its own whose device part takes 1/share as long. Empty: undivided.
  std::vector<double> mig{};
  /// How much the devices of a node are in each other's way: while n of them are busy, each runs at n^−interference of
  /// its speed. 0: independent, 1: all of them together are as fast as one [1]
  double interference = 0.0;
  DeviceDispatch dispatch = DeviceDispatch::shared_queue;
  std::optional<FailureLaw> failures{};  ///< of each device
};

/// Devices of a node, or the slices that they are divided into.
inline std::uint64_t units_of(const DevicePool& devices) {
  return devices.count * (devices.mig.empty() ? 1 : devices.mig.size());
}

/// When the node that serves a request is chosen.
enum class Balancing {
  per_request,     ///< for every request
  per_connection,  ///< once for every stream of a job and model, which keeps its connection
  per_sequence,    ///< for every sequence of a model that keeps state; of others, for every request
  central_queue,   ///< when an instance anywhere is free: the nodes share one queue a model
};

/// Where several servers hold a model, sequences have none of them to choose from: it keeps no state.
constexpr bool chooses_for_requests(Balancing balancing) {
  return balancing == Balancing::per_request || balancing == Balancing::per_sequence;
}

/// Devices that stand in the worker nodes: each stream of the site's jobs stays with one node, and its requests
/// reach the devices over that node's bus.
struct Attachment {
  Bandwidth bus{};    ///< of each node, each direction
  Seconds latency{};  ///< one way
};

/// What a node's host does with a request before it joins a queue: receiving, unpacking, copying. All requests that are
/// at it share its workers equally.
struct HostStage {
  Seconds per_request{};
  Seconds per_item{};
  double workers = 1.0;  ///< that work side by side, > 0
  double scatter = 0.0;  ///< coefficient of variation of a request's work (gamma) [1]
};

/// Where a price is from; empty texts: not said.
struct PriceOrigin {
  std::string date{};    ///< of the price, "2026-11-01" or "2026-11"
  std::string source{};  ///< who says so
};

/// A pool of equal nodes. A node has one queue a model, which the model's instances on all its devices draw from, or
/// one for each device: see DeviceDispatch.
struct Server {
  std::string name;
  std::string site;
  std::uint64_t nodes = 1;
  std::optional<Bandwidth> nic{};  ///< of each node, each direction; absent: no limit
  DevicePool devices{};
  std::optional<HostStage> host{};  ///< absent: handling requests costs nothing
  /// Workers of each node that share the host parts of batches, >= 1; absent: host parts overlap.
  std::optional<double> batch_workers{};
  std::vector<std::string> models{};
  Dispatch dispatch = Dispatch::round_robin;  ///< over the nodes of all servers that hold the model
  Balancing balancing = Balancing::per_request;
  std::optional<Attachment> attached{};    ///< absent: requests arrive over the network
  std::optional<UsdPerHour> host_price{};  ///< of each node without its devices
  PriceOrigin host_price_origin{};
  bool standby = false;                        ///< asked only by stages that name it
  std::optional<FailureLaw> failures{};        ///< of each node
  TimeDistribution start_up = ConstantTime{};  ///< of a node, before it loads its models
  std::optional<Autoscaler> autoscaler{};      ///< present: `nodes` is the most that it may bring
  std::optional<Sag> sag{};                    ///< absent: nodes are as fast, however much waits there
  std::optional<RateLimit> rate_limit{};       ///< absent: every request is let in
  std::optional<Admission> admission{};        ///< absent: every job is let in
  std::size_t place = 0;  ///< in the file's list, from 0: servers without nodes stand there, but in no scenario
};

/// How the device parts of several instances share a device.
enum class DeviceSharing {
  exclusive,          ///< one after the other, first come first served
  processor_sharing,  ///< all at once, each at an equal share of the speed
};

struct DeviceType {
  ResourceKind kind = ResourceKind::gpu;
  DeviceSharing sharing = DeviceSharing::exclusive;
  double contention = 0.0;  ///< longer by this share a device part takes while other instances use the device too [1]
  Seconds contention_per_batch{};  ///< longer by this time besides, all turns of a batch together
  std::optional<UsdPerHour> price{};
  std::optional<Watts> power{};
  PriceOrigin price_origin{};
  std::optional<Bytes> memory{};  ///< of one device; absent: enough
};

/// A site as a whole.
struct Site {
  std::optional<Bandwidth> uplink{};  ///< each direction, of all calls that enter or leave the site; absent: no limit
  std::optional<std::uint64_t> cores{};    ///< that the threads of its jobs have in all; absent: enough
  std::optional<UsdPerGigabyte> egress{};  ///< of data that calls take out of the site; absent: nothing
  PriceOrigin egress_origin{};
};

/// A link between two sites (or within one): each direction has its whole bandwidth.
struct Link {
  std::string site_a;
  std::string site_b;
  Bandwidth bandwidth;
  Seconds round_trip_time{};
  std::optional<Bandwidth> per_flow{};        ///< what one transfer can reach alone; absent: the whole link
  std::optional<Bandwidth> bandwidth_back{};  ///< from site_b to site_a; absent: as forth
  std::optional<SlowStart> tcp{};             ///< of the connections over it; absent: their windows never limit
  std::optional<FailureLaw> failures{};       ///< nothing passes it meanwhile; transfers under way stand still
};

/// The way that calls between two sites take, in both directions, instead of the one that would be found.
struct RouteRule {
  std::string site_a;
  std::string site_b;
  std::vector<std::string> via{};  ///< sites that are passed, from site_a to site_b
};

/// How the transfers of a run share the links.
enum class FlowModel {
  aggregated,  ///< max-min fair rates of classes of alike transfers
  simgrid,     ///< one by one, by SimGrid's network model CM02: slow, the reference for the other
};

struct RunControl {
  std::uint64_t seed = 42;
  double precision = 0.01;  ///< relative half-width asked of the mean event time
  double confidence = 0.95;
  std::uint64_t min_replications = 3;
  std::uint64_t max_replications = 32;
  std::optional<std::uint64_t> cycles{};  ///< length of a run's window, in event times, at least; see least_cycles
  Seconds window{};                       ///< length of a run's window, at least
  bool brief = false;                     ///< no window is longer than these two ask for, at the price of noise
  std::optional<Seconds> horizon{};  ///< a run is so long, and all of it counts; absent: what is steady is measured
  bool whole = false;                ///< a large farm is simulated as a whole, and not answered by a part of it
};

/// One `--set /json/pointer=value`. The value is JSON where it parses as JSON, else a string.
struct Override {
  std::string pointer;
  std::string value;
};

/// What is paid beside devices, hosts and traffic.
struct Costs {
  std::optional<UsdPerHour> core{};  ///< of one core of a job, busy or not
  PriceOrigin core_origin{};
  std::optional<Watts> core_power{};                ///< of one core of a job, busy or not
  std::optional<UsdPerKilowattHour> electricity{};  ///< of everything whose power is known; absent: in the rents
  PriceOrigin electricity_origin{};
};

/// Another way to do the same, as what it changes in the scenario; `saturn compare --alternatives` simulates it.
struct ScenarioAlternative {
  std::string name;
  std::vector<Override> set{};
};

struct Scenario {
  std::string title;
  std::vector<JobPool> jobs{};
  std::map<std::string, Model> models{};
  std::vector<Server> servers{};
  std::map<std::string, DeviceType> devices{};
  std::map<std::string, Site> sites{};  ///< those of which something is said
  std::vector<Link> links{};
  std::vector<RouteRule> routes{};
  std::optional<std::string> platform_file{};  ///< a SimGrid platform file in place of links and routes
  std::optional<PlatformNetwork> platform{};   ///< what it says; there if platform_file is
  FlowModel flows = FlowModel::aggregated;
  RunControl run;
  Costs costs{};
  std::vector<Outage> outages{};
  std::vector<ScenarioAlternative> alternatives{};
  std::optional<SweepText> sweep{};  ///< of the file; a point of a sweep has none
};

}  // namespace saturn
