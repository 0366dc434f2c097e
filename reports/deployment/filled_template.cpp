#include "reports/deployment/filled_template.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string_view>

#include "scenarios/document/text_files.hpp"

namespace saturn {

std::span<const EmbeddedFile> deployment_templates();

namespace {

bool is_value_name(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

}  // namespace

std::string filled_template(const std::string& name, const TemplateValues& values) {
  const auto files = deployment_templates();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& one) { return one.name == name + ".in"; });
  if (file == files.end()) throw std::logic_error("no template " + name);
  std::string_view rest = file->text;
  std::string text;
  while (true) {
    const std::size_t begin = rest.find('@');
    const std::size_t end = begin == std::string_view::npos ? begin : rest.find('@', begin + 1);
    if (end == std::string_view::npos) return text.append(rest);
    const std::string_view key = rest.substr(begin + 1, end - begin - 1);
    if (!is_value_name(key)) {
      text += rest.substr(0, end);
      rest.remove_prefix(end);
      continue;
    }
    const auto value = values.find(key);
    if (value == values.end()) throw std::logic_error(name + ": no value of " + std::string(key));
    text.append(rest.substr(0, begin)).append(value->second);
    rest.remove_prefix(end + 1);
  }
}

}  // namespace saturn
