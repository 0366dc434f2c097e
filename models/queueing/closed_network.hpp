#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/values/matrix.hpp"
#include "models/values/units.hpp"

namespace saturn {

/// What kind of hardware a resource is; names the resource's kind in every output.
enum class ResourceKind { gpu, fpga, ipu, cpu, host, instances, sequence_slots, link, uplink, network_card, bus };

/// The kind as outputs print it: "gpu", "fpga", "ipu", "cpu", "host", "instances", "sequence slots", "link", "uplink",
/// "network card", "bus".
const char* name_of(ResourceKind kind);

/// True of what executes batches.
inline bool is_device(ResourceKind kind) {
  return kind == ResourceKind::gpu || kind == ResourceKind::fpga || kind == ResourceKind::ipu ||
         kind == ResourceKind::cpu;
}

/// A station that jobs contend for.
struct Resource {
  std::string name;  ///< unique in the network, e.g. "gke/t4", "fnal-iowa send"
  ResourceKind kind;
  /// Parallel units c [1], >= 1: devices of a pool, or link bandwidth over the cap of one flow (then not a whole
  /// number). One request, or one flow, uses one unit; n of them are served at the rate of min(n, c) units.
  double units = 1.0;
  /// False when another resource is the station for the same flows (a flow holds its link and its network card at
  /// once, not one after the other): mean value analysis then leaves this one out, the bounds still count it.
  bool in_product_form = true;
  /// True when every client brings its share of the units, as jobs do their cores: more clients bring more of them.
  bool grows_with_clients = false;
};

/// Jobs of one kind in a closed network: each of `clients` runs one event after the other, for ever. Where events
/// arrive from outside, the clients are the streams that serve them, and what the network says of them holds while
/// none of them is ever idle.
struct JobClass {
  std::string name;
  double clients = 0.0;      ///< N [1], streams (jobs times threads)
  Seconds ideal_event_time;  ///< t_ideal: the event time with no waiting [s]
  /// Z: the part of t_ideal and set-up that no station of mean value analysis serves (CPU stages, round trips), the two
  /// less the work at the resources in product form; 0 when calls in flight together leave nothing [s].
  Seconds think_time;
  /// Time per event that a client spends between events: its share of the set-up of jobs that end [s]. No part of the
  /// event time; a client's cycle is the two together.
  Seconds set_up{};
  /// What an event takes at least, each of its calls at the server that answers soonest; absent: t_ideal. t_ideal is
  /// the mean over unlike servers, which a balancer that looks at the load may beat.
  std::optional<Seconds> least_event_time{};
  std::optional<Rate> arrivals{};  ///< long-run rate of the events that arrive from outside; absent: a closed class
};

/// The event time that no expectation is below [s].
inline Seconds least_event_time(const JobClass& job_class) {
  return job_class.least_event_time.value_or(job_class.ideal_event_time);
}

/// Work at a resource.
struct ResourceWork {
  std::size_t resource = 0;
  double work_s = 0.0;
};

/// Equal calls of a job class of which the load chooses the server.
struct FreeCalls {
  std::size_t job_class = 0;
  /// By server: the work of one event if all of them go there.
  std::vector<std::vector<ResourceWork>> servers;
};

/// The closed queueing network behind a scenario, as the formulas see it.
struct ClosedNetwork {
  std::vector<Resource> resources;  ///< (r)
  std::vector<JobClass> classes;    ///< (j)
  /// Work [s], shape (j, r): time that one event of class j occupies one unit of resource r, summed over its visits.
  /// The demand of model.md is D = work / units: busy time over the resource's parallel units. Free calls are in it
  /// with the shares that keep the busiest resource least busy for the unhindered mix of classes
  /// (models/queueing/best_split.hpp).
  Matrix work;
  std::vector<FreeCalls> free_calls{};
  Matrix fixed_work{};  ///< the part of the work that no free call asks, shape (j, r); empty without free calls
  /// Why mean value analysis is only an approximation of this network; empty when the network has product form for
  /// exponential service (one class, blocking calls, no two links crossed at once).
  std::vector<std::string> product_form_violations;
};

/// Demand D_r = work / units [s], shape (j, r).
Matrix demands(const ClosedNetwork& network);
/// The same of such a part of the work.
Matrix demands(const ClosedNetwork& network, Matrix work);

}  // namespace saturn
