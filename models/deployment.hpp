#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/dispatch.hpp"
#include "models/estimate.hpp"
#include "models/falsification.hpp"
#include "models/resource_kind.hpp"

/// A plan as something that can be put to work.
namespace saturn {

/// When a request's node is chosen, as far as it matters to a balancer of requests.
enum class DeployedBalancing { per_request, per_connection, central_queue };

/// What is predicted of one model on a server.
struct DeployedModel {
  std::string name{};
  double requests_per_s = 0.0;
  double queue_s = 0.0;    ///< mean wait of a request in the server [s]
  double compute_s = 0.0;  ///< mean time in an instance [s]
  bool ensemble = false;   ///< waits only in its steps
};

/// Equal replicas of a Triton server, each a node of the plan.
struct DeployedServer {
  std::string name{};          ///< of the scenario
  std::string site{};          ///< of the scenario
  std::string release{};       ///< a name that Kubernetes takes, unique among the servers
  std::uint64_t replicas = 1;  ///< that work
  std::uint64_t reserve = 0;   ///< more that may start
  std::uint64_t devices = 1;   ///< of each replica
  std::string device_type{};   ///< of the scenario
  ResourceKind kind = ResourceKind::gpu;
  bool sliced = false;  ///< devices are divided (NVIDIA's multi-instance GPU)
  Dispatch dispatch = Dispatch::round_robin;
  DeployedBalancing balancing = DeployedBalancing::per_request;
  std::vector<DeployedModel> models{};
};

/// A planned scenario with what was predicted of it.
struct Deployment {
  std::string title{};
  std::uint64_t jobs = 0;  ///< of all pools
  Estimate event_time_s{};
  Estimate events_per_s{};
  std::string command{};                  ///< that made the plan
  std::vector<DeployedServer> servers{};  ///< reached over the network
  std::vector<std::string> attached{};    ///< names of servers in the worker nodes, which no chart deploys
  std::optional<Falsification> falsification{};
};

}  // namespace saturn
