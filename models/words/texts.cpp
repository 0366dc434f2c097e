#include "models/words/texts.hpp"

#include <algorithm>
#include <sstream>

namespace saturn {

namespace {

// All other bytes of UTF-8 continue a character.
bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

std::string joined_with(const std::vector<std::string>& parts, std::string_view separator, std::string_view last,
                        std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(parts.size(), most); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? last : separator;
    text += parts[i];
  }
  return parts.size() <= most ? text : text + " and " + std::to_string(parts.size() - most) + " more";
}

std::string padding(std::string_view text, std::size_t width) {
  return std::string(width - std::min(width, width_of(text)), ' ');
}

}  // namespace

std::string counted_with_commas(std::uint64_t count, std::string_view noun) {
  return with_commas(count) + " " + plural(count, noun);
}

std::string counted_in_words(double number, std::string_view noun) {
  return in_words(number) + " " + plural(number, noun);
}

std::string with_article(std::string_view noun) {
  const bool begins_with_vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (begins_with_vowel ? "an " : "a ") + std::string(noun);
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator, std::size_t most) {
  return joined_with(parts, separator, separator, most);
}

void append_part(std::string& list, std::string_view part, std::string_view separator) {
  if (!list.empty()) list += separator;
  list += part;
}

std::string joined_and(const std::vector<std::string>& parts, std::size_t most) {
  return joined_with(parts, ", ", " and ", most);
}

std::string joined_or(const std::vector<std::string>& parts, std::size_t most) {
  return joined_with(parts, ", ", " or ", most);
}

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string escaped_in_quotes(std::string_view text) {
  return in_quotes(replaced_all(replaced_all(std::string(text), "\\", R"(\\)"), "\"", R"(\")"));
}

std::string listed(const std::vector<std::string>& names) {
  return joined_or(texts_of(names, in_quotes), 20);
}

std::string_view trimmed(std::string_view text, std::string_view characters) {
  text.remove_prefix(std::min(text.find_first_not_of(characters), text.size()));
  return trimmed_end(text, characters);
}

std::string_view trimmed_end(std::string_view text, std::string_view characters) {
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string lower_case(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

std::string capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string right_aligned(std::string_view text, std::size_t width) {
  return padding(text, width) + std::string(text);
}

std::string left_aligned(std::string_view text, std::size_t width) {
  return std::string(text) + padding(text, width);
}

std::string shortened(const std::string& text, std::size_t most) {
  if (width_of(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && ++characters >= most) break;
  return text.substr(0, end) + "…";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string& line = lines.back();
    if (line.empty()) {
      line = word;
    } else if (width_of(line) + 1 + width_of(word) <= width) {
      line += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace saturn
