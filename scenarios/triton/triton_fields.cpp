#include "scenarios/triton/triton_fields.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace saturn {

namespace {

/// Builds nodes that stand at places of the file.
class NodesAt {
 public:
  explicit NodesAt(std::size_t source) : source_(source) {}

  Node value(NodeKind kind, std::string text, TextSpan span) const {
    Node node;
    node.kind = kind;
    node.text = std::move(text);
    node.place = node.key_place = {source_, span.begin};
    return node;
  }
  Node number(const TritonNumber& number) const { return value(NodeKind::number, digits(number), number.span); }
  Node microseconds(const TritonNumber& number) const {
    return value(NodeKind::text, digits(number) + " us", number.span);
  }
  static void add(Node& object, const char* key, Node child) {
    if (object.find(key) != nullptr) return;
    child.key = key;
    object.children.push_back(std::move(child));
  }

 private:
  static std::string digits(const TritonNumber& number) {
    return (number.negative ? "-" : "") + std::to_string(number.value);
  }

  std::size_t source_;
};

bool is_given(const std::optional<TritonNumber>& number) {
  return number && number->value != 0;
}

SyntaxFault warning(TextSpan span, const char* code, std::string text) {
  return {.offset = span.begin, .pointer = "", .code = code, .text = std::move(text)};
}

Node policy_node(const TritonQueuePolicy& policy, const NodesAt& at) {
  Node node = at.value(NodeKind::object, "", policy.span);
  if (is_given(policy.max_queue_size)) NodesAt::add(node, "max_queue_size", at.number(*policy.max_queue_size));
  if (!is_given(policy.timeout_us)) return node;
  NodesAt::add(node, "timeout", at.microseconds(*policy.timeout_us));
  NodesAt::add(node, "timeout_action", at.value(NodeKind::text, policy.delays ? "delay" : "reject", policy.span));
  return node;
}

void fill_batcher(Node& model, const TritonDynamicBatching& batching, const NodesAt& at,
                  std::vector<SyntaxFault>& warnings) {
  NodesAt::add(model, "dynamic_batching", at.value(NodeKind::boolean, "true", batching.span));
  if (model.find("dynamic_batching")->text == "false") return;
  if (!batching.preferred.empty()) {
    Node sizes = at.value(NodeKind::list, "", batching.preferred.front().span);
    for (const TritonNumber& size : batching.preferred) sizes.children.push_back(at.number(size));
    NodesAt::add(model, "preferred_batch_size", std::move(sizes));
  }
  if (is_given(batching.queue_delay_us))
    NodesAt::add(model, "max_queue_delay", at.microseconds(*batching.queue_delay_us));
  if (is_given(batching.priority_levels)) NodesAt::add(model, "priority_levels", at.number(*batching.priority_levels));
  if (is_given(batching.default_priority_level))
    NodesAt::add(model, "default_priority_level", at.number(*batching.default_priority_level));
  if (batching.queue_policy &&
      (is_given(batching.queue_policy->timeout_us) || is_given(batching.queue_policy->max_queue_size)))
    NodesAt::add(model, "queue_policy", policy_node(*batching.queue_policy, at));
  if (batching.preserve_ordering)
    warnings.push_back(warning(*batching.preserve_ordering, "triton.not_simulated",
                               "\"preserve_ordering\" is not simulated: answers leave when their batch is done."));
  if (batching.priority_queue_policy)
    warnings.push_back(warning(*batching.priority_queue_policy, "triton.not_simulated",
                               "\"priority_queue_policy\" is not simulated: every level has the default policy."));
}

void fill_instances(Node& model, const std::vector<TritonInstanceGroup>& groups, const NodesAt& at,
                    std::vector<SyntaxFault>& warnings) {
  if (groups.empty()) return;
  const TritonInstances instances = instances_of(groups);
  const TextSpan span = groups.front().span;
  const auto odd = std::find_if(groups.begin(), groups.end(),
                                [](const TritonInstanceGroup& group) { return group.count && group.count->negative; });
  NodesAt::add(model, "instances",
               odd != groups.end() ? at.number(*odd->count)
                                   : at.value(NodeKind::number, std::to_string(instances.count),
                                              groups.front().count ? groups.front().count->span : span));
  if (instances.differ)
    warnings.push_back(warning(span, "triton.not_simulated",
                               "The instance groups give some devices more instances than others; " +
                                   std::to_string(instances.count) + " on every device are simulated."));
  if (instances.cpu_extra || instances.on_cpu)
    warnings.push_back(
        warning(span, "triton.not_simulated",
                instances.on_cpu
                    ? "The instances run on CPUs: place the model on devices of kind \"cpu\"; on others their number "
                      "would be that on each device."
                    : "Instances on CPUs beside those on devices are not simulated."));
}

void fill_ensemble(Node& model, const TritonConfig& config, const NodesAt& at, std::vector<SyntaxFault>& warnings) {
  const TritonOrder order = order_of(config.steps);
  Node steps = at.value(NodeKind::list, "", *config.ensemble);
  for (const std::size_t i : order.steps)
    steps.children.push_back(at.value(NodeKind::text, config.steps[i].model, config.steps[i].span));
  NodesAt::add(model, "ensemble", std::move(steps));
  if (order.steps.size() < config.steps.size())
    warnings.push_back(warning(*config.ensemble, "triton.not_simulated",
                               "Steps of the ensemble wait for each other's outputs; those that can never run are left "
                               "out."));
  else if (!order.is_chain)
    warnings.push_back(
        warning(*config.ensemble, "triton.not_simulated",
                "Some steps of the ensemble may run side by side in Triton; they are simulated one after "
                "the other."));
}

}  // namespace

TritonInstances instances_of(const std::vector<TritonInstanceGroup>& groups) {
  // An unset count is 1, and so is one of 0.
  const auto count_of = [](const TritonInstanceGroup& group) -> std::uint64_t {
    return is_given(group.count) && !group.count->negative ? group.count->value : 1;
  };
  std::uint64_t on_all = 0;
  std::uint64_t on_cpu = 0;
  std::map<std::int32_t, std::uint64_t> bound;
  bool any_unbound = false;
  for (const TritonInstanceGroup& group : groups) {
    if (group.kind == TritonKind::cpu) {
      on_cpu += count_of(group);
    } else if (group.gpus.empty()) {
      any_unbound = true;
      on_all += count_of(group);
    } else {
      for (const std::int32_t gpu : group.gpus) bound[gpu] += count_of(group);
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

TritonOrder order_of(const std::vector<TritonStep>& steps) {
  std::map<std::string, std::size_t> writer;
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const std::string& tensor : steps[i].writes) writer.emplace(tensor, i);
  const bool maps_known = !writer.empty();
  const auto needs = [&](std::size_t later, std::size_t earlier) {
    return std::any_of(steps[later].reads.begin(), steps[later].reads.end(), [&](const std::string& tensor) {
      const auto found = writer.find(tensor);
      return found != writer.end() && found->second == earlier;
    });
  };

  TritonOrder order;
  std::vector<std::size_t> waits(steps.size(), 0);
  std::vector<std::vector<std::size_t>> readers(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const std::string& tensor : steps[i].reads)
      if (const auto found = writer.find(tensor); found != writer.end()) {
        ++waits[i];
        readers[found->second].push_back(i);
      }
  // Of the steps that can run, the one that stands first in the file goes first.
  std::map<std::size_t, bool> ready;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (waits[i] == 0) ready.emplace(i, true);
  while (!ready.empty()) {
    const std::size_t next = ready.begin()->first;
    ready.erase(ready.begin());
    if (maps_known && !order.steps.empty() && !needs(next, order.steps.back())) order.is_chain = false;
    order.steps.push_back(next);
    for (const std::size_t reader : readers[next])
      if (--waits[reader] == 0) ready.emplace(reader, true);
  }
  return order;
}

std::vector<SyntaxFault> fill_from_triton(Node& model, const TritonConfig& config, std::size_t source) {
  std::vector<SyntaxFault> warnings;
  const NodesAt at(source);
  const TextSpan start{0, 0};
  const TextSpan size_at = config.max_batch_size ? config.max_batch_size->span : start;
  const bool batches = is_given(config.max_batch_size);
  if (!config.max_batch_size && model.find("max_batch_size") == nullptr)
    warnings.push_back(warning(start, "triton.missing_field",
                               "The configuration says no \"max_batch_size\", so Triton takes it from the model file; "
                               "here it counts as 0, a model that does not batch. Give it in the scenario."));
  NodesAt::add(model, "max_batch_size",
               batches ? at.number(*config.max_batch_size)
                       : at.value(NodeKind::number, std::to_string(unlimited_batch), size_at));
  if (config.ensemble) {
    if (!config.steps.empty()) fill_ensemble(model, config, at, warnings);
    return warnings;
  }
  if (model.find("ensemble") != nullptr) return warnings;
  fill_instances(model, config.instance_groups, at, warnings);
  if (config.sequence_batching)
    warnings.push_back(warning(*config.sequence_batching, "triton.not_simulated",
                               "\"sequence_batching\" is not simulated: requests are served one by one, each by any "
                               "instance."));
  const Node* limit = model.find("max_batch_size");
  const bool never_batches = limit->place.source == source && !batches;
  if (config.dynamic_batching && never_batches)
    warnings.push_back(warning(config.dynamic_batching->span, "triton.no_batching",
                               "\"dynamic_batching\" has no effect, since \"max_batch_size\" is 0."));
  else if (config.dynamic_batching)
    fill_batcher(model, *config.dynamic_batching, at, warnings);
  return warnings;
}

}  // namespace saturn
