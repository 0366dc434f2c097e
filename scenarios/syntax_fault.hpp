#pragma once

#include <string>

#include "scenarios/parse_document.hpp"

namespace saturn {

/// Skips white space and comments.
/// @returns offset of the next other character, or the text's length
std::size_t skip_blank(const std::string& text, std::size_t offset);

/// Explains where and why a text stops being JSON: what was found, what is expected, the way out.
/// @param after   end of the last value or key that was read [byte]
/// @param failed  number of characters that the parser had read when it gave up
/// @param reason  the parser's own words
SyntaxFault explain_syntax(const std::string& text, std::size_t after, std::size_t failed, const std::string& reason);

}  // namespace saturn
