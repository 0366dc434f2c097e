#include "reports/terminal_text.hpp"

#include <algorithm>
#include <sstream>

#include "models/printable_text.hpp"
#include "models/words/texts.hpp"
#include "reports/text_table.hpp"

namespace saturn {

namespace {

/// The first so many characters of a text in UTF-8.
std::string beginning_of(const std::string& text, std::size_t characters) {
  std::size_t at = 0;
  for (std::size_t n = 0; n < characters && at < text.size(); ++n) at += character_at(text, at).length;
  return text.substr(0, at);
}

}  // namespace

std::string terminal_text(const std::string& text, std::size_t most) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const EchoedCharacter character = character_at(text, at);
    if (character.kind == CharacterKind::shown)
      clean += text.substr(at, character.length);
    else
      clean += character.kind == CharacterKind::control ? ' ' : '?';
    at += character.length;
  }
  return shortened(clean, most);
}

std::string wrapped_text(const std::string& text, std::size_t width, const std::string& first,
                         const std::string& rest) {
  std::string result;
  std::string line = first;
  bool empty = true;
  std::istringstream words(text);
  const auto end_line = [&] {
    result += line + "\n";
    line = rest;
    empty = true;
  };
  for (std::string word; words >> word;) {
    if (!empty && width_of(line) + 1 + width_of(word) > width) end_line();
    while (width_of(line) + width_of(word) > width) {
      const std::string piece = beginning_of(word, width - std::min(width - 1, width_of(line)));
      line += piece;
      word.erase(0, piece.size());
      end_line();
    }
    line += (empty ? "" : " ") + word;
    empty = false;
  }
  if (!empty) result += line + "\n";
  return result;
}

}  // namespace saturn
