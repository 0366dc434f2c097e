#pragma once

#include <span>

#include "scenarios/complaint_list.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

/// Puts the values of `--set` options into a document, in their order; complaints then blame the option by name.
/// A key that an object lacks is added (whether it may have it is for the decoder to say), "-" adds to a list, an
/// optional object of the scenario is made when it is missing, and null takes a key away.
void apply_overrides(Document& document, std::span<const Override> overrides, ComplaintList& complaints);

}  // namespace saturn
