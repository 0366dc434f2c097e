#include "reports/price_list.hpp"

namespace saturn {

std::string price_list(const std::vector<QuotedPrice>& prices) {
  std::string text;
  for (const QuotedPrice& price : prices) {
    const std::string origin = price.source.empty() ? "no source" : price.source;
    text += "  " + price.of + " " + price.value + " (" + (price.date.empty() ? "" : price.date + ", ") + origin + ")\n";
  }
  return text.empty() ? "" : "Prices\n" + text;
}

std::string priced_words(const std::vector<std::string>& parts, const std::string& device_word) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i] == "devices" ? device_word + "s" : parts[i];
  }
  return text;
}

}  // namespace saturn
