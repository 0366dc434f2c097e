#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace saturn {

// The templates of the page, reports/page/templates/, and the values that come into them.

struct PageValue;
/// What the names of a template stand for.
using PageValues = std::map<std::string, PageValue, std::less<>>;

// NOLINTBEGIN(google-explicit-constructor): a text is a value
/// A text, whether something is so, a list, or values with names of their own.
struct PageValue {
  using List = std::vector<PageValue>;

  PageValue(bool so) : is(so) {}
  PageValue(const char* text) : is(std::string(text)) {}
  PageValue(std::string text) : is(std::move(text)) {}
  PageValue(List list) : is(std::move(list)) {}
  PageValue(PageValues values) : is(std::move(values)) {}
  PageValue(const std::vector<std::string>& texts) : is(List(texts.begin(), texts.end())) {}

  std::variant<bool, std::string, List, PageValues> is;
};
// NOLINTEND(google-explicit-constructor)

/// A part of the page from its template, reports/page/templates/NAME.html, as Mustache has it: `{{name}}` is a value
/// as text, escaped; `{{{name}}}` one that is HTML, a script or a style already; `{{#name}}…{{/name}}` stands once for
/// each value of a list, with its members as values, or once where the value is true or a text that is not empty;
/// `{{^name}}…{{/name}}` where it is not. A name that an item lacks is looked for outside it; `{{.}}` is an item
/// itself, `{{! … }}` a remark. What stands alone on its line takes the line with it.
/// @throws std::logic_error  no such template, a name without a value, a section without an end: our bug
std::string page_part(std::string_view name, const PageValues& values);

/// The same from a template's own text.
std::string filled_page_template(std::string_view text, const PageValues& values);

}  // namespace saturn
