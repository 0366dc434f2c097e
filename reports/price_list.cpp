#include "reports/price_list.hpp"

#include "models/words/texts.hpp"

namespace saturn {

std::string price_list(const std::vector<QuotedPrice>& prices) {
  std::string text;
  for (const QuotedPrice& price : prices) {
    const std::string origin = price.source.empty() ? "no source" : price.source;
    text += "  " + price.of + " " + price.value + " (" + (price.date.empty() ? "" : price.date + ", ") + origin + ")\n";
  }
  return text.empty() ? "" : "Prices\n" + text;
}

}  // namespace saturn
