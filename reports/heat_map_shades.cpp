#include "reports/heat_map_shades.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr std::array<const char*, 4> blocks{"░", "▒", "▓", "█"};
// Colours of the 256 of terminals next to viridis, dark to light.
// Source  viridis: S. van der Walt and N. Smith, https://bids.github.io/colormap (CC0)
constexpr std::array<int, 9> viridis{53, 54, 24, 30, 36, 72, 77, 148, 220};
constexpr std::size_t first_light_shade = 4;
// Next to the eight colours of Okabe and Ito that colour-blind readers tell apart, black replaced by grey.
// Source  M. Okabe and K. Ito, "Color Universal Design", https://jfly.uni-koeln.de/color
constexpr std::array<int, 8> categories{214, 74, 36, 227, 25, 166, 175, 250};
constexpr std::size_t dark_category = 4;
constexpr std::size_t letters_of_alphabet = 26;
constexpr std::size_t colour_strip = 27;
constexpr int fewest_digits_of_bounds = 3;
constexpr int most_digits_of_bounds = 10;

std::string coloured(const std::string& text, int background, bool light) {
  const std::string foreground = light ? "16" : "231";
  return "\033[38;5;" + foreground + ";48;5;" + std::to_string(background) + "m" + text + "\033[0m";
}

/// The numbers at which shades begin, and the highest, with as many digits as tell them apart.
std::vector<std::string> bounds_of(const ValueScale& scale, double factor, std::size_t shades) {
  std::vector<std::string> bounds;
  for (int digits = fewest_digits_of_bounds; digits <= most_digits_of_bounds; ++digits) {
    bounds.clear();
    for (std::size_t shade = 0; shade < shades; ++shade)
      bounds.push_back(compact_number(scale.begin_of(shade, shades) * factor, digits));
    bounds.push_back(compact_number(scale.high() * factor, digits));
    if (std::adjacent_find(bounds.begin(), bounds.end()) == bounds.end()) break;
  }
  return bounds;
}

}  // namespace

std::size_t shades_of(TextStyle style) {
  return style.colour ? viridis.size() : blocks.size();
}

std::string on_shade(const std::string& text, std::size_t shade, TextStyle style) {
  return style.colour ? coloured(text, viridis.at(shade), shade >= first_light_shade) : text;
}

std::string shade_text(std::size_t shade, std::size_t characters, TextStyle style) {
  return style.colour ? on_shade(std::string(characters, ' '), shade, style) : repeated(blocks.at(shade), characters);
}

std::string word_letter(std::size_t word) {
  if (word < letters_of_alphabet) return std::string(1, static_cast<char>('A' + word));
  if (word < most_letters) return std::string(1, static_cast<char>('a' + word - letters_of_alphabet));
  return "?";
}

std::string shown_letter(std::size_t word, TextStyle style) {
  if (!style.colour || word >= categories.size()) return word_letter(word);
  return coloured(word_letter(word), categories.at(word), word != dark_category);
}

std::string shade_legend(const ValueScale& scale, const std::string& unit, double factor, TextStyle style) {
  const std::string end = unit.empty() ? "" : " " + unit;
  if (scale.constant()) return "  every value is " + compact_number(scale.low() * factor, 4) + end + "\n";
  const std::size_t shades = shades_of(style);
  const std::vector<std::string> bounds = bounds_of(scale, factor, style.colour ? 1 : shades);
  const std::string logarithmic = scale.logarithmic() ? "(logarithmic scale)" : "";
  if (style.colour) {
    std::string strip;
    for (std::size_t shade = 0; shade < shades; ++shade) strip += shade_text(shade, colour_strip / shades, style);
    return "  " + bounds.front() + " " + strip + " " + bounds.back() + end + "  " + logarithmic + "\n";
  }
  std::string text = " ";
  for (std::size_t shade = 0; shade < shades; ++shade)
    text += " " + repeated(blocks.at(shade), 2) + (shade == 0 ? " from " : " ") + bounds[shade];
  return text + " to " + bounds.back() + end + "\n" + (logarithmic.empty() ? "" : "     " + logarithmic + "\n");
}

}  // namespace saturn
