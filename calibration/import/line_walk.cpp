#include "calibration/import/line_walk.hpp"

#include <charconv>
#include <cmath>

#include "calibration/import/imported_text.hpp"
#include "models/words/texts.hpp"

namespace saturn {

bool LineWalk::next() {
  while (!rest_.empty()) {
    const std::size_t end = rest_.find('\n');
    ended_ = end != std::string_view::npos;
    text_ = rest_.substr(0, end);
    rest_.remove_prefix(ended_ ? end + 1 : rest_.size());
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    ++line_;
    if (text_.find_first_not_of(white_space) != std::string_view::npos) return true;
  }
  return false;
}

std::string column_key(std::string_view name) {
  std::string key;
  for (const char c : trimmed(name)) {
    if (white_space.find(c) != std::string_view::npos) {
      if (!key.ends_with(' ')) key += ' ';
    } else {
      key += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return key;
}

std::optional<double> plain_number(std::string_view text) {
  text = trimmed(text);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !is_measurable(std::abs(value))) return std::nullopt;
  return value;
}

}  // namespace saturn
