#pragma once

#include "models/closed_network.hpp"
#include "scenarios/routes.hpp"
#include "scenarios/scenario.hpp"

namespace saturn {

/// Decides which resources mean value analysis may take as stations (Resource::in_product_form) and writes down, one
/// sentence each, why the network of a scenario is only approximately of product form.
/// @param network  of the scenario, with resources, classes and work filled in
/// Source: Baskett, Chandy, Muntz & Palacios, J. ACM 22 (1975) 248
void judge_product_form(const Scenario& scenario, const RoutedResources& routed, ClosedNetwork& network);

}  // namespace saturn
