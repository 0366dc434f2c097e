#include "models/words/texts.hpp"
#include "reports/bottlenecks.hpp"
#include "reports/number_text.hpp"
#include "reports/open_plan_report.hpp"
#include "reports/price_list.hpp"

namespace saturn {

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
                   row.all_jobs.times_grow ? "–" : estimate_text(row.all_jobs["event_time_s"]),
                   row.all_jobs.times_grow ? "–" : mean_text(row.all_jobs["event_time_p99_s"]),
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
