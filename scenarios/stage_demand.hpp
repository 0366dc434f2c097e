#pragma once

#include <cstddef>
#include <vector>

#include "models/units.hpp"
#include "scenarios/routes.hpp"

namespace saturn {

/// What one event's calls of one stage ask of the network and the devices, averaged over the servers in proportion to
/// their nodes.
struct StageDemand {
  Seconds travel;            ///< round trips of all requests [s]
  Seconds bandwidth;         ///< transfers of all requests and answers, each alone on its route [s]
  Seconds device;            ///< input handling and T(b) of all requests, each executed alone [s]
  Seconds largest_request;   ///< latency of one request of full size, nothing waiting [s]
  std::vector<double> work;  ///< (r) least time that one unit of each resource is occupied, in the best batches [s]
  Seconds ideal;             ///< the stage's duration, nothing of other clients waiting [s]
};

/// One request size at one device, for the judgement whether the device's queue has product form.
struct RequestService {
  std::size_t server = 0;  ///< index of the server
  double mean_s = 0.0;     ///< of T(b) [s]
  bool constant = false;   ///< T(b) never varies
  bool exponential = false;
};

/// Demand of a stage. Calls in flight together cannot take less than their latencies over the window, than one
/// latency, or than the work of any resource over its units; the largest of these is the ideal duration.
/// @param site  of the jobs
StageDemand stage_demand(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                         const InferStage& stage);

/// The different services that a stage's requests get at each device that may serve them.
std::vector<RequestService> request_services(const Scenario& scenario, const RoutedResources& routed,
                                             const std::string& site, const InferStage& stage);

}  // namespace saturn
