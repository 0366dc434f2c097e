#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/common_options.hpp"
#include "sim/plan/alternatives.hpp"

namespace saturn {

/// What `saturn compare` was asked.
struct CompareOptions {
  ScenarioOptions scenario;  ///< A, with what is changed in both
  std::string other;         ///< B; empty: A with the changes of set_b
  std::vector<std::string> set_a;
  std::vector<std::string> set_b;
  std::optional<std::string> least_difference;
  std::optional<std::string> budget;
  MachineOptions machine;
  OutputOptions output;
  bool alternatives = false;  ///< in place of a second scenario
  std::uint64_t node_cores = AlternativeDefaults{}.node_cores;
  std::optional<std::string> core_price;
};

/// CPU only, devices in the worker nodes, a service on site, the service of the scenario; or its own alternatives.
/// @throws InputError, RunFailed
ExitCode compare_with_alternatives(const CompareOptions& options);

/// Two scenarios with the same random numbers, until one is better or nobody would care.
/// @throws InputError, RunFailed
ExitCode compare_two_scenarios(const CompareOptions& options);

}  // namespace saturn
