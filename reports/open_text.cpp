#include "reports/open_text.hpp"

#include "reports/number_text.hpp"

namespace saturn {

namespace {

using Align = TextTable::Align;

std::string capacity_words(const OpenSummary& open) {
  return number_text(open.capacity_per_s, 4) + " events/s (" + open.limit + ")";
}

std::string verdict_words(const OpenSummary& open) {
  const std::string offered = number_text(open.rate_per_s, 4) + " events/s arrive";
  switch (open.verdict) {
    case OpenVerdict::stable:
      return "stable: " + offered + ", at most " + capacity_words(open) + " could be served";
    case OpenVerdict::backlogged:
      return "BACKLOGGED: " + offered + " and " + capacity_words(open) +
             " could be served, but at the window's end more wait than chance explains; event times depend on the "
             "window: lengthen it (/run/cycles), or look at a peak of the arrivals";
    case OpenVerdict::overloaded:
      break;
  }
  const std::string by_bound = open.rate_per_s > open.capacity_per_s
                                   ? ", but at most " + capacity_words(open) + " can be served"
                                   : ", within the bound of " + capacity_words(open) + ", but fewer are served";
  return "OVERLOADED: " + offered + by_bound +
         (open.buffer ? "; the buffer loses the rest" : "; the number that waits grows for ever");
}

std::string repetition_words(const OpenSummary& open, double simulated_s) {
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

std::string why_no_times(const JobsSummary& jobs) {
  return jobs.times_grow ? "event times are not given: more events arrive than can be served, so that they only tell "
                           "how long was simulated"
                         : "";
}

std::string open_text(const RunSummary& summary, TextStyle style) {
  TextTable table({{"jobs"},
                   {"offered [1/s]", Align::right},
                   {"accepted [1/s]", Align::right},
                   {"lost", Align::right},
                   {"waiting, mean", Align::right},
                   {"at most", Align::right},
                   {"buffer", Align::right}});
  std::vector<std::pair<std::string, std::string>> notes;
  for (const JobsSummary& jobs : summary.jobs) {
    if (!jobs.open) continue;
    const OpenSummary& open = *jobs.open;
    table.add_row({jobs.name, estimate_text(open.offered_per_s), estimate_text(open.accepted_per_s),
                   estimate_text(open.lost_fraction, 100.0) + " %", estimate_text(open.waiting_mean),
                   whole_text(open.waiting_max),
                   open.buffer ? whole_text(static_cast<double>(*open.buffer)) : "no limit"});
    notes.emplace_back(jobs.name, verdict_words(open));
    notes.emplace_back(jobs.name, repetition_words(open, summary.warm_up_removed_s + summary.window_s));
  }
  if (notes.empty()) return "";
  return "\n" + heading("Events that arrive from outside", style) + table.text(style) + notes_text(notes);
}

void add_open(CsvRows& rows, const std::string& section, const JobsSummary& jobs) {
  if (!jobs.open) return;
  const OpenSummary& open = *jobs.open;
  rows.add(section, jobs.name, "offered_per_s", open.offered_per_s);
  rows.add(section, jobs.name, "accepted_per_s", open.accepted_per_s);
  rows.add(section, jobs.name, "lost_per_s", open.lost_per_s);
  rows.add(section, jobs.name, "lost_fraction", open.lost_fraction);
  rows.add(section, jobs.name, "backlog_mean", open.waiting_mean);
  rows.add(section, jobs.name, "backlog_max", open.waiting_max);
  rows.add(section, jobs.name, "present_mean", open.present_mean);
  rows.add(section, jobs.name, "growth_per_s", open.growth_per_s);
  rows.add(section, jobs.name, "capacity_per_s", open.capacity_per_s);
  rows.add(section, jobs.name, "verdict", name_of(open.verdict));
}

}  // namespace saturn
