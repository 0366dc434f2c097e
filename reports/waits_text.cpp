#include "reports/waits_text.hpp"

#include <algorithm>

#include "models/words/texts.hpp"
#include "reports/number_text.hpp"

namespace saturn {

std::string waits_text(const std::vector<WaitingPart>& waits) {
  constexpr std::size_t most = 3;
  double sum = 0.0;
  for (const WaitingPart& part : waits) sum += part.per_event_s;
  std::string text;
  for (std::size_t i = 0; i < std::min(waits.size(), most); ++i)
    append_part(text, waits[i].what + " (" + percent_text(waits[i].per_event_s / sum) + ")", "; ");
  return text;
}

}  // namespace saturn
