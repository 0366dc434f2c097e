#include "reports/page/html_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace saturn {

namespace {

using Json = nlohmann::ordered_json;

// The writer of JSON knows how to replace what is no UTF-8; reading it back undoes all else that it did.
std::string valid_utf8(std::string_view text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

bool is_control(char c) {
  const unsigned char code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t' && c != '\n' && c != '\r') || code == 0x7f;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
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
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else if (c == '>') {
      text += "\\u003e";
    } else if (c == '&') {
      text += "\\u0026";
    } else {
      text += c;
    }
  }
  replace_all(text, "\u2028", "\\u2028");
  replace_all(text, "\u2029", "\\u2029");
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
