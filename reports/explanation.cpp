#include "reports/explanation.hpp"

#include <algorithm>

#include "reports/shell_word.hpp"

namespace saturn {

void sort_by_gain(std::vector<ExplainedChange>& changes) {
  std::stable_sort(changes.begin(), changes.end(), [](const ExplainedChange& a, const ExplainedChange& b) {
    if (!a.effect || !b.effect) return a.effect.has_value() && !b.effect.has_value();
    return a.effect->events_per_s.mean > b.effect->events_per_s.mean;
  });
}

std::string options_text(const std::vector<Override>& settings) {
  std::string text;
  for (const Override& setting : settings) text += (text.empty() ? "--set " : " --set ") + shell_word(text_of(setting));
  return text;
}

std::string word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::gains:
      return "gains";
    case Verdict::loses:
      return "loses";
    case Verdict::no_difference:
      break;
  }
  return "no difference";
}

}  // namespace saturn
