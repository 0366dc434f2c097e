#include "scenarios/triton/triton_config_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/document/document.hpp"
#include "scenarios/triton/triton_fields.hpp"

namespace saturn {

namespace {

/// Changes of parts of a file, all in terms of the file as it was.
class Edits {
 public:
  /// @param ends  ParsedTriton::ends
  Edits(const std::string& file, const std::map<std::size_t, std::size_t>& ends) : file_(file), ends_(ends) {}

  /// A field's name and value.
  void replace(const Node& field, std::string text) {
    edits_.push_back({field.place.offset, ends_.at(field.place.offset), std::move(text)});
  }
  void insert(std::size_t offset, std::string text) { edits_.push_back({offset, offset, std::move(text)}); }
  /// Adds lines to a message, before the brace that closes it.
  void append(const Node& message, const std::string& lines) {
    const std::size_t end = ends_.at(message.place.offset);
    std::size_t brace = end;
    for (std::size_t i = message.place.offset; i < end; i = end_of_piece(file_, i))
      if (file_[i] == '}' || file_[i] == '>') brace = i;
    insert(brace, "\n" + lines);
  }

  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string changed;
    std::size_t done = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < done) continue;  // values written as one list stand at one place
      changed += file_.substr(done, edit.begin - done) + edit.text;
      done = edit.end;
    }
    return changed + file_.substr(done);
  }

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };

  const std::string& file_;
  const std::map<std::size_t, std::size_t>& ends_;
  std::vector<Edit> edits_;
};

std::uint64_t microseconds(Seconds time) {
  return static_cast<std::uint64_t>(std::llround(time.value * 1e6));
}

/// Triton counts in microseconds; a shorter delay is still one, and 0 would be none.
std::uint64_t queue_delay_us(const Model& model) {
  return model.max_queue_delay > Seconds{0.0} ? std::max<std::uint64_t>(1, microseconds(model.max_queue_delay)) : 0;
}

std::uint64_t idle_us(const SequenceBatching& sequences) {
  return std::max<std::uint64_t>(1, microseconds(sequences.max_idle));
}

std::string line(const char* field, std::uint64_t value) {
  return "  " + std::string(field) + ": " + std::to_string(value) + "\n";
}

std::string sizes_text(const std::vector<std::uint64_t>& sizes) {
  const auto number = [](std::uint64_t size) { return std::to_string(size); };
  return "  preferred_batch_size: [ " + joined(texts_of(sizes, number)) + " ]\n";
}

/// 0 where there is none; a shorter timeout is still one.
std::uint64_t timeout_us(const QueuePolicy& policy) {
  return policy.timeout ? std::max<std::uint64_t>(1, microseconds(*policy.timeout)) : 0;
}

bool has_policy(const QueuePolicy& policy) {
  return policy.max_queue_size || policy.timeout;
}

std::string policy_text(const QueuePolicy& policy) {
  std::string text = "  default_queue_policy {\n";
  if (policy.timeout) {
    text += std::string("    timeout_action: ") + (policy.timeout_action == TimeoutAction::delay ? "DELAY" : "REJECT") +
            "\n";
    text += "  " + line("default_timeout_microseconds", timeout_us(policy));
  }
  if (policy.max_queue_size) text += "  " + line("max_queue_size", *policy.max_queue_size);
  return text + "  }\n";
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

bool is_oldest(const SequenceBatching& sequences) {
  return sequences.strategy == SequenceStrategy::oldest;
}

std::string oldest_text(const Model& model) {
  std::string text = "oldest {\n  " + line("max_candidate_sequences", sequence_slots(model));
  if (!model.preferred_batch_size.empty()) text += "  " + sizes_text(model.preferred_batch_size);
  if (model.max_queue_delay > Seconds{0.0}) text += "  " + line("max_queue_delay_microseconds", queue_delay_us(model));
  return text + "  }\n";
}

std::string sequences_text(const Model& model) {
  const SequenceBatching& sequences = *model.sequence_batching;
  return "sequence_batching {\n" + line("max_sequence_idle_microseconds", idle_us(sequences)) +
         (is_oldest(sequences) ? "  " + oldest_text(model) : "  direct { }\n") + "}\n";
}

std::uint64_t limit_of(const Model& model) {
  return !model.dynamic_batching && model.max_batch_size == unlimited_batch ? 0 : model.max_batch_size;
}

/// A config.pbtxt, and what changes in it so that it says what a model says.
class ChangedConfig {
 public:
  ChangedConfig(const Model& model, const std::string& file, const ParsedTriton& parsed)
      : model_(model), file_(file), old_(parsed.config), edits_(file, parsed.ends) {}

  std::string text() {
    if (!file_.ends_with('\n')) edits_.insert(file_.size(), "\n");
    const Node* limit = old_.find("max_batch_size");
    if (count_in(limit) != limit_of(model_)) {
      const std::string text = "max_batch_size: " + std::to_string(limit_of(model_));
      if (limit != nullptr)
        edits_.replace(*limit, "# planned with batches up to " + std::to_string(limit_of(model_)) +
                                   ", before: " + std::to_string(count_in(limit)) + "\n" + text);
      else
        edits_.insert(file_.size(), text + "\n");
    }
    const Node* ensemble = old_.find("ensemble_scheduling");
    const Node* batching = old_.find("dynamic_batching");
    if (!model_.ensemble.empty() || ensemble != nullptr) {
      check_same_ensemble(elements_of(ensemble == nullptr ? nullptr : ensemble->find("step")));
      return edits_.apply();
    }
    edit_instances(elements_of(old_.find("instance_group")));
    edit_sequences(old_.find("sequence_batching"));
    if (batching != nullptr && model_.dynamic_batching)
      edit_batcher(*batching);
    else if (batching != nullptr && (limit_of(model_) > 0 || model_.sequence_batching))
      edits_.replace(*batching, "");
    else if (model_.dynamic_batching)
      edits_.insert(file_.size(), batcher_text(model_));
    return edits_.apply();
  }

 private:
  void check_same_ensemble(const std::vector<Node>& old) const {
    std::vector<std::string> steps;
    for (const std::size_t i : order_of(old).steps) steps.push_back(model_of_step(old[i]));
    if (steps != model_.ensemble)
      throw std::invalid_argument("triton_config_text: the ensemble's steps are not the original's");
  }

  /// Instances on devices are the model's; those on CPUs are left alone. A single group keeps its other fields; the
  /// first of several takes all instances where their sum has to change.
  void edit_instances(const std::vector<Node>& groups) {
    if (instances_of(groups).count == model_.instances) return;
    const std::string count = "count: " + std::to_string(model_.instances);
    if (const Node* only = groups.size() == 1 ? groups.front().find("count") : nullptr)
      return edits_.replace(*only, count);
    // Groups on CPUs alone are the instances then.
    const bool keep_cpu = !instances_of(groups).on_cpu;
    std::string text =
        "instance_group [\n  {\n    " + count + "\n    kind: " + (keep_cpu ? "KIND_GPU" : "KIND_CPU") + "\n  }";
    for (const Node& group : groups) {
      edits_.replace(group, "");
      if (is_on_cpu(group) && keep_cpu)
        text += ",\n  {\n    count: " + std::to_string(instances_in(group)) + "\n    kind: KIND_CPU\n  }";
    }
    edits_.insert(file_.size(), text + "\n]\n");
  }

  /// What carries the beginning and the end of a sequence, and its states, stays.
  void edit_sequences(const Node* old) {
    if (!model_.sequence_batching) {
      if (old != nullptr) edits_.replace(*old, "");
      return;
    }
    if (old == nullptr) return edits_.insert(file_.size(), sequences_text(model_));
    const SequenceBatching& sequences = *model_.sequence_batching;
    constexpr std::uint64_t unset_us = 1'000'000;
    const Node* idle = old->find("max_sequence_idle_microseconds");
    if (idle != nullptr || idle_us(sequences) != unset_us)
      set_number(*old, "max_sequence_idle_microseconds", idle_us(sequences));
    const Node* oldest = old->find("oldest");
    if (is_oldest(sequences) != (oldest != nullptr)) {
      for (const char* strategy : {"direct", "oldest"})
        if (const Node* other = old->find(strategy)) edits_.replace(*other, "");
      edits_.append(*old, "  " + (is_oldest(sequences) ? oldest_text(model_) : "direct { }\n"));
    } else if (oldest != nullptr) {
      set_number(*oldest, "max_candidate_sequences", sequence_slots(model_));
      edit_sizes_and_delay(*oldest);
    }
  }

  void edit_sizes_and_delay(const Node& old) {
    std::vector<std::uint64_t> sizes;
    for (const Node& size : elements_of(old.find("preferred_batch_size"))) sizes.push_back(count_in(&size));
    if (sizes != model_.preferred_batch_size) {
      for (const Node& size : elements_of(old.find("preferred_batch_size"))) edits_.replace(size, "");
      if (!model_.preferred_batch_size.empty()) edits_.append(old, sizes_text(model_.preferred_batch_size));
    }
    set_number(old, "max_queue_delay_microseconds", queue_delay_us(model_));
  }

  void edit_batcher(const Node& old) {
    edit_sizes_and_delay(old);
    if (levels_of(model_) > 0 || count_in(old.find("priority_levels")) > 1) {
      set_number(old, "priority_levels", levels_of(model_));
      set_number(old, "default_priority_level", default_level_of(model_));
    }
    const Node* policy = old.find("default_queue_policy");
    if (same_policy(policy)) return;
    if (policy != nullptr) edits_.replace(*policy, "");
    if (has_policy(model_.queue_policy)) edits_.append(old, policy_text(model_.queue_policy));
  }

  /// Changes one number inside the batcher's braces where it differs; 0 takes the field out.
  void set_number(const Node& batching, const char* field, std::uint64_t value) {
    const Node* old = batching.find(field);
    if (count_in(old) == value) return;
    const std::string text = value == 0 ? "" : std::string(field) + ": " + std::to_string(value);
    if (old != nullptr)
      edits_.replace(*old, text);
    else
      edits_.append(batching, "  " + text + "\n");
  }

  bool same_policy(const Node* old) const {
    const QueuePolicy& policy = model_.queue_policy;
    if (old == nullptr) return !has_policy(policy);
    const std::uint64_t timeout = timeout_us(policy);
    return timeout == count_in(old->find("default_timeout_microseconds")) &&
           policy.max_queue_size.value_or(0) == count_in(old->find("max_queue_size")) &&
           (timeout == 0 || (policy.timeout_action == TimeoutAction::delay) == delays(*old));
  }

  const Model& model_;
  const std::string& file_;
  const Node& old_;
  Edits edits_;
};

std::string edited_text(const std::string& name, const Model& model, const std::string& original) {
  const ParsedTriton parsed = parse_triton_config(original);
  if (parsed.fault) {
    const Document document{.sources = {{name, original, true}}, .root = {}};
    throw InputError({document.complaint_at({0, parsed.fault->offset}, parsed.fault->code, parsed.fault->text)});
  }
  return ChangedConfig(model, original, parsed).text();
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
  if (model.sequence_batching) text += sequences_text(model);
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
