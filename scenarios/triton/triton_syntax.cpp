#include "scenarios/triton/triton_syntax.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/triton/triton_fault.hpp"
#include "scenarios/triton_model.pb.h"

namespace saturn {

/// A text with a colon before every list that follows its field's name directly, as in `parameters [ ... ]`: protobuf's
/// parser asks for it when it skips fields that it does not know.
struct WithColons {
  std::string text;
  std::vector<std::size_t> inserted;  ///< offsets of the new colons in `text`, ascending [byte]

  /// Offset in the text as it was.
  std::size_t original(std::size_t offset) const;
};

namespace {

bool is_word_of_lists(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

std::size_t end_of_string(const std::string& text, std::size_t open) {
  std::size_t i = open + 1;
  while (i < text.size() && text[i] != text[open] && text[i] != '\n') i += text[i] == '\\' ? 2U : 1U;
  return std::min(i + 1, text.size());
}

std::size_t end_of_word(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_word_of_lists(text[end])) ++end;
  return end;
}

}  // namespace

std::size_t WithColons::original(std::size_t offset) const {
  const auto before = std::lower_bound(inserted.begin(), inserted.end(), offset);
  return offset - static_cast<std::size_t>(before - inserted.begin());
}

WithColons with_colons(const std::string& text) {
  WithColons result;
  bool after_colon = false;
  bool after_name = false;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    std::size_t end = i + 1;
    if (c == '#') {
      end = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      end = end_of_string(text, i);
      after_colon = after_name = false;
    } else if (is_word_of_lists(c)) {
      end = end_of_word(text, i);
      after_name = !after_colon;
      after_colon = false;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (c == '[' && after_name) {
        result.inserted.push_back(result.text.size());
        result.text += ':';
      }
      after_colon = c == ':';
      after_name = false;
    }
    result.text += text.substr(i, end - i);
    i = end;
  }
  return result;
}

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;
using Tree = TextFormat::ParseInfoTree;

constexpr int deepest_field = 64;

/// Turns protobuf's places in the text that it was given into offsets in the file.
class FilePlaces {
 public:
  explicit FilePlaces(const WithColons& given) : given_(given), lines_(given.text) {}
  std::size_t offset(int line, int column) const { return given_.original(lines_.offset(line, column)); }

 private:
  const WithColons& given_;
  TextLines lines_;
};

/// Names of a message's fields; empty when there is no such message.
std::vector<std::string> field_names(const std::string& message_type) {
  std::vector<std::string> names;
  const google::protobuf::Descriptor* type =
      triton::ModelConfig::descriptor()->file()->pool()->FindMessageTypeByName(message_type);
  for (int i = 0; type != nullptr && i < type->field_count(); ++i) names.push_back(type->field(i)->name());
  return names;
}

/// Keeps the first error, after which protobuf's messages are only consequences, and every warning.
class Listener : public google::protobuf::io::ErrorCollector {
 public:
  Listener(const std::string& text, const FilePlaces& lines, ParsedTriton& parsed)
      : text_(text), lines_(lines), parsed_(parsed) {}

  void AddError(int line, int column, const std::string& message) override {
    if (!parsed_.fault) parsed_.fault = triton_fault(text_, lines_.offset(line, column), message, enumerators(message));
  }
  void AddWarning(int line, int column, const std::string& message) override {
    // Of what is not simulated as a whole, the parts need no warnings.
    if (message.find("\"" + triton::SequenceBatching::descriptor()->full_name() + "\"") != std::string::npos) return;
    constexpr std::size_t most_warnings = 100;
    if (parsed_.warnings.size() >= most_warnings || !seen_.insert(message).second) return;
    parsed_.warnings.push_back(triton_warning(text_, lines_.offset(line, column), message, field_names));
  }

 private:
  /// Allowed values of the first field of enumeration type that the message names in quotes.
  static std::vector<std::string> enumerators(const std::string& message) {
    std::vector<std::string> names;
    const auto visit = [&](const google::protobuf::Descriptor* type, const auto& self) -> void {
      for (int i = 0; i < type->field_count(); ++i) {
        const FieldDescriptor* field = type->field(i);
        if (!names.empty() || field->enum_type() == nullptr) continue;
        if (message.find("for field \"" + field->name() + "\"") == std::string::npos) continue;
        for (int k = 0; k < field->enum_type()->value_count(); ++k)
          names.push_back(field->enum_type()->value(k)->name());
      }
      for (int i = 0; i < type->nested_type_count(); ++i) self(type->nested_type(i), self);
    };
    const google::protobuf::FileDescriptor* file = triton::ModelConfig::descriptor()->file();
    for (int i = 0; i < file->message_type_count(); ++i) visit(file->message_type(i), visit);
    return names;
  }

  const std::string& text_;
  const FilePlaces& lines_;
  ParsedTriton& parsed_;
  std::set<std::string> seen_;
};

/// Where the fields of one message stand.
class Places {
 public:
  Places(const Message& message, const Tree* tree, const FilePlaces& lines, TextSpan whole)
      : message_(message), tree_(tree), lines_(lines), whole_(whole) {}

  /// Of the i-th value; values that were written as one list stand where the list does.
  TextSpan span(const char* name, int index = 0) const {
    if (tree_ == nullptr) return whole_;
    const FieldDescriptor* field = message_.GetDescriptor()->FindFieldByName(name);
    // A field that is not repeated has its place under index -1.
    if (!field->is_repeated()) return span_of(tree_->GetLocationRange(field, -1));
    // Places are numbered by fields as written, of which one may hold a whole list: the last one at most.
    int first_without = 0;
    int end = index + 1;
    while (first_without < end) {
      const int middle = first_without + (end - first_without) / 2;
      if (tree_->GetLocationRange(field, middle).start.line >= 0)
        first_without = middle + 1;
      else
        end = middle;
    }
    if (first_without > 0) return span_of(tree_->GetLocationRange(field, first_without - 1));
    return whole_;
  }
  Places inside(const char* name, const Message& child, int index = 0) const {
    const FieldDescriptor* field = message_.GetDescriptor()->FindFieldByName(name);
    const Tree* tree = tree_ == nullptr ? nullptr : tree_->GetTreeForNested(field, field->is_repeated() ? index : -1);
    return {child, tree, lines_, span(name, index)};
  }

 private:
  TextSpan span_of(const TextFormat::ParseLocationRange& range) const {
    if (range.start.line < 0) return whole_;
    return {lines_.offset(range.start.line, range.start.column), lines_.offset(range.end.line, range.end.column)};
  }

  const Message& message_;
  const Tree* tree_;
  const FilePlaces& lines_;
  TextSpan whole_;
};

TritonNumber number(std::int64_t value, TextSpan span) {
  const auto bits = static_cast<std::uint64_t>(value);
  return {.value = value < 0 ? 0U - bits : bits, .negative = value < 0, .span = span};
}
TritonNumber number(std::uint64_t value, TextSpan span) {
  return {.value = value, .negative = false, .span = span};
}

TritonQueuePolicy queue_policy(const triton::QueuePolicy& policy, const Places& places, TextSpan span) {
  TritonQueuePolicy read{.span = span, .timeout_us = {}, .max_queue_size = {}};
  read.delays = policy.timeout_action() == triton::QueuePolicy::DELAY;
  if (policy.has_default_timeout_microseconds())
    read.timeout_us = number(policy.default_timeout_microseconds(), places.span("default_timeout_microseconds"));
  if (policy.has_max_queue_size())
    read.max_queue_size = number(std::uint64_t{policy.max_queue_size()}, places.span("max_queue_size"));
  return read;
}

/// The last closing brace of a part of the text, comments left out.
std::size_t closing_brace(const std::string& text, TextSpan span) {
  struct Quiet : google::protobuf::io::ErrorCollector {
    void AddError(int, int, const std::string&) override {}
  };
  const std::string part = text.substr(span.begin, span.end - span.begin);
  const TextLines lines(part);
  google::protobuf::io::ArrayInputStream stream(part.data(), static_cast<int>(part.size()));
  Quiet quiet;
  google::protobuf::io::Tokenizer tokens(&stream, &quiet);
  tokens.set_comment_style(google::protobuf::io::Tokenizer::SH_COMMENT_STYLE);
  std::size_t brace = part.size();
  while (tokens.Next())
    if (tokens.current().text == "}" || tokens.current().text == ">")
      brace = lines.offset(tokens.current().line, tokens.current().column);
  return span.begin + brace;
}

TritonDynamicBatching dynamic_batching(const triton::DynamicBatching& batching, const Places& places, TextSpan span,
                                       const std::string& text) {
  TritonDynamicBatching read;
  read.span = span;
  read.closing_brace = closing_brace(text, span);
  for (int i = 0; i < batching.preferred_batch_size_size(); ++i)
    read.preferred.push_back(
        number(std::int64_t{batching.preferred_batch_size(i)}, places.span("preferred_batch_size", i)));
  if (batching.has_max_queue_delay_microseconds())
    read.queue_delay_us = number(batching.max_queue_delay_microseconds(), places.span("max_queue_delay_microseconds"));
  if (batching.has_priority_levels())
    read.priority_levels = number(batching.priority_levels(), places.span("priority_levels"));
  if (batching.has_default_priority_level())
    read.default_priority_level = number(batching.default_priority_level(), places.span("default_priority_level"));
  if (batching.has_default_queue_policy())
    read.queue_policy = queue_policy(batching.default_queue_policy(),
                                     places.inside("default_queue_policy", batching.default_queue_policy()),
                                     places.span("default_queue_policy"));
  if (batching.preserve_ordering()) read.preserve_ordering = places.span("preserve_ordering");
  if (batching.priority_queue_policy_size() > 0) read.priority_queue_policy = places.span("priority_queue_policy");
  return read;
}

TritonInstanceGroup instance_group(const triton::InstanceGroup& group, const Places& places, TextSpan span) {
  TritonInstanceGroup read;
  read.span = span;
  switch (group.kind()) {
    case triton::InstanceGroup::KIND_AUTO:
      read.kind = TritonKind::automatic;
      break;
    case triton::InstanceGroup::KIND_GPU:
      read.kind = TritonKind::gpu;
      break;
    case triton::InstanceGroup::KIND_CPU:
      read.kind = TritonKind::cpu;
      break;
    case triton::InstanceGroup::KIND_MODEL:
      read.kind = TritonKind::model;
      break;
  }
  if (group.has_count()) read.count = number(std::int64_t{group.count()}, places.span("count"));
  read.gpus.assign(group.gpus().begin(), group.gpus().end());
  return read;
}

TritonStep step_of(const triton::EnsembleScheduling::Step& step, const Places& places, TextSpan span) {
  TritonStep read{.span = step.has_model_name() ? places.span("model_name") : span,
                  .model = step.model_name(),
                  .reads = {},
                  .writes = {}};
  for (const auto& [tensor, ours] : step.input_map()) read.reads.push_back(ours);
  for (const auto& [tensor, ours] : step.output_map()) read.writes.push_back(ours);
  return read;
}

TritonConfig values_of(const triton::ModelConfig& model, const Places& places, const std::string& text) {
  TritonConfig config;
  if (model.has_max_batch_size())
    config.max_batch_size = number(std::int64_t{model.max_batch_size()}, places.span("max_batch_size"));
  for (int i = 0; i < model.instance_group_size(); ++i)
    config.instance_groups.push_back(instance_group(model.instance_group(i),
                                                    places.inside("instance_group", model.instance_group(i), i),
                                                    places.span("instance_group", i)));
  if (model.has_dynamic_batching())
    config.dynamic_batching =
        dynamic_batching(model.dynamic_batching(), places.inside("dynamic_batching", model.dynamic_batching()),
                         places.span("dynamic_batching"), text);
  if (model.has_sequence_batching()) config.sequence_batching = places.span("sequence_batching");
  if (!model.has_ensemble_scheduling()) return config;
  const triton::EnsembleScheduling& ensemble = model.ensemble_scheduling();
  const Places ensemble_places = places.inside("ensemble_scheduling", ensemble);
  config.ensemble = places.span("ensemble_scheduling");
  for (int i = 0; i < ensemble.step_size(); ++i)
    config.steps.push_back(step_of(ensemble.step(i), ensemble_places.inside("step", ensemble.step(i), i),
                                   ensemble_places.span("step", i)));
  return config;
}

}  // namespace

ParsedTriton parse_triton_config(const std::string& text) {
  ParsedTriton parsed;
  parsed.fault = triton_shape_fault(text, deepest_field);
  if (parsed.fault) return parsed;
  const WithColons given = with_colons(text);
  const FilePlaces lines(given);
  Listener listener(text, lines, parsed);
  Tree tree;
  triton::ModelConfig model;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&listener);
  parser.WriteLocationsTo(&tree);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(2 * deepest_field);
  const bool read = parser.ParseFromString(given.text, &model);
  if (!read && !parsed.fault) parsed.fault = triton_fault(text, text.size(), "It cannot be parsed.", {});
  if (parsed.fault) return parsed;
  parsed.config = values_of(model, {model, &tree, lines, {0, text.size()}}, text);
  return parsed;
}

}  // namespace saturn
