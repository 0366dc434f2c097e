#include "reports/run/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

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

namespace {

using Align = TextTable::Align;

constexpr double noise_of_change = 1e-9;

std::string percent_change(const std::optional<Estimate>& change) {
  if (!change) return no_value;
  if (std::abs(change->low) < noise_of_change && std::abs(change->high) < noise_of_change) return "0";
  const std::string sign = change->mean > 0.0 ? "+" : "";
  if (change->half_width() < 2.0 * least_difference) {
    const double steps = std::max(1.0, std::ceil(change->half_width() / least_difference - noise_of_change));
    return sign + fixed_text(change->mean * 100.0, 2) + " ± " + fixed_text(steps * least_difference * 100.0, 2);
  }
  return sign + estimate_text(*change, 100.0);
}

std::string preamble(const Estimate& gain) {
  const std::string source = gain.replications == 1
                                 ? "batch means of one pair of runs"
                                 : counted(gain.replications, "pair") + " of runs with the same random numbers";
  return "  in per cent of this run, each change alone; the interval (" + percent_text(gain.confidence) + ") is from " +
         source + "\n";
}

std::string effects_text(const std::vector<ExplainedChange>& changes, TextStyle style) {
  TextTable table({{""},
                   {"change"},
                   {"events/s", Align::right},
                   {"event time", Align::right},
                   {"latency", Align::right},
                   {"its 99 %", Align::right},
                   {""}});
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    if (const auto& effect = changes[i].effect) {
      table.add_row({number, changes[i].neighbour.what, percent_change(effect->events_per_s),
                     percent_change(effect->event_time), percent_change(effect->latency),
                     percent_change(effect->latency_p99), word_of(verdict_of(effect->events_per_s))});
    } else {
      table.add_row({number, changes[i].neighbour.what, no_value, no_value, no_value, no_value, "no result"});
    }
  }
  return table.text(style);
}

}  // namespace

std::string explanation_text(const Explanation& explanation, TextStyle style) {
  std::string text = "\n" + heading("What one change would gain", style);
  const auto& changes = explanation.changes;
  const auto simulated =
      std::find_if(changes.begin(), changes.end(), [](const ExplainedChange& one) { return one.effect.has_value(); });
  if (simulated != changes.end()) text += preamble(simulated->effect->events_per_s);
  if (!changes.empty()) text += effects_text(changes, style) + "  To repeat one, add to the command:\n";
  for (std::size_t i = 0; i < changes.size(); ++i) {
    text += "  " + std::to_string(i + 1) + "  " + options_text(changes[i].neighbour.settings) + "\n";
  }
  std::vector<std::pair<std::string, std::string>> notes;
  for (const ExplainedChange& change : changes) notes.emplace_back(change.neighbour.what, change.why_not);
  for (const NoNeighbour& one : explanation.left_out) notes.emplace_back("not tried: " + one.what, one.why);
  return text + notes_text(notes);
}

}  // namespace saturn
