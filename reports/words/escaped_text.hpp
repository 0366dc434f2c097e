#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Texts of others where their characters mean something: Markdown, terminals, shells, YAML, HTML.

namespace saturn {

/// A block of Markdown that shows a text as it is: its fence is longer than any in the text.
std::string fenced_text(const std::string& text);

/// A text from a file as one line that does no harm to a terminal: control characters become spaces, bytes that are no
/// UTF-8 become "?", and what is longer than so many characters ends in "…".
/// @param most  characters, >= 1
std::string terminal_text(const std::string& text, std::size_t most = 200);

/// Lines of at most so many characters, broken at spaces, the first one indented by `first`, the others by `rest`.
/// Words that are longer than a line are broken. Ends with a newline.
std::string wrapped_text(const std::string& text, std::size_t width, const std::string& first, const std::string& rest);

/// A word as a POSIX shell reads it back, whatever characters it holds but zero bytes: in single quotes where it holds
/// anything but plain characters.
std::string shell_word(const std::string& word);

/// A text as a YAML scalar in double quotes, on one line, whatever characters it holds; JSON reads it too.
/// @param text  valid UTF-8
/// Source  YAML 1.2.2, sections 5.1 (printable characters) and 7.3.1 (double quotes)
std::string yaml_text(const std::string& text);

/// Lines of comments, each "# ..." within 110 characters where words allow it. Characters that would end a line in YAML
/// or cannot be printed become spaces.
/// @param indent  spaces before each line
std::string yaml_comment(const std::string& text, std::size_t indent = 0);

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
