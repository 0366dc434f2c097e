#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/engine/living/autoscaling.hpp"
#include "sim/engine/living/fleet.hpp"
#include "sim/engine/living/tried_calls.hpp"

namespace saturn {

/// What a run has beside clients, network and servers where something can happen to calls or nodes; all empty
/// elsewhere.
struct LivingParts {
  std::vector<std::unique_ptr<TriedCalls>> tries{};  ///< of each stage with calls
  std::unique_ptr<Fleet> fleet{};                    ///< null: nothing breaks, comes or goes
  std::vector<std::unique_ptr<Autoscaling>> autoscalers{};

  /// Nothing of it will happen by itself.
  bool idle() const {
    return fleet == nullptr && std::all_of(tries.begin(), tries.end(), [](const auto& one) { return one->idle(); });
  }
};

}  // namespace saturn
