#include "reports/plan/open_plan_text.hpp"

#include "models/words/texts.hpp"
#include "reports/plan/plan_report.hpp"
#include "reports/run/bottlenecks.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

std::string capacity_words(const JobsResults& jobs) {
  return number_text(jobs["capacity_per_s"].mean, 4) + " events/s (" + jobs.open->limit + ")";
}

std::string verdict_words(const JobsResults& jobs) {
  const std::string offered = number_text(jobs["rate_per_s"].mean, 4) + " events/s arrive";
  switch (jobs.open->verdict) {
    case OpenVerdict::stable:
      return "stable: " + offered + ", at most " + capacity_words(jobs) + " could be served";
    case OpenVerdict::backlogged:
      return "BACKLOGGED: " + offered + " and " + capacity_words(jobs) +
             " could be served, but at the window's end more wait than chance explains; event times depend on the "
             "window: lengthen it (/run/cycles), or look at a peak of the arrivals";
    case OpenVerdict::overloaded:
      break;
  }
  const std::string by_bound = jobs["rate_per_s"].mean > jobs["capacity_per_s"].mean
                                   ? ", but at most " + capacity_words(jobs) + " can be served"
                                   : ", within the bound of " + capacity_words(jobs) + ", but fewer are served";
  return "OVERLOADED: " + offered + by_bound +
         (jobs.open->buffer ? "; the buffer loses the rest" : "; the number that waits grows for ever");
}

std::string repetition_words(const ArrivalResults& open, double simulated_s) {
  if (!(open.repeats_after_s > 0.0)) return "";
  const double passes = simulated_s / open.repeats_after_s;
  const std::string length = number_text(open.repeats_after_s, 4) + " s";
  if (!open.recorded)
    return passes < 1.0 ? "only " + percent_text(passes) + " of the profile's period of " + length +
                              " are simulated: "
                              "raise /run/cycles to see it whole"
                        : "";
  return passes > 1.0 ? "the trace of " + length + " is replayed from its beginning: a run is " +
                            number_text(passes, 3) + " times as long"
                      : "";
}

}  // namespace

std::string why_no_times(const JobsResults& jobs) {
  return jobs.times_grow ? "event times are not given: more events arrive than can be served, so that they only tell "
                           "how long was simulated"
                         : "";
}

std::string open_text(const Results& summary, TextStyle style) {
  TextTable table({{"jobs"},
                   {"offered [1/s]", Align::right},
                   {"accepted [1/s]", Align::right},
                   {"lost", Align::right},
                   {"waiting, mean", Align::right},
                   {"at most", Align::right},
                   {"buffer", Align::right}});
  std::vector<std::pair<std::string, std::string>> notes;
  for (const JobsResults& jobs : summary.jobs) {
    if (!jobs.open) continue;
    table.add_row({jobs.name, estimate_text(jobs["offered_per_s"]), estimate_text(jobs["accepted_per_s"]),
                   estimate_text(jobs["lost_fraction"], 100.0) + " %", estimate_text(jobs["backlog_mean"]),
                   whole_text(jobs["backlog_max"].mean),
                   jobs.open->buffer ? whole_text(static_cast<double>(*jobs.open->buffer)) : "no limit"});
    notes.emplace_back(jobs.name, verdict_words(jobs));
    notes.emplace_back(jobs.name, repetition_words(*jobs.open, summary.warm_up_removed_s + summary.window_s));
  }
  if (notes.empty()) return "";
  return "\n" + heading("Events that arrive from outside", style) + table.text(style) + notes_text(notes);
}

PlanSentence sentence_of(const OpenPlanReport& report) {
  PlanSentence sentence{.device_word = report.facts.device_word,
                        .usd_per_million_events = report.plan.cost_per_million_events_usd,
                        .priced = priced_words(report.plan.priced, report.facts.device_word)};
  say_arrivals(sentence, report.facts, report.plan.offered_per_s);
  return sentence;
}

std::string open_plan_table(const OpenPlanReport& report, TextStyle style) {
  using Align = TextTable::Align;
  const std::string& device = report.facts.device_word;
  std::string text = heading(report.facts.title, style);
  text += plan_sentence_lines(sentence_of(report), style);
  text += "All pools are stable then, and at most " + percent_text(report.plan.tolerated_loss) +
          " of the events are lost.\n";
  text += "By the bound alone (rate times demand) it would be " +
          counted(static_cast<double>(report.plan.gpus_by_bound), device) + ".\n\n";
  TextTable table({{device + "s", Align::right},
                   {"can serve [1/s]", Align::right},
                   {"offered [1/s]", Align::right},
                   {"lost", Align::right},
                   {"event time [s]", Align::right},
                   {"99 % below [s]", Align::right},
                   {"verdict"},
                   {"limit"}});
  for (const OpenCandidate& row : report.plan.candidates) {
    table.add_row({whole_text(static_cast<double>(row.gpus)), number_text(row.capacity_per_s, 4),
                   estimate_text(row.offered_per_s), estimate_text(row.lost_fraction, 100.0) + " %",
                   row.all_jobs.times_grow ? no_value : estimate_text(row.all_jobs["event_time_s"]),
                   row.all_jobs.times_grow ? no_value : mean_text(row.all_jobs["event_time_p99_s"]),
                   std::string(name_of(row.verdict)) + (row.accepted ? "" : ", not enough"), row.limit});
  }
  text += heading("What was simulated to confirm it", style) + table.text(style);
  text += "\n" + bottlenecks_text(report.facts, {}, style);
  text += "\nsaturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "; again: " + report.provenance.command + "\n";
  return text;
}

std::string open_plan_csv(const OpenPlanReport& report) {
  CsvRows rows;
  rows.add("answer", "", "gpus", static_cast<double>(report.plan.gpus));
  rows.add("answer", "", "gpus_by_bound", static_cast<double>(report.plan.gpus_by_bound));
  rows.add("answer", "", "rate_per_s", report.plan.offered_per_s);
  rows.add("answer", "", "tolerated_loss", report.plan.tolerated_loss);
  for (const OpenCandidate& row : report.plan.candidates) {
    const std::string name = std::to_string(row.gpus);
    rows.add("candidates", name, "capacity_per_s", row.capacity_per_s);
    rows.add("candidates", name, "offered_per_s", row.offered_per_s);
    rows.add("candidates", name, "lost_fraction", row.lost_fraction);
    if (!row.all_jobs.times_grow) {
      rows.add("candidates", name, "event_time_s", row.all_jobs["event_time_s"]);
      rows.add("candidates", name, "event_time_p99_s", row.all_jobs["event_time_p99_s"]);
    }
    rows.add("candidates", name, "verdict", std::string(name_of(row.verdict)));
    rows.add("candidates", name, "accepted", row.accepted ? 1.0 : 0.0);
  }
  add_facts(rows, report.facts);
  return rows.text();
}

}  // namespace saturn
