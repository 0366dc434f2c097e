#include "reports/plan_sentence.hpp"

#include <algorithm>
#include <cmath>

#include "reports/number_text.hpp"
#include "reports/system_facts.hpp"

namespace saturn {

namespace {

/// "GPU gke/t4": what it is called among people, then its name.
std::string called(const std::string& kind, const std::string& name) {
  if (kind == "gpu" || kind == "fpga" || kind == "ipu" || kind == "cpu") {
    std::string word = kind;
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return word + " " + name;
  }
  return kind.empty() ? name : kind + " " + name;
}

std::string how_many(const PlanSentence& facts) {
  const double half_width = (facts.high - facts.low) / 2;
  if (std::isfinite(half_width) && half_width >= 0.5)
    return whole_text(facts.jobs_per_device) + " ± " + whole_text(std::ceil(half_width)) + " " + facts.noun + "s";
  const double shown = std::floor(facts.jobs_per_device * 10) / 10;
  if (shown < 10 && shown != std::floor(shown)) return fixed_text(shown, 1) + " " + facts.noun + "s";
  return counted(std::floor(facts.jobs_per_device), facts.noun);
}

std::string limits(const PlanSentence& facts) {
  if (facts.binding.empty()) return "No resource is shared, so nothing ever saturates.";
  std::string text = "The " + called(facts.binding_kind, facts.binding) + " binds";
  if (!facts.next.empty()) {
    text += "; the next limit is the " + called(facts.next_kind, facts.next) + " at " +
            counted(std::round(facts.next_at_jobs), facts.noun);
  }
  return text + ".";
}

std::string money(const PlanSentence& facts) {
  if (!facts.usd_per_million_events) return "";
  std::string text = number_text(*facts.usd_per_million_events, 3) + " USD per million events";
  if (!facts.priced.empty()) text += " for the " + facts.priced;
  if (facts.cpu_only_usd_per_million)
    text += ", against " + number_text(*facts.cpu_only_usd_per_million, 3) + " on CPU alone";
  return text + ".";
}

}  // namespace

std::string plan_sentence(const PlanSentence& facts) {
  const std::string costs = money(facts);
  return how_many(facts) + " per " + facts.device_word + ". " + limits(facts) + (costs.empty() ? "" : " ") + costs;
}

std::string plan_sentence_lines(const PlanSentence& facts, TextStyle style) {
  const std::string costs = money(facts);
  return heading(how_many(facts) + " per " + facts.device_word + ". " + limits(facts), style) +
         (costs.empty() ? "" : heading(costs, style));
}

}  // namespace saturn
