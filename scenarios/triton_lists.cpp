#include "scenarios/triton_lists.hpp"

#include <algorithm>
#include <cctype>

namespace saturn {

namespace {

bool is_word_of_lists(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

std::size_t end_of_string(const std::string& text, std::size_t open) {
  std::size_t i = open + 1;
  while (i < text.size() && text[i] != text[open] && text[i] != '\n') i += text[i] == '\\' ? 2U : 1U;
  return std::min(i + 1, text.size());
}

std::size_t end_of_word(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_word_of_lists(text[end])) ++end;
  return end;
}

}  // namespace

std::size_t WithColons::original(std::size_t offset) const {
  const auto before = std::lower_bound(inserted.begin(), inserted.end(), offset);
  return offset - static_cast<std::size_t>(before - inserted.begin());
}

WithColons with_colons(const std::string& text) {
  WithColons result;
  bool after_colon = false;
  bool after_name = false;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    std::size_t end = i + 1;
    if (c == '#') {
      end = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      end = end_of_string(text, i);
      after_colon = after_name = false;
    } else if (is_word_of_lists(c)) {
      end = end_of_word(text, i);
      after_name = !after_colon;
      after_colon = false;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      if (c == '[' && after_name) {
        result.inserted.push_back(result.text.size());
        result.text += ':';
      }
      after_colon = c == ':';
      after_name = false;
    }
    result.text += text.substr(i, end - i);
    i = end;
  }
  return result;
}

}  // namespace saturn
