#include "reports/plan/compare_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

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

/// "no more than 1 % slower"
std::string as_good_text(const BreakEven& one) {
  return "no more than " + percent_text(one.least_difference) + " slower";
}

std::string point_text(const BreakEven& one, const BreakEvenPoint& point, const std::string& device_word) {
  switch (point.where) {
    case Where::never:
      return "throughout";
    case Where::always:
      return "nowhere";
    case Where::at:
      break;
  }
  return value_text(one, point.value, device_word);
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

void say_winner(Answer& answer, const CompareReport& report) {
  const AlternativesComparison& all = report.comparison;
  const auto name = [&](const std::optional<std::size_t>& index) {
    return index ? Cell(all.alternatives[*index].about.name) : Cell();
  };
  answer.add_facts({"winner"},
                   {{"shortest_events", name(all.fastest)},
                    {"no_slower", texts_of(all.as_fast, [&](std::size_t i) { return all.alternatives[i].about.name; })},
                    {"cheapest", name(all.cheapest)},
                    {"cost_includes_cores", all.cores_priced}});
  if (!all.fastest) return;
  const ComparedAlternative& best = all.alternatives[*all.fastest];
  std::string text = "Shortest events: " + best.about.name + ", " + estimate_text(best.outcome->event_time_s) + " s";
  for (const std::size_t i : all.as_fast)
    text += (i == all.as_fast.front() ? "; no slower within the intervals: " : ", ") + all.alternatives[i].about.name;
  answer.say(text + ".");
  if (!all.cheapest) return;
  const ComparedAlternative& cheapest = all.alternatives[*all.cheapest];
  answer.say("Cheapest, by the rent of " + priced_words(priced_anywhere(all), report.facts.device_word) +
             (all.cores_priced ? "" : " alone (/costs/core or --core-price adds the cores)") + ": " +
             cheapest.about.name + ", " + number_text(*cheapest.outcome->cost_usd_per_million_events, 3) +
             " USD per million events.");
}

/// What an alternative is best at: "time", "cost", both, or nothing.
std::string wins_of(const AlternativesComparison& all, std::size_t alternative) {
  std::string wins;
  if (all.fastest == alternative || std::count(all.as_fast.begin(), all.as_fast.end(), alternative) > 0) wins = "time";
  if (all.cheapest == alternative) append_part(wins, "cost", ", ");
  return wins;
}

/// A cell for each number of an alternative that was simulated, in the order of the columns below.
std::vector<Cell> outcome_cells(const AlternativeOutcome& outcome) {
  const bool binds = !outcome.first_to_saturate.empty();
  return {outcome.event_time_s,
          outcome.events_per_s,
          outcome.waiting_core_s,
          outcome.waiting_share,
          outcome.devices,
          outcome.device_use ? Cell(*outcome.device_use) : Cell(),
          outcome.device_hours_per_million_events,
          cell(outcome.cost_usd_per_million_events),
          cell(outcome.module_usd_per_million_events),
          texts_of(outcome.priced, [](PricedPart part) { return name_of(part); }),
          outcome.unserved_share,
          binds ? Cell(outcome.first_to_saturate) : Cell(),
          binds ? Cell(outcome.saturates_at_jobs) : Cell(),
          outcome.saturated};
}

std::vector<Column> outcome_columns(const std::string& device) {
  const auto number = [](const char* key, std::string title, int digits = 4) {
    return Column{.key = key,
                  .title = std::move(title),
                  .shown = Shown::number,
                  .digits = digits,
                  .json = "result/" + std::string(key)};
  };
  std::vector<Column> columns{number("event_time_s", "event time [s]"),
                              number("events_per_s", "events/s"),
                              number("waiting_core_s_per_event", "waiting [core-h per 10⁶ events]"),
                              number("waiting_share_of_core_time", "of core time"),
                              number("devices", device + "s"),
                              number("device_busy_fraction", "busy"),
                              number("device_h_per_million_events", device + "-h per 10⁶ events", 3),
                              number("cost_usd_per_million_events", "USD per 10⁶ events", 3),
                              number("module_usd_per_million_events", "offloaded part alone", 3),
                              number("cost_of", ""),
                              number("unserved_share", ""),
                              number("first_to_saturate", ""),
                              number("saturates_at_jobs", ""),
                              number("saturated", "")};
  columns[2].factor = million / seconds_per_hour;
  columns[3].shown = columns[5].shown = Shown::percent;
  columns[4].shown = Shown::whole;
  for (Column& column : columns)
    if (column.title.empty()) column.readers = For::programs;
  return columns;
}

void add_alternatives(Answer& answer, const CompareReport& report) {
  const std::string& device = report.facts.device_word;
  const auto is_first = [](const Column& column) {
    return column.key == "event_time_s" || column.key == "events_per_s" || column.key == "devices" ||
           column.key == "cost_usd_per_million_events";
  };
  const std::vector<Column> columns = outcome_columns(device);
  Table all{.place = {"alternatives"},
            .caption = "The same " + jobs_text(report.facts),
            .columns = {{.key = "name", .title = "alternative"}},
            .details = false};
  Table more{.caption = "Where the time of cores and " + device + "s goes",
             .columns = {{.title = "alternative"}},
             .readers = For::people};
  for (const Column& column : columns) {
    all.columns.push_back(column);
    if (column.readers == For::programs || is_first(column)) continue;
    all.columns.back().readers = For::programs;
    more.columns.push_back(column);
  }
  all.columns.push_back({.title = "wins", .readers = For::people});
  all.columns.push_back({.title = "binds first", .readers = For::people});
  all.columns.push_back({.title = "at [jobs]", .shown = Shown::whole, .readers = For::people});
  for (const char* key : {"set", "made_of", "why_not"}) all.columns.push_back(hidden(key));
  std::vector<std::pair<std::string, std::string>> notes;
  for (std::size_t i = 0; i < report.comparison.alternatives.size(); ++i) {
    const ComparedAlternative& one = report.comparison.alternatives[i];
    std::vector<Cell> cells = one.outcome ? outcome_cells(*one.outcome) : std::vector<Cell>(columns.size());
    if (one.outcome) {
      std::vector<Cell> row{one.about.name};
      for (std::size_t c = 0; c < columns.size(); ++c)
        if (columns[c].readers != For::programs && !is_first(columns[c])) row.push_back(cells[c]);
      more.add_row(std::move(row));
    }
    cells.insert(cells.begin(), one.about.name);
    const bool binds = one.outcome && !one.outcome->first_to_saturate.empty();
    cells.emplace_back(wins_of(report.comparison, i));
    cells.emplace_back(binds         ? one.outcome->first_to_saturate
                       : one.outcome ? "nothing is shared"
                                     : "not there: --details");
    cells.push_back(binds ? Cell(one.outcome->saturates_at_jobs) : Cell());
    cells.emplace_back(texts_of(one.about.settings, [](const Override& setting) { return text_of(setting); }));
    cells.emplace_back(one.about.made_of);
    cells.push_back(cell_word(one.about.why_not));
    all.add_row(std::move(cells));
    std::string note = one.about.why_not.empty() ? one.about.made_of : "not there: " + one.about.why_not;
    if (one.outcome && one.outcome->unserved_share > 0.0)
      append_part(note,
                  percent_text(one.outcome->unserved_share) +
                      " of its work is REJECTED or FAILS, so its times are no comparison",
                  "; ");
    notes.emplace_back(one.about.name, note);
  }
  answer.add(std::move(all));
  answer.add(std::move(more));
  answer.remark(notes);
}

/// "never", "always", or the value; for people a sentence.
Cell point_cell(const BreakEvenPoint& point) {
  return point.where == Where::at ? Cell(point.value) : Cell();
}

std::string where_text(const BreakEvenPoint& point) {
  return point.where == Where::never ? "never" : point.where == Where::always ? "always" : "at";
}

/// "service at iowa against CPU only: more than 1 % slower at any round-trip time."
std::string break_even_sentence(const BreakEven& one, const std::string& device_word) {
  const std::string what = of_round_trip(one) ? "round-trip time" : "number of jobs per " + device_word;
  const std::string pair = one.service + " against " + one.against + ": ";
  switch (one.simulated.where) {
    case Where::never:
      return pair + as_good_text(one) + " at any " + what + " up to " + exact_text(one, one.highest, device_word) + ".";
    case Where::always:
      return pair + "more than " + percent_text(one.least_difference) + " slower at any " + what + ".";
    case Where::at:
      break;
  }
  return pair + as_good_text(one) + " up to " + (of_round_trip(one) ? "a round-trip time of " : "") +
         value_text(one, one.simulated.value, device_word) + ".";
}

void add_break_evens(Answer& answer, const CompareReport& report) {
  const std::string& device = report.facts.device_word;
  Table table{.place = {"break_even"},
              .caption = "Up to where the service is as good",
              .columns = {{.key = "service", .readers = For::programs, .names = true},
                          {.key = "against", .title = "the service against", .names = true},
                          {.key = "of", .readers = For::programs, .names = true},
                          {.title = "varied", .readers = For::people},
                          hidden("present"),
                          {.title = "now", .shown = Shown::number, .readers = For::people},
                          hidden("lowest"),
                          hidden("highest"),
                          {.key = "least_difference", .title = "as good: slower by", .shown = Shown::percent},
                          {.key = "formula_where", .readers = For::programs, .json = "formula/where"},
                          {.key = "formula", .readers = For::programs, .json = "formula/value"},
                          {.title = "by formula", .shown = Shown::number, .readers = For::people},
                          {.key = "simulated_where", .readers = For::programs, .json = "simulated/where"},
                          {.key = "simulated", .readers = For::programs, .json = "simulated/value"},
                          {.title = "simulated", .shown = Shown::number, .readers = For::people},
                          hidden("simulations"),
                          hidden("says")}};
  for (const BreakEven& one : report.comparison.break_evens) {
    const bool time = of_round_trip(one);
    const std::string says = break_even_sentence(one, device);
    table.add_row({one.service, one.against, time ? "round_trip_time_s" : "jobs_per_device",
                   time ? "round-trip time" : "jobs per " + device, one.present,
                   time ? number_text(one.present * milli, 3) + " ms" : number_text(one.present, 3), one.lowest,
                   one.highest, one.least_difference, where_text(one.formula), point_cell(one.formula),
                   point_text(one, one.formula, device), where_text(one.simulated), point_cell(one.simulated),
                   point_text(one, one.simulated, device), std::uint64_t{one.simulations}, says});
    answer.say(says);
  }
  answer.add(std::move(table));
}

}  // namespace

Answer compare_answer(const CompareReport& report) {
  Answer answer{.title = report.facts.title, .provenance = report.provenance};
  answer.add_facts({}, {{"jobs", report.facts.jobs}});
  say_winner(answer, report);
  add_alternatives(answer, report);
  add_prices(answer, report.comparison.prices, {});
  add_break_evens(answer, report);
  return answer;
}

namespace {

constexpr double nearly_sure = 0.9999;

std::string chance_text(const std::optional<double>& chance) {
  if (!chance) return "unknown";
  if (*chance > nearly_sure && *chance < 1.0) return "> 99.99 %";
  if (*chance<1.0 - nearly_sure&& * chance> 0.0) return "< 0.01 %";
  return percent_text(*chance);
}

std::string relative_text(const PairedDifference& paired) {
  return paired.a.mean == 0.0 ? no_value : signed_percent_text(paired.difference.mean / paired.a.mean);
}

std::string pairs_text(const TwoScenariosReport& report) {
  if (report.comparison.nothing_drawn) return "nothing is drawn in either, so one run of each tells all";
  return counted(report.comparison.pairs, "pair") + " of replications with the same random numbers";
}

std::string decision_text(const TwoScenariosReport& report) {
  if (!report.comparison.in_common)
    return "No verdict: A and B have nothing in common, neither jobs nor a model of the same name. Compare variants of "
           "one scenario (--set-a, --set-b), or give jobs that do the same work the same name.";
  const ComparedNumber& first = report.comparison.numbers.front();
  const std::string by = first.name + " B − A is " + estimate_text(first.paired.difference) + " " + first.unit + " (" +
                         relative_text(first.paired) + ")";
  switch (report.decision) {
    case Decision::a_better:
      return "A is better: " + by + ".";
    case Decision::b_better:
      return "B is better: " + by + ".";
    case Decision::no_difference:
      return "No difference of " + percent_text(report.least_difference) + " or more: " + by + ".";
    case Decision::undecided:
      break;
  }
  return "UNDECIDED" +
         (!report.out_of_time ? ""
          : report.budget_s   ? " within the budget of " + number_text(*report.budget_s, 3) +
                                  " s (how many pairs that is depends on the machine)"
                            : " when it was interrupted") +
         ": " + by +
         "; raise /run/max_replications, give more time with --budget, or accept a larger "
         "--least-difference.";
}

}  // namespace

const char* name_of(Decision decision) {
  switch (decision) {
    case Decision::a_better:
      return "A is better";
    case Decision::b_better:
      return "B is better";
    case Decision::no_difference:
      return "no difference";
    case Decision::undecided:
      break;
  }
  return "undecided";
}

namespace {

Table numbers_compared(const TwoScenariosReport& report) {
  Table table{.place = {"result", "numbers"},
              .columns = {{.key = "name", .readers = For::programs},
                          {.title = "number", .readers = For::people},
                          hidden("unit"),
                          hidden("better"),
                          {.key = "a", .title = "A", .shown = Shown::number},
                          {.key = "b", .title = "B", .shown = Shown::number},
                          {.key = "difference", .title = "B − A", .shown = Shown::number},
                          hidden("relative_difference"),
                          {.title = "relative", .shown = Shown::number, .readers = For::people},
                          hidden("chance_a_better"),
                          {.title = "chance that A is better", .shown = Shown::number, .readers = For::people}},
              .details = false};
  for (const ComparedNumber& number : report.comparison.numbers) {
    const PairedDifference& paired = number.paired;
    table.add_row({number.name, number.name + " [" + number.unit + "]", number.unit,
                   number.better == Better::less ? "less" : "more", paired.a, paired.b, paired.difference,
                   paired.difference.mean / paired.a.mean, relative_text(paired), cell(paired.a_better),
                   report.comparison.in_common ? chance_text(paired.a_better) : no_value});
  }
  return table;
}

}  // namespace

Answer two_scenarios_answer(const TwoScenariosReport& report) {
  const std::vector<std::string> root{"result"};
  Answer answer{.title = "A: " + report.title_a + " (" + report.name_a + ")", .provenance = report.provenance};
  answer.say("B: " + report.title_b + " (" + report.name_b + ")");
  answer.say(decision_text(report) + "\n");
  answer.add_facts(root, {{"a/scenario", report.name_a},
                          {"a/title", report.title_a},
                          {"b/scenario", report.name_b},
                          {"b/title", report.title_b},
                          {"b/scenario_sha256", report.sha256_b},
                          {"decision", name_of(report.decision)},
                          {"least_difference", report.least_difference},
                          {"pairs", std::uint64_t{report.comparison.pairs}},
                          {"nothing_drawn", report.comparison.nothing_drawn},
                          {"budget_s", cell(report.budget_s)},
                          {"out_of_time", report.out_of_time},
                          {"left_out", report.comparison.left_out},
                          {"notes", report.notes}});
  answer.add(numbers_compared(report));
  answer.say("  " + pairs_text(report));
  if (!report.comparison.nothing_drawn && report.comparison.in_common)
    answer.detail(
        "  The chance is of the mean over all events, by Student's law, if nothing was known before; 50 % says "
        "nothing.");
  for (const std::string& note : report.notes) answer.detail("  " + note);
  for (const std::string& left : report.comparison.left_out) answer.detail("  left out: " + left);
  return answer;
}

}  // namespace saturn
