#pragma once

#include <string>

#include "scenarios/scenario.hpp"

/// What clients do about calls that come late or fail, as a configuration of CMSSW.
/// Source  cms-sw/cmssw, HeterogeneousCore: SonicCore/src/SonicClientBase.cc @ 061177c,
/// SonicTriton/src/TritonService.cc
///         @ 014842b

namespace saturn {

inline constexpr const char* client_file_name = "client.py";

/// Whether a stage says anything of its calls that is not the default.
bool has_client_rules(const Scenario& scenario);

/// client.py: a function for each pool of jobs, for cmsDriver's --customise; comments say what CMSSW does otherwise
/// than was planned.
std::string client_configuration(const Scenario& scenario);

}  // namespace saturn
