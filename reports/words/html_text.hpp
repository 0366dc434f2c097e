#pragma once

#include <string>
#include <string_view>

/// Plain texts in a page: whatever a user wrote shows as text and never acts.

namespace saturn {

/// A text for the content of an element or for a quoted attribute. Bytes that are no UTF-8, and control characters
/// other than tab and line breaks, become U+FFFD.
std::string html_text(std::string_view text);

/// JSON for the inside of a script element: `<`, `>`, `&`, U+2028 and U+2029 become \u escapes, so that nothing in it
/// ends the element or begins a comment.
/// @param json  a JSON text, in which those characters stand inside strings only
std::string script_json(std::string_view json);

/// JavaScript for the inside of a script element: "</script" and "<!--" become escapes that mean the same inside
/// strings, templates and regular expressions, the only places where they may stand.
std::string script_code(std::string_view code);

/// A name for an id attribute and for links to it: ASCII letters, digits, "-" and "_"; everything else becomes "-".
std::string html_id(std::string_view name);

}  // namespace saturn
