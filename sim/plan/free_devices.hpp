#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/candidate_space.hpp"
#include "sim/plan/option_complaints.hpp"

/// What `--gpus` and `--node-sizes` say, and when more devices never make anything slower.
namespace saturn {

/// A variable whose values are the numbers of devices of a server, in nodes of every given size; 0 where none of the
/// type may be bought.
struct FreeDevices {
  std::string option{};  ///< "--gpus gke=1:32"
  FreeVariable variable{};
  std::size_t server = 0;  ///< its place
};

/// Complains (gpus.no_server, gpus.which_server, gpus.unknown_server, gpus.bad_range, gpus.bad_node_sizes,
/// gpus.no_nodes, gpus.node_sizes_alone).
std::vector<FreeDevices> free_devices(std::span<const std::string> gpus, std::span<const std::string> node_sizes,
                                      const Scenario& scenario, OptionComplaints& complaints);

/// True where one more device in each node of the server never makes an event slower: every start of a batch then comes
/// no later. That does not hold where batches are held back to fill (an instance that is free earlier takes fewer
/// items), where devices are in each other's way, and where waiting requests are rejected.
/// @param place  of the server, which is there
bool more_devices_never_slow(const Scenario& scenario, std::size_t place);

/// The same of one more node: only where all nodes share one queue. Others spread requests differently over more nodes,
/// and some of them may get more of the long ones.
bool more_nodes_never_slow(const Scenario& scenario, std::size_t place);

}  // namespace saturn
