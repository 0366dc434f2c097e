#include "calibration/import/prometheus_line.hpp"

#include <cctype>

#include "calibration/import/line_walk.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
}

std::string take_name(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_name(text[end])) ++end;
  std::string name(text.substr(0, end));
  text = trimmed(text.substr(end));
  return name;
}

bool take_char(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text = trimmed(text.substr(1));
  return true;
}

std::optional<std::string> take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::string value;
  for (std::size_t k = 1; k < text.size(); ++k) {
    if (text[k] == '"') {
      text = trimmed(text.substr(k + 1));
      return value;
    }
    if (text[k] == '\\' && k + 1 < text.size()) {
      ++k;
      value += text[k] == 'n' ? '\n' : text[k];
    } else {
      value += text[k];
    }
  }
  return std::nullopt;
}

bool take_labels(std::string_view& text, PrometheusSample& sample, std::string& fault) {
  while (!take_char(text, '}')) {
    const std::string label = take_name(text);
    auto value = !label.empty() && take_char(text, '=') ? take_quoted(text) : std::nullopt;
    if (!value) {
      fault = "its labels have to read {model=\"a\",version=\"1\"}";
      return false;
    }
    sample.labels[label] = std::move(*value);
    if (!take_char(text, ',') && !text.starts_with('}')) {
      fault = "its labels are not closed by \"}\"";
      return false;
    }
  }
  return true;
}

}  // namespace

std::optional<PrometheusSample> prometheus_line(std::string_view line, std::string& fault) {
  PrometheusSample sample;
  std::string_view text = trimmed(line);
  sample.name = take_name(text);
  if (take_char(text, '{') && !take_labels(text, sample, fault)) return std::nullopt;
  const std::size_t end = text.find_first_of(" \t");
  const auto value = plain_number(text.substr(0, end));
  if (!value) {
    fault = "its value is \"" + std::string(text.substr(0, end).substr(0, 40)) +
            "\", not a number that is counted or measured (0, or 1e-15 to 1e15)";
    return std::nullopt;
  }
  sample.value = *value;
  if (end == std::string_view::npos) return sample;
  const auto milliseconds = plain_number(text.substr(end));
  if (!milliseconds) {
    fault = "behind the value there is \"" + std::string(trimmed(text.substr(end)).substr(0, 40)) +
            "\", which is no timestamp";
    return std::nullopt;
  }
  sample.time_s = *milliseconds / 1000.0;
  return sample;
}

}  // namespace saturn
