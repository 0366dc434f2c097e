#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/parse_document.hpp"

/// Triton's config.pbtxt as plain values that remember where they stand.

namespace saturn {

/// A part of a text, from the first character of a field's name to behind its value. [byte]
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct TritonNumber {
  std::uint64_t value = 0;  ///< the magnitude
  bool negative = false;
  TextSpan span;
};

struct TritonQueuePolicy {
  TextSpan span;
  std::optional<TritonNumber> timeout_us;
  std::optional<TritonNumber> max_queue_size;
  bool delays = false;  ///< timeout_action is DELAY
};

struct TritonDynamicBatching {
  TextSpan span;
  std::size_t closing_brace = 0;  ///< [byte]
  std::vector<TritonNumber> preferred;
  std::optional<TritonNumber> queue_delay_us;
  std::optional<TritonNumber> priority_levels;
  std::optional<TritonNumber> default_priority_level;
  std::optional<TritonQueuePolicy> queue_policy;
  std::optional<TextSpan> preserve_ordering;  ///< where it is true
  std::optional<TextSpan> priority_queue_policy;
};

enum class TritonKind { automatic, gpu, cpu, model };

struct TritonInstanceGroup {
  TextSpan span;
  TritonKind kind = TritonKind::automatic;
  std::optional<TritonNumber> count;
  std::vector<std::int32_t> gpus;  ///< devices that it is bound to; empty: all
};

struct TritonStep {
  TextSpan span;
  std::string model;
  std::vector<std::string> reads;   ///< tensors of the ensemble
  std::vector<std::string> writes;  ///< tensors of the ensemble
};

struct TritonConfig {
  std::optional<TritonNumber> max_batch_size;
  std::vector<TritonInstanceGroup> instance_groups;
  std::optional<TritonDynamicBatching> dynamic_batching;
  std::optional<TextSpan> sequence_batching;
  std::optional<TextSpan> ensemble;
  std::vector<TritonStep> steps;
};

/// A config.pbtxt that was read, or why it was not.
struct ParsedTriton {
  TritonConfig config;
  std::optional<SyntaxFault> fault;   ///< what ended the reading; `config` then holds nothing of use
  std::vector<SyntaxFault> warnings;  ///< fields that are not known, each once
};

/// Reads protobuf's text format with the fields of scenarios/triton_model.proto; others are skipped with a warning.
/// @param text  valid UTF-8 without a byte-order mark
/// Codes: triton.template, triton.cut_short, triton.unknown_value, triton.syntax, triton.too_deep, triton.empty;
///        triton.unknown_field
ParsedTriton parse_triton_config(const std::string& text);

}  // namespace saturn
