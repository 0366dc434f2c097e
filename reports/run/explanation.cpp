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

namespace {

/// As options of a command line: "--set /models/emtrk/instances=2".
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
         source;
}

/// A change of which people see the percentage, and programs the share.
void add_change(std::vector<Cell>& row, const std::optional<Estimate>& change) {
  row.push_back(change ? Cell(*change) : Cell());
  row.emplace_back(percent_change(change));
}

Table changes_table(const std::vector<ExplainedChange>& changes, std::vector<std::string> place) {
  Table table{.place = std::move(place),
              .columns = {{.key = "change", .readers = For::programs, .names = true},
                          {.readers = For::people},
                          {.title = "change", .readers = For::people}}};
  for (const auto& [key, title] : {std::pair{"events_per_s_change", "events/s"},
                                   {"event_time_change", "event time"},
                                   {"latency_change", "latency"},
                                   {"latency_p99_change", "its 99 %"}}) {
    table.columns.push_back(hidden(key));
    table.columns.push_back({.title = title, .shown = Shown::number, .readers = For::people});
  }
  table.columns.push_back(hidden("verdict"));
  table.columns.push_back({.title = "by events/s", .readers = For::people});
  table.columns.push_back(hidden("set"));
  table.columns.push_back(hidden("why_not"));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const ExplainedChange& one = changes[i];
    const PairedChange effect = one.effect.value_or(PairedChange{});
    const auto known = [&](const Estimate& estimate) { return one.effect ? std::optional(estimate) : std::nullopt; };
    const std::string verdict = one.effect ? word_of(verdict_of(effect.events_per_s)) : "";
    std::vector<Cell> row{one.neighbour.what, std::to_string(i + 1), one.neighbour.what};
    add_change(row, known(effect.events_per_s));
    add_change(row, known(effect.event_time));
    add_change(row, effect.latency);
    add_change(row, effect.latency_p99);
    row.push_back(cell_word(verdict));
    row.emplace_back(one.effect ? verdict : "no result");
    row.emplace_back(texts_of(one.neighbour.settings, [](const Override& setting) { return text_of(setting); }));
    row.push_back(one.effect ? Cell() : Cell(one.why_not));
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace

void add_explanation(Answer& answer, const Explanation& explanation, const std::vector<std::string>& root) {
  answer.parts.emplace_back(Paragraph{.text = "What one change would gain", .heading = true, .details = false});
  const auto& changes = explanation.changes;
  const auto simulated =
      std::find_if(changes.begin(), changes.end(), [](const ExplainedChange& one) { return one.effect.has_value(); });
  if (simulated != changes.end()) answer.say(preamble(simulated->effect->events_per_s));
  const bool of_several = std::any_of(changes.begin(), changes.end(),
                                      [](const ExplainedChange& one) { return one.neighbour.calls.size() > 1; });
  if (of_several)
    answer.say(
        "  where a change meets several models, the latency is that of all their requests, its 99 % the slowest "
        "model's");
  answer.add(changes_table(changes, below(root, "explain"))).details = false;
  if (!changes.empty()) answer.detail("  To repeat one, add to the command:");
  for (std::size_t i = 0; i < changes.size(); ++i)
    answer.detail("  " + std::to_string(i + 1) + "  " + options_text(changes[i].neighbour.settings));
  std::vector<std::pair<std::string, std::string>> notes;
  for (const ExplainedChange& change : changes) notes.emplace_back(change.neighbour.what, change.why_not);
  Table left_out{
      .place = below(root, "explain_left_out"), .columns = {hidden("change"), hidden("why")}, .readers = For::programs};
  for (const NoNeighbour& one : explanation.left_out) {
    notes.emplace_back("not tried: " + one.what, one.why);
    left_out.add_row({one.what, one.why});
  }
  answer.add(std::move(left_out));
  answer.remark(notes);
}

}  // namespace saturn
