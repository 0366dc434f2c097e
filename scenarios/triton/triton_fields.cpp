#include "scenarios/triton/triton_fields.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

/// A value that stands where another does.
Node value_at(const Node& there, NodeKind kind, std::string text) {
  Node node;
  node.kind = kind;
  node.text = std::move(text);
  node.place = node.key_place = there.place;
  return node;
}

void add(Node& object, const char* key, Node child) {
  if (object.find(key) != nullptr) return;
  child.key = key;
  object.children.push_back(std::move(child));
}

/// Empty where the field is absent.
std::string text_in(const Node& message, const char* field) {
  const Node* found = message.find(field);
  return found == nullptr ? "" : found->text;
}

/// Not Triton's 0 where a field may be absent.
bool is_given(const Node* number) {
  return number != nullptr && number->text != "0";
}

/// Adds a number that is given, as a quantity where it has a unit.
void add_given(Node& object, const char* key, const Node* number, const std::string& unit = "") {
  if (!is_given(number)) return;
  add(object, key, value_at(*number, unit.empty() ? NodeKind::number : NodeKind::text, number->text + unit));
}

SyntaxFault not_simulated(const Node& guilty, std::string text) {
  return {.offset = guilty.place.offset, .code = "triton.not_simulated", .text = std::move(text)};
}

Node policy_node(const Node& policy) {
  Node node = value_at(policy, NodeKind::object, "");
  add_given(node, "max_queue_size", policy.find("max_queue_size"));
  const Node* timeout = policy.find("default_timeout_microseconds");
  if (!is_given(timeout)) return node;
  add_given(node, "timeout", timeout, " us");
  add(node, "timeout_action", value_at(policy, NodeKind::text, delays(policy) ? "delay" : "reject"));
  return node;
}

void warn_of_order(const Node& batcher, std::vector<SyntaxFault>& warnings) {
  if (text_in(batcher, "preserve_ordering") == "true")
    warnings.push_back(
        not_simulated(*batcher.find("preserve_ordering"),
                      "\"preserve_ordering\" is not simulated: answers leave when their batch is done."));
}

void fill_batcher(Node& model, const Node& batching, std::vector<SyntaxFault>& warnings) {
  add(model, "dynamic_batching", value_at(batching, NodeKind::boolean, "true"));
  if (model.find("dynamic_batching")->text == "false") return;
  if (const Node* sizes = batching.find("preferred_batch_size")) add(model, "preferred_batch_size", *sizes);
  add_given(model, "max_queue_delay", batching.find("max_queue_delay_microseconds"), " us");
  add_given(model, "priority_levels", batching.find("priority_levels"));
  add_given(model, "default_priority_level", batching.find("default_priority_level"));
  if (const Node* policy = batching.find("default_queue_policy")) {
    Node ours = policy_node(*policy);
    if (!ours.children.empty()) add(model, "queue_policy", std::move(ours));
  }
  warn_of_order(batching, warnings);
  if (const Node* policies = batching.find("priority_queue_policy"))
    warnings.push_back(
        not_simulated(*policies, "\"priority_queue_policy\" is not simulated: every level has the default policy."));
}

/// An unset time of idleness is a second.
/// Source  triton-inference-server/common, protobuf/model_config.proto, ModelSequenceBatching
void fill_sequences(Node& model, const Node& sequences, std::vector<SyntaxFault>& warnings) {
  Node ours = value_at(sequences, NodeKind::object, "");
  const Node* oldest = sequences.find("oldest");
  add(ours, "strategy", value_at(sequences, NodeKind::text, oldest == nullptr ? "direct" : "oldest"));
  add_given(ours, "max_idle", sequences.find("max_sequence_idle_microseconds"), " us");
  if (oldest != nullptr) {
    add_given(ours, "candidates", oldest->find("max_candidate_sequences"));
    if (const Node* sizes = oldest->find("preferred_batch_size")) add(model, "preferred_batch_size", *sizes);
    add_given(model, "max_queue_delay", oldest->find("max_queue_delay_microseconds"), " us");
    warn_of_order(*oldest, warnings);
  }
  for (const char* repeating : {"iterative_sequence", "generative_sequence"})
    if (text_in(sequences, repeating) == "true")
      warnings.push_back(not_simulated(*sequences.find(repeating),
                                       in_quotes(repeating) + " is not simulated: every request is executed once."));
  const Node* direct = sequences.find("direct");
  if (direct != nullptr && is_given(direct->find("minimum_slot_utilization")))
    warnings.push_back(not_simulated(*direct->find("minimum_slot_utilization"),
                                     "\"minimum_slot_utilization\" is not simulated: no instance waits for more of its "
                                     "slots to be ready."));
  add(model, "sequence_batching", std::move(ours));
}

void fill_instances(Node& model, const std::vector<Node>& groups, std::vector<SyntaxFault>& warnings) {
  if (groups.empty()) return;
  const Node& first = groups.front();
  const TritonInstances instances = instances_of(groups);
  const auto odd = std::find_if(groups.begin(), groups.end(), [](const Node& group) {
    const Node* count = group.find("count");
    return count != nullptr && count->text.starts_with('-');
  });
  const Node* counted = first.find("count");
  add(model, "instances",
      odd != groups.end()
          ? *odd->find("count")
          : value_at(counted == nullptr ? first : *counted, NodeKind::number, std::to_string(instances.count)));
  if (instances.differ)
    warnings.push_back(not_simulated(first, "The instance groups give some devices more instances than others; " +
                                                std::to_string(instances.count) + " on every device are simulated."));
  if (instances.on_cpu)
    warnings.push_back(not_simulated(first,
                                     "The instances run on CPUs: place the model on devices of kind \"cpu\"; on "
                                     "others their number would be that on each device."));
  else if (instances.cpu_extra)
    warnings.push_back(not_simulated(first, "Instances on CPUs beside those on devices are not simulated."));
}

/// TensorRT's own backend; engines inside of ONNX Runtime or TensorFlow are issued by theirs.
/// Source  triton-inference-server/tensorrt_backend, README.md, "execution-policy"
void fill_execution(Node& model, const Node& config, std::vector<SyntaxFault>& warnings) {
  const bool tensorrt = text_in(config, "backend") == "tensorrt" || text_in(config, "platform") == "tensorrt_plan";
  // Each instance of a stateful model executes its own sequences.
  if (!tensorrt || model.find("execution") != nullptr || config.find("sequence_batching") != nullptr) return;
  const Node* named = config.find("backend") != nullptr ? config.find("backend") : config.find("platform");
  add(model, "execution", value_at(*named, NodeKind::text, "one_per_device"));
  const std::uint64_t instances = count_in(model.find("instances"));
  if (instances > 1)
    warnings.push_back(
        {.offset = named->place.offset,
         .code = "triton.one_per_device",
         .text = "TensorRT's backend issues the batches of all " + std::to_string(instances) +
                 " instances of a device from one thread, so that one is executed at a time (\"execution\": "
                 "\"one_per_device\"). For a server that was started with "
                 "--backend-config=tensorrt,execution-policy=BLOCKING write \"execution\": "
                 "\"per_instance\" in the scenario."});
}

void fill_ensemble(Node& model, const Node& ensemble, std::vector<SyntaxFault>& warnings) {
  const std::vector<Node>& steps = elements_of(ensemble.find("step"));
  if (steps.empty()) return;
  const TritonOrder order = order_of(steps);
  Node ours = value_at(ensemble, NodeKind::list, "");
  for (const std::size_t i : order.steps) {
    const Node* name = steps[i].find("model_name");
    ours.children.push_back(value_at(name == nullptr ? steps[i] : *name, NodeKind::text, model_of_step(steps[i])));
  }
  add(model, "ensemble", std::move(ours));
  if (order.steps.size() < steps.size())
    warnings.push_back(not_simulated(
        ensemble, "Steps of the ensemble wait for each other's outputs; those that can never run are left out."));
  else if (!order.is_chain)
    warnings.push_back(not_simulated(ensemble,
                                     "Some steps of the ensemble may run side by side in Triton; they are simulated "
                                     "one after the other."));
}

/// The ensemble's tensors that a step reads or writes. @param map  "input_map" or "output_map"
std::vector<std::string> tensors_of(const Node& step, const char* map) {
  std::vector<std::string> tensors;
  for (const Node& entry : elements_of(step.find(map))) tensors.push_back(text_in(entry, "value"));
  return tensors;
}

}  // namespace

std::uint64_t count_in(const Node* field) {
  return field == nullptr ? 0 : read_count(field->text).value_or(0);
}

const std::vector<Node>& elements_of(const Node* field) {
  static const std::vector<Node> none;
  return field == nullptr ? none : field->children;
}

bool delays(const Node& policy) {
  return text_in(policy, "timeout_action") == "DELAY";
}

bool is_on_cpu(const Node& group) {
  return text_in(group, "kind") == "KIND_CPU";
}

std::uint64_t instances_in(const Node& group) {
  return std::max<std::uint64_t>(1, count_in(group.find("count")));
}

TritonInstances instances_of(const std::vector<Node>& groups) {
  std::uint64_t on_all = 0;
  std::uint64_t on_cpu = 0;
  std::map<std::string, std::uint64_t> bound;
  bool any_unbound = false;
  for (const Node& group : groups) {
    const std::vector<Node>& gpus = elements_of(group.find("gpus"));
    if (is_on_cpu(group)) {
      on_cpu += instances_in(group);
    } else if (gpus.empty()) {
      any_unbound = true;
      on_all += instances_in(group);
    } else {
      for (const Node& gpu : gpus) bound[gpu.text] += instances_in(group);
    }
  }
  if (!any_unbound && bound.empty()) return {.count = std::max<std::uint64_t>(on_cpu, 1), .on_cpu = on_cpu > 0};
  std::uint64_t most = 0;
  std::uint64_t least = bound.empty() ? 0 : bound.begin()->second;
  for (const auto& [gpu, count] : bound) {
    most = std::max(most, count);
    least = std::min(least, count);
  }
  // Groups bound to some devices beside groups on all: what the others have is not known, so they count as different.
  return {.count = on_all + most,
          .differ = least != most || (any_unbound && !bound.empty()),
          .on_cpu = false,
          .cpu_extra = on_cpu > 0};
}

std::string model_of_step(const Node& step) {
  return text_in(step, "model_name");
}

TritonOrder order_of(const std::vector<Node>& steps) {
  std::map<std::string, std::size_t> writer;
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const std::string& tensor : tensors_of(steps[i], "output_map")) writer.emplace(tensor, i);
  std::vector<std::size_t> waits(steps.size(), 0);
  std::vector<std::vector<std::size_t>> readers(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const std::string& tensor : tensors_of(steps[i], "input_map"))
      if (const auto found = writer.find(tensor); found != writer.end()) {
        ++waits[i];
        readers[found->second].push_back(i);
      }

  TritonOrder order;
  // Of the steps that can run, the one that stands first in the file goes first.
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (waits[i] == 0) ready.insert(i);
  while (!ready.empty()) {
    const std::size_t next = ready.extract(ready.begin()).value();
    if (!writer.empty() && !order.steps.empty()) {
      const std::vector<std::size_t>& after = readers[order.steps.back()];
      if (std::find(after.begin(), after.end(), next) == after.end()) order.is_chain = false;
    }
    order.steps.push_back(next);
    for (const std::size_t reader : readers[next])
      if (--waits[reader] == 0) ready.insert(reader);
  }
  return order;
}

std::vector<SyntaxFault> fill_from_triton(Node& model, const Node& config) {
  std::vector<SyntaxFault> warnings;
  const Node* size = config.find("max_batch_size");
  const bool batches = is_given(size);
  const bool has_own_limit = model.find("max_batch_size") != nullptr;
  if (size == nullptr && !has_own_limit)
    warnings.push_back({.offset = 0,
                        .code = "triton.missing_field",
                        .text = "The configuration says no \"max_batch_size\", so Triton takes it from the model "
                                "file; here it counts as 0, a model that does not batch. Give it in the scenario."});
  add(model, "max_batch_size",
      batches ? *size : value_at(size == nullptr ? config : *size, NodeKind::number, std::to_string(unlimited_batch)));
  if (const Node* ensemble = config.find("ensemble_scheduling")) {
    fill_ensemble(model, *ensemble, warnings);
    return warnings;
  }
  if (model.find("ensemble") != nullptr) return warnings;
  fill_instances(model, elements_of(config.find("instance_group")), warnings);
  fill_execution(model, config, warnings);
  if (const Node* sequences = config.find("sequence_batching"))
    if (model.find("dynamic_batching") == nullptr && model.find("sequence_batching") == nullptr)
      fill_sequences(model, *sequences, warnings);
  const Node* batching = config.find("dynamic_batching");
  if (batching != nullptr && !batches && !has_own_limit)
    warnings.push_back({.offset = batching->place.offset,
                        .code = "triton.no_batching",
                        .text = "\"dynamic_batching\" has no effect, since \"max_batch_size\" is 0."});
  else if (batching != nullptr)
    fill_batcher(model, *batching, warnings);
  return warnings;
}

}  // namespace saturn
