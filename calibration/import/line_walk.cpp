#include "calibration/import/line_walk.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "calibration/import/imported_text.hpp"

namespace saturn {

namespace {

constexpr std::string_view white{" \t\r\n\v\f"};

}  // namespace

bool LineWalk::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    ended_ = end != std::string_view::npos;
    text_ = rest_.substr(0, end);
    rest_.remove_prefix(ended_ ? end + 1 : rest_.size());
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    ++line_;
    if (text_.find_first_not_of(white) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view without_margins(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white) - begin + 1);
}

std::string column_key(std::string_view name) {
  std::string key;
  for (const char c : without_margins(name)) {
    if (white.find(c) != std::string_view::npos) {
      if (!key.ends_with(' ')) key += ' ';
    } else {
      key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return key;
}

std::optional<double> plain_number(std::string_view text) {
  text = without_margins(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !is_measurable(std::abs(value))) return std::nullopt;
  return value;
}

std::string short_number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

}  // namespace saturn
