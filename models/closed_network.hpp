#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

#include "models/units.hpp"

namespace saturn {

/// What kind of hardware a resource is; names the resource's kind in every output.
enum class ResourceKind { gpu, fpga, ipu, cpu, host, instances, link, uplink, network_card, bus };

/// The kind as outputs print it: "gpu", "fpga", "ipu", "cpu", "host", "instances", "link", "uplink",
/// "network card", "bus".
const char* name_of(ResourceKind kind);

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
};

/// Jobs of one kind in a closed network: each of `clients` runs one event after the other, for ever.
struct JobClass {
  std::string name;
  double clients = 0.0;      ///< N [1], event loops (jobs times threads)
  Seconds ideal_event_time;  ///< t_ideal: the event time with no waiting [s]
  /// Z: the part of t_ideal that no station of mean value analysis serves (CPU stages, round trips), t_ideal less the
  /// work at the resources in product form; 0 when calls in flight together leave nothing [s].
  Seconds think_time;
};

/// The closed queueing network behind a scenario, as the formulas see it.
struct ClosedNetwork {
  std::vector<Resource> resources;  ///< (r)
  std::vector<JobClass> classes;    ///< (j)
  /// Work [s], shape (j, r): time that one event of class j occupies one unit of resource r, summed over its visits.
  /// The demand of model.md is D = work / units: busy time over the resource's parallel units.
  Eigen::MatrixXd work;
  /// Why mean value analysis is only an approximation of this network; empty when the network has product form for
  /// exponential service (one class, blocking calls, no two links crossed at once).
  std::vector<std::string> product_form_violations;
};

/// Demand D_r = work / units [s], shape (j, r).
Eigen::MatrixXd demands(const ClosedNetwork& network);

}  // namespace saturn
