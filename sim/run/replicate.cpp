#include "sim/run/replicate.hpp"

#include "sim/engine/run_size.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/run/replications.hpp"

namespace saturn {

std::vector<std::variant<Replicated, RunFailure>> replicate(std::span<const Scenario> scenarios,
                                                            const RunOptions& options) {
  return replicate_with({.run = simulate, .length = run_length_for, .size = run_size}, scenarios, options);
}

}  // namespace saturn
