#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "sim/plan/comparison/alternatives.hpp"

/// "A GPU in each worker node", as changes of a scenario.

namespace saturn {

/// Sites of the jobs, each once, in the order of the pools.
std::vector<std::string> sites_of_jobs(const Scenario& scenario);

/// One device in each worker node, which serves the jobs of that node: those of one site by the first server, moved
/// there; of several by servers and models of each site's own, of the type that its servers have, else that all have.
/// @param resolved  of the scenario, from which servers and models are copied
Alternative device_in_each_worker_node(const Scenario& scenario, const std::string& resolved,
                                       const AlternativeDefaults& defaults);

}  // namespace saturn
