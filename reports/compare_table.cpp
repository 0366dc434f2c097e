#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/units.hpp"
#include "models/words/texts.hpp"
#include "reports/compare_report.hpp"
#include "reports/number_text.hpp"
#include "reports/price_list.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;
using Where = BreakEvenPoint::Where;

constexpr double milli = 1e3;

bool of_round_trip(const BreakEven& one) {
  return one.of == BreakEvenOf::round_trip_time;
}

/// A value of the varied quantity with its unit.
std::string value_text(const BreakEven& one, const Estimate& value, const std::string& device_word) {
  if (!of_round_trip(one)) return estimate_text(value) + " jobs per " + device_word;
  return estimate_text(value, milli) + " ms";
}

std::string exact_text(const BreakEven& one, double value, const std::string& device_word) {
  return of_round_trip(one) ? number_text(value * milli, 3) + " ms"
                            : number_text(value, 3) + " jobs per " + device_word;
}

std::string point_text(const BreakEven& one, const BreakEvenPoint& point, const std::string& device_word) {
  switch (point.where) {
    case Where::never:
      return "wins throughout";
    case Where::always:
      return "loses throughout";
    case Where::at:
      break;
  }
  return value_text(one, point.value, device_word);
}

std::string uses_text(const AlternativeOutcome& outcome) {
  return outcome.device_use ? estimate_text(*outcome.device_use, 100.0) + " %" : no_value;
}

std::string binding_text(const AlternativeOutcome& outcome) {
  if (outcome.first_to_saturate.empty()) return "nothing is shared";
  const std::string from = whole_text(std::floor(outcome.saturates_at_jobs));
  if (outcome.saturated) return outcome.first_to_saturate + " binds, from " + from + " jobs on";
  return "nothing yet: " + outcome.first_to_saturate + " at " + from + " jobs";
}

std::string usd_text(const std::optional<double>& usd) {
  return optional_text(usd, 3);
}

/// What has a price in any of the alternatives.
std::vector<PricedPart> priced_anywhere(const AlternativesComparison& all) {
  std::vector<PricedPart> parts;
  for (const PricedPart part :
       {PricedPart::devices, PricedPart::hosts, PricedPart::cores, PricedPart::electricity, PricedPart::traffic}) {
    const bool priced = std::any_of(all.alternatives.begin(), all.alternatives.end(), [&](const auto& one) {
      return one.outcome && std::count(one.outcome->priced.begin(), one.outcome->priced.end(), part) > 0;
    });
    if (priced) parts.push_back(part);
  }
  return parts;
}

std::string winner_text(const CompareReport& report, TextStyle style) {
  const AlternativesComparison& all = report.comparison;
  if (!all.fastest) return "";
  const ComparedAlternative& best = all.alternatives[*all.fastest];
  std::string text = "Shortest events: " + best.about.name + ", " + estimate_text(best.outcome->event_time_s) + " s";
  for (const std::size_t i : all.as_fast) text += "; no slower within the intervals: " + all.alternatives[i].about.name;
  text = heading(text + ".", style);
  if (all.cheapest) {
    const ComparedAlternative& cheapest = all.alternatives[*all.cheapest];
    text += "Cheapest, by the rent of " + priced_words(priced_anywhere(all), report.facts.device_word) +
            (all.cores_priced ? "" : " alone (/costs/core or --core-price adds the cores)") + ": " +
            cheapest.about.name + ", " + number_text(*cheapest.outcome->cost_usd_per_million_events, 3) +
            " USD per million events.\n";
  }
  return text;
}

std::string alternatives_text(const CompareReport& report, TextStyle style) {
  const std::string& device = report.facts.device_word;
  TextTable times({{"alternative"},
                   {"event time [s]", Align::right},
                   {"events/s", Align::right},
                   {"waiting [core-h per 10⁶ events]", Align::right},
                   {"of core time", Align::right}});
  TextTable devices({{"alternative"},
                     {device + "s", Align::right},
                     {"busy", Align::right},
                     {device + "-h per 10⁶ events", Align::right},
                     {"USD per 10⁶ events", Align::right},
                     {"offloaded part alone", Align::right},
                     {"what binds"}});
  for (const ComparedAlternative& one : report.comparison.alternatives) {
    if (!one.outcome) {
      times.add_row({one.about.name, no_value, no_value, no_value, no_value});
      continue;
    }
    const AlternativeOutcome& outcome = *one.outcome;
    times.add_row({one.about.name, estimate_text(outcome.event_time_s), estimate_text(outcome.events_per_s),
                   estimate_text(outcome.waiting_core_s, million / seconds_per_hour),
                   percent_text(outcome.waiting_share.mean)});
    devices.add_row({one.about.name, whole_text(outcome.devices), uses_text(outcome),
                     number_text(outcome.device_hours_per_million_events, 3),
                     usd_text(outcome.cost_usd_per_million_events), usd_text(outcome.module_usd_per_million_events),
                     binding_text(outcome)});
  }
  std::vector<std::pair<std::string, std::string>> notes;
  for (const ComparedAlternative& one : report.comparison.alternatives) {
    std::string note = one.about.why_not.empty() ? one.about.made_of : "not there: " + one.about.why_not;
    if (one.outcome && one.outcome->rejected_share > 0.0) {
      append_part(
          note,
          percent_text(one.outcome->rejected_share) + " of its requests are REJECTED, so its times are no comparison",
          "; ");
    }
    notes.emplace_back(one.about.name, note);
  }
  return heading("The same " + counted(report.facts.jobs, "job") + ", and where the time of their cores goes", style) +
         times.text(style) + "\n" + heading(device + "s, and what binds", style) + devices.text(style) + "\n" +
         notes_text(notes) + (report.comparison.prices.empty() ? "" : "\n" + price_list(report.comparison.prices));
}

std::string break_even_text(const CompareReport& report, TextStyle style) {
  const auto& found = report.comparison.break_evens;
  if (found.empty()) return "";
  TextTable table({{"the service against"},
                   {"varied"},
                   {"now", Align::right},
                   {"by formula", Align::right},
                   {"simulated", Align::right}});
  std::string sentences;
  for (const BreakEven& one : found) {
    table.add_row({one.against, of_round_trip(one) ? "round-trip time" : "jobs per " + report.facts.device_word,
                   of_round_trip(one) ? number_text(one.present * milli, 3) + " ms" : number_text(one.present, 3),
                   point_text(one, one.formula, report.facts.device_word),
                   point_text(one, one.simulated, report.facts.device_word)});
    sentences += break_even_sentence(one, report.facts.device_word) + "\n";
  }
  return "\n" + heading("Where the winner changes", style) + sentences + table.text(style);
}

}  // namespace

std::string break_even_sentence(const BreakEven& one, const std::string& device_word) {
  const std::string what = of_round_trip(one) ? "round-trip time" : "number of jobs per " + device_word;
  const std::string highest = exact_text(one, one.highest, device_word);
  switch (one.simulated.where) {
    case Where::never:
      return one.service + " against " + one.against + ": none: the service wins at any " + what + " up to " + highest +
             ".";
    case Where::always:
      return one.service + " against " + one.against + ": none: the service loses at any " + what + ".";
    case Where::at:
      break;
  }
  return one.service + " against " + one.against + ": the service wins up to " +
         value_text(one, one.simulated.value, device_word) + " and loses beyond" +
         (of_round_trip(one) ? " that round-trip time." : ".");
}

std::string compare_table(const CompareReport& report, TextStyle style) {
  std::string text = heading(report.facts.title, style) + winner_text(report, style);
  text += "\n" + alternatives_text(report, style) + break_even_text(report, style);
  text += "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace saturn
