#include "reports/run/arrivals_report.hpp"

#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

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

void add_arrivals(Answer& answer, const Results& results) {
  Table table{.caption = "Events that arrive from outside",
              .columns = {{.title = "jobs"},
                          {.title = "offered [1/s]", .shown = Shown::number},
                          {.title = "accepted [1/s]", .shown = Shown::number},
                          {.title = "lost", .shown = Shown::percent},
                          {.title = "waiting, mean", .shown = Shown::number},
                          {.title = "at most", .shown = Shown::whole},
                          {.title = "buffer", .shown = Shown::whole}},
              .readers = For::people};
  std::vector<std::pair<std::string, std::string>> notes;
  for (const JobsResults& jobs : results.jobs) {
    if (!jobs.open) continue;
    table.add_row({jobs.name, jobs["offered_per_s"], jobs["accepted_per_s"], jobs["lost_fraction"],
                   jobs["backlog_mean"], jobs["backlog_max"].mean,
                   jobs.open->buffer ? Cell(*jobs.open->buffer) : Cell("no limit")});
    notes.emplace_back(jobs.name, verdict_words(jobs));
    notes.emplace_back(jobs.name, repetition_words(*jobs.open, results.warm_up_removed_s + results.window_s));
  }
  if (notes.empty()) return;
  answer.add(std::move(table));
  answer.remark(notes);
}

}  // namespace saturn
