#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/values/units.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

// How the items of a stage are divided into requests.

/// Requests for a number of items: all but the last carry request_batch items, the last the rest.
struct RequestSplit {
  std::uint64_t requests = 0;    ///< 0 for no items
  std::uint64_t last_items = 0;  ///< 1..request_batch; 0 for no items
};
/// @throws std::invalid_argument  empty requests
RequestSplit split_requests(std::uint64_t items, std::uint64_t request_batch);

/// Equal requests of a stage.
struct RequestGroup {
  double count = 0.0;       ///< expected number of them in an event, > 0
  std::uint64_t items = 0;  ///< that each carries
};
/// The requests of an event by their size, the largest size first, expected over the numbers of items that it may have.
std::vector<RequestGroup> request_groups(const InferStage& stage);

/// Expected number of requests of an event.
double mean_requests(const InferStage& stage);
/// Most requests that an event may send.
std::uint64_t most_requests(const InferStage& stage);
/// True when every request carries request_batch items.
bool sends_full_requests_only(const InferStage& stage);

/// One number of items that an event may need at a stage, and what its requests take when nobody else is there.
/// Serialisation is given for a job of speed 1.
struct StagePass {
  double weight = 0.0;                 ///< probability of that number [1]
  double requests_s = 0.0;             ///< latencies of all requests, one after the other [s]
  double serialisation_s = 0.0;        ///< of all requests [s]
  double first_request_s = 0.0;        ///< latency of the first, which is the largest [s]
  double first_serialisation_s = 0.0;  ///< of it [s]
  /// Of all requests that the stream itself sends: those of the whole stage, or of the first window where the stage
  /// is asynchronous [s].
  double loop_serialisation_s = 0.0;
  double loop_last_s = 0.0;  ///< latency of the last of those [s]
  double busiest_s = 0.0;    ///< least time that the resource with the largest demand works for them [s]
};

/// What one event's calls of one stage ask of the network and the devices, averaged over the numbers of items that an
/// event may have, and over the servers in proportion to their nodes: as when nobody waits, since then no balancer has
/// a reason to prefer one.
struct StageDemand {
  Seconds travel;            ///< round trips of all requests [s]
  Seconds bandwidth;         ///< transfers of all requests and answers, each alone on its route [s]
  Seconds device;            ///< input handling and T(b) of all requests, each executed alone [s]
  Seconds serialisation;     ///< on the job's own core, for a job of speed 1 [s]
  std::vector<double> work;  ///< (r) least time that one unit of each resource is occupied, in the best batches [s]
  std::vector<StagePass> passes;  ///< by numbers of items; one for their mean where the duration is in proportion to it
  double window = 1.0;            ///< requests in flight at most
  /// Where the load chooses among several servers: the passes with each request at the server that answers it soonest,
  /// which no expectation is below. Else empty.
  std::vector<StagePass> least_passes{};
  /// There too, by the size of the requests, then by server: the work at the resources if all of them go there.
  std::vector<std::vector<std::vector<ResourceWork>>> choices{};
};

/// True when which server a request goes to depends on the load: by fewest requests under way, or because a job keeps
/// its connection and sends more over a fast one. False where there is one server, or the shares are those of the
/// nodes.
bool load_chooses_server(const Scenario& scenario, const std::string& model);

/// The demand with each request at the server that answers it soonest.
StageDemand at_best_servers(StageDemand demand);

/// The stage's expected duration, nothing of other clients waiting [s]. Calls in flight together cannot take less than
/// their latencies and serialisations over the window, than the largest one alone, than all serialisations and the
/// latency that follows the last of them, or than the work of any resource over its units; the largest of these it is.
/// @param slowness  1 over the job's speed
double stage_duration_s(const StageDemand& demand, double slowness);

/// How long the stream itself is busy with the requests of an asynchronous stage before the event goes on [s].
double loop_serialisation_s(const StageDemand& demand, double slowness);

/// One request size at one device, for the judgement whether the device's queue has product form.
struct RequestService {
  std::size_t server = 0;  ///< index of the server
  double mean_s = 0.0;     ///< of T(b) [s]
  bool constant = false;   ///< T(b) never varies
  bool exponential = false;
};

/// Demand of a stage. @param site  of the jobs
/// @param pause  for so long at least the stream's connections are idle before the stage [s]: what their windows make
///               it wait is then certain. Where the load chooses the server, no wait is.
StageDemand stage_demand(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                         const InferStage& stage, Seconds pause = {});

/// The different services that a stage's requests get at each device that may serve them.
std::vector<RequestService> request_services(const Scenario& scenario, const RoutedResources& routed,
                                             const std::string& site, const InferStage& stage);

}  // namespace saturn
