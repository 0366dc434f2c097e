#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/document/document.hpp"
#include "scenarios/document/parse_document.hpp"

namespace saturn {

/// A config.pbtxt that was read, or why it was not.
struct ParsedTriton {
  /// The fields that are set, under their names in scenarios/triton_model.proto: an enumerator is a text, a repeated
  /// field a list, an entry of a map an object with "key" and "value". Each stands where its name does; values that
  /// were written as one list stand where the list does.
  Node config{};
  std::map<std::size_t, std::size_t> ends{};  ///< behind each field, by where its name begins [byte]
  std::optional<SyntaxFault> fault{};         ///< what ended the reading; `config` then holds nothing of use
  std::vector<SyntaxFault> warnings{};        ///< fields that are not known, each once
};

/// Reads protobuf's text format with the fields of scenarios/triton_model.proto; others are skipped with a warning.
/// @param text    valid UTF-8 without a byte-order mark
/// @param source  what Place::source of the values is set to
/// Codes: triton.template, triton.cut_short, triton.unknown_value, triton.syntax, triton.too_deep, triton.empty;
///        triton.unknown_field
ParsedTriton parse_triton_config(const std::string& text, std::size_t source = 0);

/// End of what begins at a place of such a text: a comment, a text in quotes, a word, or one other character. [byte]
std::size_t end_of_piece(const std::string& text, std::size_t begin);

}  // namespace saturn
