#include "reports/figures/figure_words.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "reports/compact_number.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double longest_with_commas = 1e9;

// Bytes that continue a letter of UTF-8 are no letters.
bool begins_letter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

}  // namespace

std::size_t letters_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_letter));
}

std::vector<std::string> wrapped_words(const std::string& text, std::size_t letters) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const bool fits = !lines.empty() && letters_of(lines.back()) + 1 + letters_of(word) <= letters;
    if (fits) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string shortened_words(const std::string& text, std::size_t letters) {
  if (letters_of(text) <= letters) return text;
  std::string kept;
  std::size_t count = 0;
  for (const char byte : text) {
    if (begins_letter(byte) && ++count >= letters) break;
    kept += byte;
  }
  return kept + "…";
}

std::string label_number(double value, int significant_digits) {
  if (std::isfinite(value) && value == std::round(value) && std::abs(value) >= 1000.0 &&
      std::abs(value) < longest_with_commas)
    return whole_text(value);
  return compact_number(value, significant_digits);
}

}  // namespace saturn
