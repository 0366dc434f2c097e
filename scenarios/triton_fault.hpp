#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/syntax_fault.hpp"

/// Explains what is wrong with a config.pbtxt, in our own words.
namespace saturn {

/// What can be seen before the text is parsed: nothing in it (triton.empty), or fields nested deeper than `deepest`
/// (triton.too_deep).
std::optional<SyntaxFault> triton_shape_fault(const std::string& text, int deepest);

/// Explains an error of protobuf's parser.
/// @param offset   where it stopped [byte]
/// @param message  its own words
/// @param allowed  values of the enumeration that the message is about, if any
SyntaxFault triton_fault(const std::string& text, std::size_t offset, const std::string& message,
                         const std::vector<std::string>& allowed);

/// A field that is not known.
/// @param offset       behind its name [byte]
/// @param field_names  names of the fields of a message type
SyntaxFault triton_warning(const std::string& text, std::size_t offset, const std::string& message,
                           const std::function<std::vector<std::string>(const std::string&)>& field_names);

}  // namespace saturn
