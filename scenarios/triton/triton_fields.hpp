#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/triton/triton_syntax.hpp"

namespace saturn {

/// Adds to a scenario's model the keys that it lacks and a config.pbtxt gives; places point into that file. Keys of the
/// dynamic batcher are left out when the model's own "dynamic_batching" is false, those of the sequence batcher when it
/// has that key at all.
/// @param config  ParsedTriton::config; one of no kind where the file is refused
/// @returns warnings about what the file asks for and the simulator does not do
///          (triton.not_simulated, triton.no_batching, triton.missing_field)
std::vector<SyntaxFault> fill_from_triton(Node& model, const Node& config);

/// The number that a field holds; 0 where it is absent or negative.
std::uint64_t count_in(const Node* field);

/// Elements of a repeated field; none where it is absent.
const std::vector<Node>& elements_of(const Node* field);

/// Whether requests of a queue policy are delayed, not rejected, when their time is over.
bool delays(const Node& policy);

/// Instances that the groups make on each device, and whether devices differ.
struct TritonInstances {
  std::uint64_t count = 1;
  bool differ = false;     ///< groups bound to devices give some of them more; `count` is the most
  bool on_cpu = false;     ///< there are groups on the CPU alone; `count` is theirs
  bool cpu_extra = false;  ///< groups on the CPU beside others; they are not counted
};
/// Whether a group stands on the CPU alone.
bool is_on_cpu(const Node& group);
/// Instances of a group on each of its devices: an unset count is 1, and so is one of 0.
std::uint64_t instances_in(const Node& group);
TritonInstances instances_of(const std::vector<Node>& groups);

/// The model that a step of an ensemble calls.
std::string model_of_step(const Node& step);

/// Steps of an ensemble in an order in which each finds its inputs.
struct TritonOrder {
  std::vector<std::size_t> steps;  ///< indices; incomplete when steps wait for each other
  bool is_chain = true;            ///< each step but the first needs the one before
};
TritonOrder order_of(const std::vector<Node>& steps);

}  // namespace saturn
