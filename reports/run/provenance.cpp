#include "reports/run/provenance.hpp"

#include <utility>

#include "models/values/sha256.hpp"

namespace saturn {

Provenance provenance_of(std::string_view resolved_scenario, std::uint64_t seed, std::string command) {
  return {.version = SATURN_VERSION,
          .simgrid = SATURN_SIMGRID_VERSION,
          .git = SATURN_GIT,
          .seed = seed,
          .scenario_sha256 = resolved_scenario.empty() ? "" : sha256_hex(resolved_scenario),
          .command = std::move(command),
          .fitted = {}};
}

}  // namespace saturn
