#pragma once

#include "scenarios/scenario.hpp"

namespace saturn {

/// True when a node of the one server does for a request what a node of the other does, over the same network.
bool alike(const Server& a, const Server& b);

/// True when all servers that hold the model are alike.
bool on_alike_servers(const Scenario& scenario, const std::string& model);

}  // namespace saturn
