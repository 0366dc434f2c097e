#include "reports/words/html_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

#include "models/words/texts.hpp"
#include "reports/tables/json_parts.hpp"

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

// The writer of JSON knows how to replace what is no UTF-8; reading it back undoes all else that it did.
std::string valid_utf8(std::string_view text) {
  return Json::parse(json_line(Json(text))).get<std::string>();
}

bool is_control(char c) {
  const unsigned char code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\n' && c != '\r') || code == 0x7f;
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string html;
  for (const char c : valid_utf8(text)) {
    if (c == '&') {
      html += "&amp;";
    } else if (c == '<') {
      html += "&lt;";
    } else if (c == '>') {
      html += "&gt;";
    } else if (c == '"') {
      html += "&quot;";
    } else if (c == '\'') {
      html += "&#39;";
    } else if (is_control(c)) {
      html += "\uFFFD";
    } else {
      html += c;
    }
  }
  return html;
}

std::string script_json(std::string_view json) {
  std::string text(json);
  for (const auto& [from, to] :
       {std::pair{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}})
    text = replaced_all(std::move(text), from, to);
  return text;
}

std::string script_code(std::string_view code) {
  std::string text;
  text.reserve(code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::string_view rest = code.substr(i);
    const bool ends = rest.size() > 7 && rest.starts_with("</") && (rest[2] | 0x20) == 's' && (rest[3] | 0x20) == 'c';
    if (ends || rest.starts_with("<!--")) {
      text += "\\x3c";
    } else {
      text += code[i];
    }
  }
  return text;
}

std::string html_id(std::string_view name) {
  std::string id(name);
  std::replace_if(
      id.begin(), id.end(),
      [](unsigned char c) { return !(c < 0x80 && (std::isalnum(c) != 0 || c == '-' || c == '_')); }, '-');
  return id.empty() ? "part" : id;
}

}  // namespace saturn
