#include "scenarios/triton/triton_config_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/triton/triton_fields.hpp"

namespace saturn {

namespace {

/// Replacements of parts of a text, all in terms of the text as it was.
class Edits {
 public:
  void replace(TextSpan span, std::string text) { edits_.push_back({span, std::move(text)}); }
  void insert(std::size_t offset, std::string text) { replace({offset, offset}, std::move(text)); }

  std::string apply(const std::string& text) {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.span.begin < b.span.begin; });
    std::string changed;
    std::size_t done = 0;
    for (const Edit& edit : edits_) {
      if (edit.span.begin < done) continue;  // values written as one list stand at one place
      changed += text.substr(done, edit.span.begin - done) + edit.text;
      done = edit.span.end;
    }
    return changed + text.substr(done);
  }

 private:
  struct Edit {
    TextSpan span;
    std::string text;
  };
  std::vector<Edit> edits_;
};

std::uint64_t microseconds(Seconds time) {
  return static_cast<std::uint64_t>(std::llround(time.value * 1e6));
}

/// Triton counts in microseconds; a shorter delay is still one, and 0 would be none.
std::uint64_t queue_delay_us(const Model& model) {
  return model.max_queue_delay > Seconds{0.0} ? std::max<std::uint64_t>(1, microseconds(model.max_queue_delay)) : 0;
}

std::string line(const char* field, std::uint64_t value) {
  return "  " + std::string(field) + ": " + std::to_string(value) + "\n";
}

std::string sizes_text(const std::vector<std::uint64_t>& sizes) {
  const auto number = [](std::uint64_t size) { return std::to_string(size); };
  return "  preferred_batch_size: [ " + joined(texts_of(sizes, number)) + " ]\n";
}

bool has_policy(const QueuePolicy& policy) {
  return policy.max_queue_size || policy.timeout;
}

std::string policy_text(const QueuePolicy& policy) {
  std::string text = "  default_queue_policy {\n";
  if (policy.timeout) {
    text += std::string("    timeout_action: ") + (policy.timeout_action == TimeoutAction::delay ? "DELAY" : "REJECT") +
            "\n";
    text += "  " + line("default_timeout_microseconds", std::max<std::uint64_t>(1, microseconds(*policy.timeout)));
  }
  if (policy.max_queue_size) text += "  " + line("max_queue_size", *policy.max_queue_size);
  return text + "  }\n";
}

/// Triton's 0 where a field may be absent.
std::uint64_t value_of(const std::optional<TritonNumber>& number) {
  return number ? number->value : 0;
}

std::uint64_t levels_of(const Model& model) {
  return model.priority_levels > 1 ? model.priority_levels : 0;
}
/// The simulator's default is the last level; Triton has none and wants it named.
std::uint64_t default_level_of(const Model& model) {
  return model.priority_levels > 1 ? model.default_priority_level.value_or(model.priority_levels) : 0;
}

std::string batcher_text(const Model& model) {
  std::string text = "dynamic_batching {\n";
  if (!model.preferred_batch_size.empty()) text += sizes_text(model.preferred_batch_size);
  if (model.max_queue_delay > Seconds{0.0}) text += line("max_queue_delay_microseconds", queue_delay_us(model));
  if (levels_of(model) > 0)
    text += line("priority_levels", levels_of(model)) + line("default_priority_level", default_level_of(model));
  if (has_policy(model.queue_policy)) text += policy_text(model.queue_policy);
  return text + "}\n";
}

std::uint64_t limit_of(const Model& model) {
  return !model.dynamic_batching && model.max_batch_size == unlimited_batch ? 0 : model.max_batch_size;
}

/// Changes one number inside the batcher's braces where it differs; 0 takes the field out.
void set_number(Edits& edits, const TritonDynamicBatching& batching, const char* field,
                const std::optional<TritonNumber>& old, std::uint64_t value) {
  if (value_of(old) == value) return;
  const std::string text = value == 0 ? "" : std::string(field) + ": " + std::to_string(value);
  if (old)
    edits.replace(old->span, text);
  else
    edits.insert(batching.closing_brace, "\n  " + text + "\n");
}

bool same_policy(const QueuePolicy& policy, const std::optional<TritonQueuePolicy>& old) {
  if (!old) return !has_policy(policy);
  const std::uint64_t timeout = policy.timeout ? std::max<std::uint64_t>(1, microseconds(*policy.timeout)) : 0;
  return timeout == value_of(old->timeout_us) && policy.max_queue_size.value_or(0) == value_of(old->max_queue_size) &&
         (timeout == 0 || (policy.timeout_action == TimeoutAction::delay) == old->delays);
}

void edit_batcher(Edits& edits, const Model& model, const TritonDynamicBatching& old) {
  std::vector<std::uint64_t> sizes;
  for (const TritonNumber& size : old.preferred) sizes.push_back(size.value);
  if (sizes != model.preferred_batch_size) {
    for (const TritonNumber& size : old.preferred) edits.replace(size.span, "");
    if (!model.preferred_batch_size.empty())
      edits.insert(old.closing_brace, "\n" + sizes_text(model.preferred_batch_size));
  }
  set_number(edits, old, "max_queue_delay_microseconds", old.queue_delay_us, queue_delay_us(model));
  const std::uint64_t old_levels = value_of(old.priority_levels);
  if (levels_of(model) != (old_levels > 1 ? old_levels : 0) || levels_of(model) > 0) {
    set_number(edits, old, "priority_levels", old.priority_levels, levels_of(model));
    set_number(edits, old, "default_priority_level", old.default_priority_level, default_level_of(model));
  }
  if (same_policy(model.queue_policy, old.queue_policy)) return;
  if (old.queue_policy) edits.replace(old.queue_policy->span, "");
  if (has_policy(model.queue_policy)) edits.insert(old.closing_brace, "\n" + policy_text(model.queue_policy));
}

/// Instances on devices are the model's; those on CPUs are left alone. A single group keeps its other fields; the first
/// of several takes all instances where their sum has to change.
void edit_instances(Edits& edits, const Model& model, const std::vector<TritonInstanceGroup>& groups, std::size_t end) {
  if (instances_of(groups).count == model.instances) return;
  const std::string count = "count: " + std::to_string(model.instances);
  const bool one = groups.size() == 1 && groups.front().count;
  if (one) {
    edits.replace(groups.front().count->span, count);
    return;
  }
  // Groups on CPUs alone are the instances then.
  const bool keep_cpu = !instances_of(groups).on_cpu;
  std::string text =
      "instance_group [\n  {\n    " + count + "\n    kind: " + (keep_cpu ? "KIND_GPU" : "KIND_CPU") + "\n  }";
  for (const TritonInstanceGroup& group : groups) {
    edits.replace(group.span, "");
    if (group.kind == TritonKind::cpu && keep_cpu)
      text += ",\n  {\n    count: " + std::to_string(std::max<std::uint64_t>(1, value_of(group.count))) +
              "\n    kind: KIND_CPU\n  }";
  }
  edits.insert(end, text + "\n]\n");
}

void check_same_ensemble(const Model& model, const TritonConfig& old) {
  std::vector<std::string> steps;
  for (const std::size_t i : order_of(old.steps).steps) steps.push_back(old.steps[i].model);
  if (steps != model.ensemble)
    throw std::invalid_argument("triton_config_text: the ensemble's steps are not the original's");
}

std::string edited_text(const std::string& name, const Model& model, const std::string& original) {
  const ParsedTriton parsed = parse_triton_config(original);
  if (parsed.fault) {
    const Document document{.sources = {{name, original, true}}, .root = {}};
    throw InputError({document.complaint_at({0, parsed.fault->offset}, parsed.fault->code, parsed.fault->text)});
  }
  const TritonConfig& old = parsed.config;
  Edits edits;
  const bool ends_line = original.ends_with('\n');
  if (!ends_line) edits.insert(original.size(), "\n");
  if (value_of(old.max_batch_size) != limit_of(model)) {
    const std::string text = "max_batch_size: " + std::to_string(limit_of(model));
    if (old.max_batch_size)
      edits.replace(old.max_batch_size->span, text);
    else
      edits.insert(original.size(), text + "\n");
  }
  if (!model.ensemble.empty() || old.ensemble) {
    check_same_ensemble(model, old);
    return edits.apply(original);
  }
  edit_instances(edits, model, old.instance_groups, original.size());
  if (old.dynamic_batching && model.dynamic_batching)
    edit_batcher(edits, model, *old.dynamic_batching);
  else if (old.dynamic_batching && limit_of(model) > 0)
    edits.replace(old.dynamic_batching->span, "");
  else if (model.dynamic_batching)
    edits.insert(original.size(), batcher_text(model));
  return edits.apply(original);
}

std::string new_text(const std::string& name, const Model& model, const std::string& scenario) {
  std::string origin = scenario;
  std::replace_if(
      origin.begin(), origin.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  std::string text = "# Written by saturn" + (origin.empty() ? "" : " for " + origin) +
                     ": how the model was simulated. Add what only the model file knows:\n# " +
                     (model.ensemble.empty() ? "backend or platform, " : "input_map and output_map of each step, ") +
                     "input and output.\n";
  if (model.forming == BatchForming::ahead)
    text +=
        "# Batches were formed ahead of free instances, which depends on the server's version and has no field here.\n";
  if (model.lengths == LengthRule::padded)
    text += "# Items were padded to the longest of a batch, which depends on the backend and has no field here.\n";
  text += "name: " + escaped_in_quotes(name) + "\n";
  if (!model.ensemble.empty()) text += "platform: \"ensemble\"\n";
  text += "max_batch_size: " + std::to_string(limit_of(model)) + "\n";
  if (!model.ensemble.empty()) {
    text += "ensemble_scheduling {\n";
    for (const std::string& step : model.ensemble)
      text += "  step {\n    model_name: " + escaped_in_quotes(step) + "\n    model_version: -1\n  }\n";
    return text + "}\n";
  }
  text += "instance_group [\n  {\n    count: " + std::to_string(model.instances) + "\n    kind: KIND_GPU\n  }\n]\n";
  return model.dynamic_batching ? text + batcher_text(model) : text;
}

}  // namespace

std::string triton_config_text(const std::string& name, const Model& model, const std::string& original_text,
                               const std::string& scenario) {
  const bool marked = original_text.starts_with("\xEF\xBB\xBF");
  if (original_text.empty()) return new_text(name, model, scenario);
  return edited_text(name, model, marked ? original_text.substr(3) : original_text);
}

}  // namespace saturn
