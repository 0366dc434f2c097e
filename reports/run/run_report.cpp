#include "reports/run/run_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/run/explanation.hpp"
#include "reports/run/living_part.hpp"
#include "reports/words/cells_text.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/models_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

std::string waits_text(const std::vector<WaitingPart>& waits) {
  constexpr std::size_t most = 3;
  double sum = 0.0;
  for (const WaitingPart& part : waits) sum += part.per_event_s;
  std::string text;
  for (std::size_t i = 0; i < std::min(waits.size(), most); ++i)
    append_part(text, waits[i].what + " (" + percent_text(waits[i].per_event_s / sum) + ")", "; ");
  return text;
}

namespace {

const std::vector<std::string> root{"result"};

/// The numbers of the jobs. Where event times only grow they tell how long was simulated, and are none.
Table jobs_numbers(std::vector<std::string> place, const JobsResults& jobs) {
  Table table = facts_for_programs(std::move(place));
  jobs.each([&](const Measure& measure, const Estimate& estimate) {
    if (!jobs.times_grow || measure.growing == Growing::told)
      table.add(measure, estimate);
    else
      table.add(measure.json.empty() ? measure.key() : std::string(measure.json.substr(0, measure.json.find('/'))),
                Cell());
  });
  if (jobs.open) {
    table.add("limit", jobs.open->limit);
    table.add("buffer", jobs.open->buffer ? Cell(*jobs.open->buffer) : Cell());
    table.add("verdict", std::string(name_of(jobs.open->verdict)));
  }
  return table;
}

std::string capacity_words(const JobsResults& jobs) {
  return number_text(jobs["capacity_per_s"].mean, 4) + " events/s (" + jobs.open->limit + ")";
}

std::string verdict_words(const JobsResults& jobs) {
  const std::string offered = number_text(jobs["rate_per_s"].mean, 4) + " events/s arrive";
  switch (jobs.open->verdict) {
    case OpenVerdict::stable:
      return "stable: " + offered + ", at most " + capacity_words(jobs) + " could be served" +
             (jobs["lost_fraction"].mean > 0.0 ? " with all nodes there; what is lost finds a full buffer" : "");
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

/// A time that says something, or nothing.
Cell time_cell(const JobsResults& jobs, const Estimate& time) {
  return jobs.times_grow ? Cell() : Cell(time);
}

/// What the fits, the size of a cell and the simulation leave open.
void add_interval_parts(Answer& answer, const JobsResults& all) {
  if (!all["events_per_s"].parts) return;
  if (!all.times_grow)
    answer.detail("  event time " + estimate_text(all["event_time_s"]) + " s" +
                  interval_parts_text(all["event_time_s"]));
  answer.detail("  events/s " + estimate_text(all["events_per_s"]) + interval_parts_text(all["events_per_s"]));
}

std::string quantiles_text(const JobsResults& jobs) {
  const auto below_text = [](const Estimate& quantile) {
    return quantile.caveat == Caveat::none ? estimate_text(quantile) + " s" : "withheld (" + mean_text(quantile) + ")";
  };
  return "events: half within " + below_text(jobs["event_time_p50_s"]) + ", 95 % " +
         below_text(jobs["event_time_p95_s"]) + ", 99 % " + below_text(jobs["event_time_p99_s"]);
}

void add_event_time(Answer& answer, const RunReport& report) {
  const JobsResults& all = report.summary.all_jobs;
  const double ideal = report.facts.ideal_event_time_s;
  Table methods = methods_table(root);
  methods.caption = "Event time and rate";
  const std::string said = all.times_grow ? why_no_times(all) : quantiles_text(all);
  methods.add_row(
      {"simulation", time_cell(all, all["event_time_s"]), time_cell(all, all["slowdown"]), all["events_per_s"], said});
  add_references(methods, report.references, ideal);
  methods.details = false;
  answer.add(std::move(methods));
  answer.say("  " + said);
  add_scopes(answer, report.references);
  add_interval_parts(answer, all);
  report.summary.run.each([&](const Measure& measure, const Estimate& estimate) {
    answer.say("  " + std::string(measure.words) + ": " + estimate_text(estimate) + " " +
               std::string(text_of(measure.unit).symbol) + interval_parts_text(estimate));
  });
}

void add_pools(Answer& answer, const RunReport& report) {
  if (report.summary.jobs.size() > 1) {
    Table table{.caption = "Pools of jobs",
                .columns = {{.title = "jobs"},
                            {.title = "streams", .shown = Shown::whole},
                            {.title = "event time [s]", .shown = Shown::number},
                            {.title = "slowdown", .shown = Shown::slower},
                            {.title = "events/s", .shown = Shown::number}},
                .readers = For::people};
    for (const JobsResults& jobs : report.summary.jobs)
      table.add_row({jobs.name, jobs["streams"].mean, time_cell(jobs, jobs["event_time_s"]),
                     time_cell(jobs, jobs["slowdown"]), jobs["events_per_s"]});
    answer.add(std::move(table));
  }
  for (const JobsResults& jobs : report.summary.jobs) {
    const std::vector<std::string> place = below(below(root, "jobs"), jobs.name);
    answer.add(jobs_numbers(place, jobs));
    Table table{.place = below(place, "stages"),
                .caption = "Where the time of an event of " + jobs.name + " goes",
                .columns = {{.key = "label", .title = "stage"},
                            {.key = "time_s", .title = "time [s]", .shown = Shown::number},
                            {.key = "share", .title = "share", .shown = Shown::percent}}};
    const std::vector<std::string> calls = call_keys(jobs);
    for (const std::string& key : calls) table.columns.push_back(hidden(key));
    if (!jobs.times_grow)
      for (const StageResults& stage : jobs.stages) {
        std::vector<Cell> row{stage.label, stage["time_s"], stage["time_s"].mean / jobs["event_time_s"].mean};
        add_calls(row, stage, calls);
        table.add_row(std::move(row));
      }
    // It stands beside the events: their shares add up to 100 % without it.
    if (!jobs.times_grow && jobs["set_up_s"].mean > 0.0)
      table.remarks.push_back("job set-up, between events: " + estimate_text(jobs["set_up_s"]) + " s for each event");
    if (!jobs.times_grow && jobs["jobs_per_s"].mean > 0.0)
      table.remarks.push_back(estimate_text(jobs["jobs_per_s"], seconds_per_hour) + " jobs end per hour.");
    answer.add(std::move(table));
  }
}

void add_resources(Answer& answer, const std::vector<ResourceResults>& resources) {
  if (resources.empty()) return;
  Table table{.place = below(root, "resources"), .readers = For::programs};
  table.columns = {hidden("name"), hidden("kind")};
  std::vector<std::string> keys;
  for (const ResourceResults& resource : resources)
    resource.each([&](const Measure& measure, const Estimate&) {
      if (std::find(keys.begin(), keys.end(), measure.key()) == keys.end()) keys.push_back(measure.key());
    });
  for (const std::string& key : keys) table.columns.push_back(hidden(key));
  for (const ResourceResults& resource : resources) {
    std::vector<Cell> row{resource.name, std::string(name_of(resource.kind))};
    row.resize(2 + keys.size());
    resource.each([&](const Measure& measure, const Estimate& estimate) {
      const auto place = std::find(keys.begin(), keys.end(), measure.key()) - keys.begin();
      row[static_cast<std::size_t>(2 + place)] = is_exact(measure.average) ? Cell(estimate.mean) : Cell(estimate);
    });
    table.add_row(std::move(row));
  }
  answer.add(std::move(table));
}

/// What ended a run that is not as precise as it was asked to be, and what would go on.
std::string end_of(const RunReport& report) {
  if (report.replica || report.summary.replications == 1) return "";
  if (report.out_of_time)
    return report.budget_s ? " within the budget of " + number_text(*report.budget_s, 3) + " s"
                           : " before it was interrupted";
  return " with " + counted(report.summary.replications, "replication") +
         "; raise /run/max_replications, or give time with --budget";
}

std::string precision_text(const RunReport& report) {
  if (report.summary.all_jobs["events_per_s"].caveat == Caveat::not_stationary)
    return "  not stationary: no interval is known, NOT REACHED";
  // What rounding leaves of an interval of no width says nothing.
  constexpr double least_width = 1e-9;
  const double width = report.summary.relative_half_width;
  return std::string(report.summary.all_jobs.times_grow ? "  rate" : "  event time") + " known " +
         (width < least_width ? "exactly" : "to ± " + percent_text(width)) + ", asked for ± " +
         percent_text(report.asked_precision) + (report.precision_reached ? "" : ": NOT REACHED" + end_of(report)) +
         (report.summary.all_jobs["events_per_s"].parts
              ? " (the simulation's part; more replications do not shrink the rest)"
              : "");
}

void add_checks(Answer& answer, const RunReport& report) {
  const std::vector<Check>& checks = report.summary.checks;
  Table laws = facts_for_programs(below(root, "checks"));
  for (const Check& check : checks) {
    laws.columns.push_back(hidden(check.name));
    laws.rows.front().emplace_back(check.passed);
  }
  answer.add(std::move(laws));
  const auto failed = static_cast<double>(
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.passed; }));
  answer.parts.emplace_back(Paragraph{.text = "Checks", .heading = true, .details = false});
  answer.say(failed == 0.0 ? "  all " + counted(checks.size(), "law") +
                                 " of a run hold (conservation, Little, utilisation, bounds)"
                           : "  " + counted(failed, "law") + " broken");
  for (const Check& check : checks)
    if (!check.passed) answer.say("  broken: " + check.name + ": " + check.detail);
  answer.say(precision_text(report));
  if (report.brief)
    answer.say("  a first look (/run/brief): of what settles slowly it may have seen the beginning alone");
  answer.detail("  " + counted(report.summary.replications, "replication") + "; the first " +
                number_text(report.summary.warm_up_removed_s, 4) + " s of each are warm-up and removed, " +
                number_text(report.summary.window_s, 4) + " s are measured" +
                (report.window_because.empty() ? "" : ": " + report.window_because));
  if (report.summary.unsteady_replications > 0)
    answer.say("  the event time drifts in " + std::to_string(report.summary.unsteady_replications) + " of " +
               counted(report.summary.replications, "replication") + ": raise /run/cycles");
  if (report.out_of_time)
    answer.say(
        "  its time ended it: how many replications there are depends on the machine, and the command below repeats "
        "these");
}

void add_run(Answer& answer, const RunReport& report) {
  Table table = facts_for_programs(root);
  table.add("replications", std::uint64_t{report.summary.replications});
  table.add("warm_up_removed_s", report.summary.warm_up_removed_s);
  table.add("unsteady_replications", std::uint64_t{report.summary.unsteady_replications});
  table.add("window_s", report.summary.window_s);
  if (!report.window_because.empty()) table.add("window_because", report.window_because);
  table.add("precision/asked", report.asked_precision);
  table.add("precision/relative_half_width", report.summary.relative_half_width);
  table.add("precision/reached", report.precision_reached);
  if (report.budget_s || report.out_of_time) {
    table.add("precision/budget_s", cell(report.budget_s));
    table.add("precision/out_of_time", report.out_of_time);
  }
  answer.add(std::move(table));
  if (report.summary.cell) add_cell(answer, *report.summary.cell, below(root, "cell"));
}

/// What the run comes to, in sentences.
void say_result(Answer& answer, const RunReport& report) {
  const SystemFacts& facts = report.facts;
  const JobsResults& all = report.summary.all_jobs;
  answer.say(jobs_text(facts) + (facts.scales ? " on up to " : " on ") + counted(facts.devices, facts.device_word) +
             ": " +
             (all.times_grow ? "OVERLOADED, more events arrive than can be served."
                             : "an event takes " + estimate_text(all["event_time_s"]) + " s, " +
                                   slower_text(all["slowdown"].mean) + " than unloaded."));
  for (const JobsResults& pool : report.summary.jobs)
    if (pool.open && (pool.open->verdict != OpenVerdict::stable || pool["lost_fraction"].mean > 0.0))
      answer.say(
          pool.name + ": " +
          (pool.open->verdict == OpenVerdict::stable ? "nothing piles up" : std::string(name_of(pool.open->verdict))) +
          ", " + percent_text(pool["lost_fraction"]) + " of the events are lost.");
  if (report.summary.cell) answer.say(cell_text(report.summary, report.asked_precision, facts.device_word));
  answer.say(binding_here(facts));
  for (const SharedQueue& queue : report.starved) answer.say("Devices STARVED: " + in_words(queue));
  for (const ModelResults& model : report.summary.models) {
    const double refused = refused_share(model).mean;
    if (!(refused > 0.0)) continue;
    answer.say(percent_text(refused) + " of the requests to the queue of " + model.name +
               (facts.spoiling.contains(model.name)
                    ? " are REJECTED: their events end without them, and are counted as they are."
                    : " are refused: the job's own core does their work."));
  }
  say_living(answer, report);
  if (report.replica) answer.say("Replication " + std::to_string(*report.replica) + " alone.");
}

}  // namespace

Table methods_table(const std::vector<std::string>& place) {
  return {.place = below(place, "methods"),
          .columns = {{.key = "method", .title = "method"},
                      {.key = "event_time_s", .title = "event time [s]", .shown = Shown::number},
                      {.key = "slowdown", .title = "slowdown", .shown = Shown::slower},
                      {.key = "events_per_s", .title = "events/s", .shown = Shown::number},
                      hidden("remark")}};
}

void add_references(Table& methods, const std::vector<ReferencePoint>& references, double ideal_event_time_s) {
  // Why others have no number is a remark of the details.
  const auto add = [&](bool with_number) {
    for (const ReferencePoint& point : references)
      if ((point.event_time_s || point.events_per_s) == with_number)
        methods.add_row({point.method, cell(point.event_time_s),
                         point.event_time_s ? Cell(*point.event_time_s / ideal_event_time_s) : Cell(),
                         cell(point.events_per_s), point.remark});
  };
  add(true);
  methods.first_rows = methods.rows.size();
  add(false);
}

void add_scopes(Answer& answer, const std::vector<ReferencePoint>& references) {
  std::vector<std::pair<std::string, std::string>> remarks;
  for (const ReferencePoint& point : references) remarks.emplace_back(point.method, point.remark);
  answer.remark(remarks);
}

Answer run_answer(const RunReport& report) {
  Answer answer{.title = report.facts.title, .provenance = report.provenance};
  say_result(answer, report);
  answer.add(jobs_numbers(root, report.summary.all_jobs));
  answer.add(numbers_table(root, report.summary.run));
  add_event_time(answer, report);
  add_arrivals(answer, report.summary);
  add_living(answer, report);
  add_pools(answer, report);
  add_models(answer, report.summary.models, root);
  add_resources(answer, report.summary.resources);
  add_bottlenecks(answer, report.facts, report.summary.resources, root);
  if (report.explanation)
    add_explanation(answer, *report.explanation, root);
  else
    answer.more.emplace_back("--explain (what one change would gain)");
  add_checks(answer, report);
  add_run(answer, report);
  return answer;
}

}  // namespace saturn
