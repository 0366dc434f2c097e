#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/triton/triton_syntax.hpp"

namespace saturn {

/// max_batch_size of a model that takes requests of any size, one at a time: Triton's 0.
inline constexpr std::uint64_t unlimited_batch = 1'000'000'000;

/// Adds to a scenario's model the keys that it lacks and a config.pbtxt gives; places point into that file. Keys of the
/// dynamic batcher are left out when the model's own "dynamic_batching" is false.
/// @param source  index of the file in Document::sources
/// @returns warnings about what the file asks for and the simulator does not do
///          (triton.not_simulated, triton.no_batching, triton.missing_field)
std::vector<SyntaxFault> fill_from_triton(Node& model, const TritonConfig& config, std::size_t source);

/// Instances that the groups make on each device, and whether devices differ.
struct TritonInstances {
  std::uint64_t count = 1;
  bool differ = false;     ///< groups bound to devices give some of them more; `count` is the most
  bool on_cpu = false;     ///< there are groups on the CPU alone; `count` is theirs
  bool cpu_extra = false;  ///< groups on the CPU beside others; they are not counted
};
TritonInstances instances_of(const std::vector<TritonInstanceGroup>& groups);

/// Steps of an ensemble in an order in which each finds its inputs.
struct TritonOrder {
  std::vector<std::size_t> steps;  ///< indices; incomplete when steps wait for each other
  bool is_chain = true;            ///< each step but the first needs the one before
};
TritonOrder order_of(const std::vector<TritonStep>& steps);

}  // namespace saturn
