#include "sim/formula/system.hpp"

#include <limits>
#include <utility>

#include "scenarios/demands/demands.hpp"

namespace saturn {

System::System(Scenario from)
    : scenario(std::move(from)), network(closed_network(scenario)), bounds(asymptotic_bounds(network)) {}

double System::knee_streams() const {
  return bounds.knees.empty() ? std::numeric_limits<double>::infinity() : bounds.knees.front().clients;
}

}  // namespace saturn
