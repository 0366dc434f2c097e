#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace saturn {

/// A fitted parameter file that a result rests on.
struct FittedSource {
  std::string path{};
  std::string sha256{};             ///< of its bytes
  std::vector<std::string> fits{};  ///< names of those that were used
};

/// Where a result comes from: enough to make it again.
struct Provenance {
  std::string version;  ///< of this program
  std::string simgrid;  ///< version of SimGrid it was built with
  std::string git;      ///< commit it was built from; "unknown" outside a checkout
  std::uint64_t seed = 0;
  std::string scenario_sha256;  ///< of the scenario as it was decoded, overrides applied
  std::string command;          ///< gives the same result again
  std::vector<FittedSource> fitted{};
  bool fits_taken_as_exact = false;  ///< their uncertainty was not drawn
};

/// The provenance of a result of this program.
/// @param resolved_scenario  the scenario's document with overrides applied; empty when there is none
Provenance provenance_of(std::string_view resolved_scenario, std::uint64_t seed, std::string command);

}  // namespace saturn
