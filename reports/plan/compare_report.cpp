#include "reports/plan/compare_report.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/tables/csv_rows.hpp"
#include "reports/tables/json_parts.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

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

namespace {

using Json = nlohmann::ordered_json;

Json json_scaled(Estimate estimate, double factor) {
  estimate.mean *= factor;
  estimate.low *= factor;
  estimate.high *= factor;
  return json_estimate<Json>(estimate);
}

Json json_outcome(const AlternativeOutcome& outcome) {
  Json json = Json::object();
  json["event_time_s"] = json_estimate<Json>(outcome.event_time_s);
  json["events_per_s"] = json_estimate<Json>(outcome.events_per_s);
  json["waiting_core_s_per_event"] = json_estimate<Json>(outcome.waiting_core_s);
  json["waiting_core_h_per_million_events"] = json_scaled(outcome.waiting_core_s, 1e6 / 3600.0);
  json["waiting_share_of_core_time"] = json_estimate<Json>(outcome.waiting_share);
  json["devices"] = json_number<Json>(outcome.devices);
  json["device_busy_fraction"] = outcome.device_use ? json_estimate<Json>(*outcome.device_use) : Json(nullptr);
  json["device_h_per_million_events"] = json_number<Json>(outcome.device_hours_per_million_events);
  json["cost_usd_per_million_events"] = json_number<Json>(outcome.cost_usd_per_million_events);
  json["cost_of"] = Json::array();
  for (const PricedPart part : outcome.priced) json["cost_of"].push_back(name_of(part));
  json["module_usd_per_million_events"] = json_number<Json>(outcome.module_usd_per_million_events);
  json["rejected_share"] = json_number<Json>(outcome.rejected_share);
  const bool binds = !outcome.first_to_saturate.empty();
  json["binding"]["resource"] = binds ? Json(outcome.first_to_saturate) : Json(nullptr);
  json["binding"]["at_jobs"] = binds ? json_number<Json>(outcome.saturates_at_jobs) : Json(nullptr);
  json["binding"]["saturated"] = outcome.saturated;
  return json;
}

Json json_alternative(const ComparedAlternative& one) {
  Json json = Json::object();
  json["name"] = one.about.name;
  json["set"] = texts_of(one.about.settings);
  json["made_of"] = one.about.made_of;
  json["why_not"] = one.about.why_not.empty() ? Json(nullptr) : Json(one.about.why_not);
  json["result"] = one.outcome ? json_outcome(*one.outcome) : Json(nullptr);
  return json;
}

Json json_point(const BreakEvenPoint& point) {
  switch (point.where) {
    case BreakEvenPoint::Where::never:
      return {{"where", "never"}, {"value", nullptr}};
    case BreakEvenPoint::Where::always:
      return {{"where", "always"}, {"value", nullptr}};
    case BreakEvenPoint::Where::at:
      break;
  }
  Json json = Json::object();
  json["where"] = "at";
  json["value"] = json_estimate<Json>(point.value);
  return json;
}

Json json_break_even(const BreakEven& one, const std::string& device_word) {
  Json json = Json::object();
  json["of"] = one.of == BreakEvenOf::round_trip_time ? "round_trip_time_s" : "jobs_per_device";
  json["service"] = one.service;
  json["against"] = one.against;
  json["present"] = json_number<Json>(one.present);
  json["lowest"] = json_number<Json>(one.lowest);
  json["highest"] = json_number<Json>(one.highest);
  json["formula"] = json_point(one.formula);
  json["simulated"] = json_point(one.simulated);
  json["simulations"] = one.simulations;
  json["says"] = break_even_sentence(one, device_word);
  return json;
}

}  // namespace

std::string compare_json(const CompareReport& report) {
  const AlternativesComparison& all = report.comparison;
  const auto name = [&](const std::optional<std::size_t>& index) {
    return index ? Json(all.alternatives[*index].about.name) : Json(nullptr);
  };
  Json document = Json::object();
  document["provenance"] = json_provenance<Json>(report.provenance);
  document["jobs"] = json_number<Json>(report.facts.jobs);
  document["alternatives"] = Json::array();
  for (const ComparedAlternative& one : all.alternatives) document["alternatives"].push_back(json_alternative(one));
  document["winner"]["shortest_events"] = name(all.fastest);
  document["winner"]["no_slower"] = Json::array();
  for (const std::size_t i : all.as_fast) document["winner"]["no_slower"].push_back(all.alternatives[i].about.name);
  document["winner"]["cheapest"] = name(all.cheapest);
  document["winner"]["cost_includes_cores"] = all.cores_priced;
  document["prices"] = json_prices<Json>(all.prices);
  document["break_even"] = Json::array();
  for (const BreakEven& one : all.break_evens) {
    document["break_even"].push_back(json_break_even(one, report.facts.device_word));
  }
  return json_document(document);
}

namespace {

void add_outcome(CsvRows& rows, const std::string& name, const AlternativeOutcome& outcome) {
  rows.add("alternatives", name, "event_time_s", outcome.event_time_s);
  rows.add("alternatives", name, "events_per_s", outcome.events_per_s);
  rows.add("alternatives", name, "waiting_core_s_per_event", outcome.waiting_core_s);
  rows.add("alternatives", name, "waiting_share_of_core_time", outcome.waiting_share);
  rows.add("alternatives", name, "devices", outcome.devices);
  if (outcome.device_use) rows.add("alternatives", name, "device_busy_fraction", *outcome.device_use);
  rows.add("alternatives", name, "device_h_per_million_events", outcome.device_hours_per_million_events);
  if (outcome.cost_usd_per_million_events) {
    rows.add("alternatives", name, "cost_usd_per_million_events", outcome.cost_usd_per_million_events);
  }
  if (outcome.module_usd_per_million_events) {
    rows.add("alternatives", name, "module_usd_per_million_events", outcome.module_usd_per_million_events);
  }
  rows.add("alternatives", name, "rejected_share", outcome.rejected_share);
  if (outcome.first_to_saturate.empty()) return;
  rows.add("alternatives", name, "first_to_saturate", outcome.first_to_saturate);
  rows.add("alternatives", name, "saturates_at_jobs", outcome.saturates_at_jobs);
}

void add_point(CsvRows& rows, const std::string& name, const std::string& quantity, const BreakEvenPoint& point) {
  switch (point.where) {
    case BreakEvenPoint::Where::never:
      rows.add("break_even", name, quantity, std::string("never"));
      return;
    case BreakEvenPoint::Where::always:
      rows.add("break_even", name, quantity, std::string("always"));
      return;
    case BreakEvenPoint::Where::at:
      break;
  }
  rows.add("break_even", name, quantity, point.value);
}

}  // namespace

std::string compare_csv(const CompareReport& report) {
  CsvRows rows;
  const AlternativesComparison& all = report.comparison;
  for (const ComparedAlternative& one : all.alternatives) {
    if (one.outcome) add_outcome(rows, one.about.name, *one.outcome);
    if (!one.about.why_not.empty()) rows.add("alternatives", one.about.name, "why_not", one.about.why_not);
  }
  if (all.fastest)
    rows.add("winner", all.alternatives[*all.fastest].about.name, "shortest_events", std::string("true"));
  if (all.cheapest) rows.add("winner", all.alternatives[*all.cheapest].about.name, "cheapest", std::string("true"));
  for (const BreakEven& one : all.break_evens) {
    const bool time = one.of == BreakEvenOf::round_trip_time;
    const std::string quantity = time ? "round_trip_time_s" : "jobs_per_device";
    const std::string name = one.service + " against " + one.against;
    add_point(rows, name, quantity + "_by_formula", one.formula);
    add_point(rows, name, quantity, one.simulated);
  }
  return rows.text();
}

}  // namespace saturn
