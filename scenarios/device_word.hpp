#pragma once

#include <string>

#include "scenarios/scenario.hpp"

namespace saturn {

/// What one device of the scenario's servers is called: "GPU", "FPGA", "IPU", "CPU"; "device" where they are of several
/// kinds.
std::string device_word_of(const Scenario& scenario);

}  // namespace saturn
