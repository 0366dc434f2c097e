#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace saturn {

// What the planner panel computes with where there are several pools, servers or sites, or calls that other work of
// their event goes on beside: the network of the scenario, with what its sliders move.

/// The data of a stage in one direction, which take bytes over the least of what limits a flow of them.
struct PlannerTransfer {
  double bytes = 0.0;
  double cap_bytes_per_s = 0.0;          ///< of all that no slider moves; infinite: nothing [byte/s]
  std::vector<std::size_t> resources{};  ///< indices into PlannerNetwork::resources: those with a bandwidth on its way
};

/// A stage of an event: fixed_s + round_trips·Σ RTT of the links on its way + its transfers.
struct PlannerStage {
  double fixed_s = 0.0;              ///< of it, no link's round trip and no transfer in it [s]
  double round_trips = 0.0;          ///< one after the other
  std::vector<std::size_t> links{};  ///< indices into PlannerNetwork::links
  std::vector<PlannerTransfer> transfers{};
  bool asynchronous = false;         ///< the event goes on after sending_s
  double sending_s = 0.0;            ///< of an asynchronous stage, which holds its event [s]
  std::vector<std::size_t> needs{};  ///< earlier stages of the event that it waits for
};

/// A pool of jobs.
struct PlannerPool {
  std::string name{};
  double streams = 0.0;
  std::vector<PlannerStage> stages{};  ///< of an event, in their order
  double traffic_usd_per_event = 0.0;
  std::vector<double> demands_s{};  ///< (resources) D_r per event at the present values [s]
};

/// A server, as something of which there can be more: GPUs in its one node, or nodes.
struct PlannerServer {
  std::string name{};
  std::string site{};
  std::string counted{};  ///< what is counted: "GPUs", "nodes of 4 GPUs"
  double count = 1.0;
  double devices_each = 1.0;
  std::optional<double> device_usd_per_hour{};
  double node_usd_per_hour = 0.0;  ///< of each that is counted, beside its devices; 0 where devices are counted
};

/// A link, of which the distance moves.
struct PlannerLink {
  std::string name{};  ///< "fnal to iowa"
  double round_trip_s = 0.0;
};

/// A resource, and what has more of it when there is more of a server, or of its own bandwidth.
struct PlannerShared {
  std::string name{};
  std::optional<std::size_t> server{};            ///< index into PlannerNetwork::servers; absent: nothing
  std::optional<double> bandwidth_bytes_per_s{};  ///< of links and uplinks, one direction; absent: it does not move
};

/// See models/queueing/closed_formulas.hpp for the bounds that follow.
struct PlannerNetwork {
  std::vector<PlannerPool> pools{};
  std::vector<PlannerServer> servers{};
  std::vector<PlannerLink> links{};
  std::vector<PlannerShared> resources{};
};

}  // namespace saturn
