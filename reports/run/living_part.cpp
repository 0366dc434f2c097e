#include "reports/run/living_part.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/results/results.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

std::string outage_text(const Outage& outage) {
  return outage_words(outage) + " out from " + time_text(outage.from.value, 3) + " to " +
         time_text((outage.from + outage.length).value, 3);
}

namespace {

/// Of a pool's calls there is something to say.
bool follows(const JobsResults& jobs) {
  return jobs.find("availability") != nullptr;
}

void say_recovery(Answer& answer, const RunReport& report) {
  for (const Outage& outage : report.outages) {
    const double end_s = (outage.from + outage.length).value;
    const std::string what = outage_text(outage) + ": ";
    if (report.summary.over_time.empty() || end_s >= report.summary.over_time.back().until_s) continue;
    const std::optional<double> at = recovered_at(report.summary.over_time, outage.from.value, end_s);
    answer.say(what + (at ? "requests at servers are as few as before " + time_text(std::max(0.0, *at - end_s), 2) +
                                " after its end."
                          : "requests at servers are not as few as before by the end of the run."));
  }
}

void add_call_table(Answer& answer, const RunReport& report) {
  Table table{.caption = "What becomes of calls",
              .columns = {{.title = "stage"},
                          {.title = "answered in time", .shown = Shown::percent},
                          {.title = "tries late", .shown = Shown::percent},
                          {.title = "tried again", .shown = Shown::percent},
                          {.title = "fell back", .shown = Shown::percent},
                          {.title = "failed", .shown = Shown::percent},
                          {.title = "tries/call", .shown = Shown::mean},
                          {.title = "in vain", .shown = Shown::percent}},
              .readers = For::people,
              .details = false};
  for (const JobsResults& jobs : report.summary.jobs) {
    for (const StageResults& stage : jobs.stages) {
      if (stage.find("availability") == nullptr) continue;
      const Estimate* tries = stage.find("tries_per_call");
      table.add_row({report.summary.jobs.size() > 1 ? jobs.name + ": " + stage.label : stage.label,
                     stage["availability"], stage["late"], stage["retried"], stage["fell_back"], stage["failed"],
                     tries != nullptr ? Cell(*tries) : Cell(), stage["thrown_away"]});
    }
  }
  const bool anything =
      std::any_of(report.summary.jobs.begin(), report.summary.jobs.end(), [](const JobsResults& jobs) {
        return follows(jobs) && (jobs["availability"].mean < 1.0 || jobs["retried"].mean > 0.0);
      });
  if (anything) answer.add(std::move(table));
}

void add_node_table(Answer& answer, const RunReport& report) {
  Table table{.caption = "Nodes",
              .columns = {{.title = "devices"},
                          {.title = "in service", .shown = Shown::number},
                          {.title = "paid for", .shown = Shown::number},
                          {.title = "device hours", .shown = Shown::number},
                          {.title = "of at most", .shown = Shown::number},
                          {.title = "rent [USD]", .shown = Shown::number},
                          {.title = "of at most", .shown = Shown::number},
                          {.title = "failures", .shown = Shown::mean}},
              .readers = For::people,
              .details = false};
  for (const ResourceResults& resource : report.summary.resources) {
    if (resource.find("nodes_in_service") == nullptr) continue;
    const bool always_there = resource["nodes_in_service"].mean == resource["nodes_paid"].mean &&
                              resource["device_hours"].mean == resource["most_device_hours"].mean;
    if (always_there && resource["failures"].mean == 0.0) continue;
    const auto known = [&](Key<Subject::resource> key) {
      const Estimate* estimate = resource.find(key);
      return estimate != nullptr ? Cell(*estimate) : Cell();
    };
    table.add_row({resource.name, resource["nodes_in_service"], resource["nodes_paid"], resource["device_hours"],
                   resource["most_device_hours"].mean, known("rent_usd"), known("most_rent_usd"),
                   resource["failures"]});
  }
  if (!table.rows.empty()) answer.add(std::move(table));
}

/// The moments that people see: neighbours joined, so that all of them stand on a screen.
std::vector<MomentResults> joined_moments(const std::vector<MomentResults>& moments, std::size_t most) {
  const std::size_t each = (moments.size() + most - 1) / most;
  std::vector<MomentResults> rows;
  for (std::size_t first = 0; first < moments.size(); first += each) {
    const std::size_t end = std::min(moments.size(), first + each);
    MomentResults row{.until_s = moments[end - 1].until_s};
    // Times are of events, shares of tries or calls: moments with many of them weigh more.
    const auto join = [&](Estimate MomentResults::*number, Estimate MomentResults::*weight) {
      double sum = 0.0;
      double weights = 0.0;
      for (std::size_t i = first; i < end; ++i) {
        const double own = weight == nullptr ? 1.0 : (moments[i].*weight).mean;
        sum += own * (moments[i].*number).mean;
        weights += own;
      }
      (row.*number).mean = weights > 0.0 ? sum / weights : 0.0;
    };
    for (const auto number : {&MomentResults::events_per_s, &MomentResults::present, &MomentResults::nodes_in_service,
                              &MomentResults::nodes_paid, &MomentResults::nodes_least})
      join(number, nullptr);
    join(&MomentResults::event_time_s, &MomentResults::events_per_s);
    join(&MomentResults::late, &MomentResults::tries_per_s);
    join(&MomentResults::unserved, &MomentResults::calls_per_s);
    rows.push_back(row);
  }
  return rows;
}

void add_moments(Answer& answer, const RunReport& report) {
  const std::vector<MomentResults>& moments = report.summary.over_time;
  if (moments.empty()) return;
  Table all{.place = {"result", "over_time"},
            .columns = {hidden("until_s"), hidden("events_per_s"), hidden("event_time_s"), hidden("tries_per_s"),
                        hidden("late"), hidden("calls_per_s"), hidden("unserved"), hidden("present"),
                        hidden("nodes_in_service"), hidden("nodes_paid"), hidden("nodes_least")},
            .readers = For::programs};
  for (const MomentResults& moment : moments)
    all.add_row({moment.until_s, moment.events_per_s, moment.event_time_s, moment.tries_per_s, moment.late,
                 moment.calls_per_s, moment.unserved, moment.present, moment.nodes_in_service, moment.nodes_paid,
                 moment.nodes_least});
  answer.add(std::move(all));
  constexpr std::size_t most_rows = 12;
  const double last = moments.back().until_s;
  const bool minutes = last > 600.0;
  Table table{.caption = "Over time",
              .columns = {{.title = minutes ? "until [min]" : "until [s]",
                           .shown = Shown::number,
                           .factor = minutes ? 1.0 / 60.0 : 1.0,
                           .digits = 3},
                          {.title = "events/s", .shown = Shown::mean},
                          {.title = "event time [s]", .shown = Shown::mean},
                          {.title = "tries late", .shown = Shown::percent},
                          {.title = "not served", .shown = Shown::percent},
                          {.title = "at servers", .shown = Shown::mean, .digits = 3},
                          {.title = "nodes", .shown = Shown::mean, .digits = 3}},
              .readers = For::people,
              .details = false};
  const bool scales = std::any_of(moments.begin(), moments.end(), [&](const MomentResults& moment) {
    return moment.nodes_least.mean != moments.front().nodes_least.mean;
  });
  if (scales) table.columns.push_back({.title = "least", .shown = Shown::mean, .digits = 3});
  for (const MomentResults& row : joined_moments(moments, most_rows)) {
    std::vector<Cell> cells{row.until_s,
                            row.events_per_s.mean,
                            row.events_per_s.mean > 0.0 ? Cell(row.event_time_s.mean) : Cell(),
                            row.late.mean,
                            row.unserved.mean,
                            row.present.mean,
                            row.nodes_in_service.mean};
    if (scales) cells.emplace_back(row.nodes_least.mean);
    table.add_row(std::move(cells));
  }
  answer.add(std::move(table));
}

}  // namespace

std::vector<std::string> call_keys(const JobsResults& jobs) {
  std::vector<std::string> keys;
  for (const StageResults& stage : jobs.stages)
    stage.each([&](const Measure& measure, const Estimate&) {
      if (measure.where != nullptr && std::find(keys.begin(), keys.end(), measure.key()) == keys.end())
        keys.push_back(measure.key());
    });
  return keys;
}

void add_calls(std::vector<Cell>& row, const StageResults& stage, const std::vector<std::string>& keys) {
  const std::size_t first = row.size();
  row.resize(first + keys.size());
  stage.each([&](const Measure& measure, const Estimate& estimate) {
    const auto place = std::find(keys.begin(), keys.end(), measure.key());
    if (place != keys.end()) row[first + static_cast<std::size_t>(place - keys.begin())] = estimate;
  });
}

void say_living(Answer& answer, const RunReport& report) {
  const Results& summary = report.summary;
  if (!summary.over_time.empty())
    answer.say("All of " + time_text(summary.over_time.back().until_s, 3) +
               " from an empty system on count; bounds and formulas are those of all nodes" +
               (report.facts.jobs_leave ? " and of all jobs at once" : "") + ", with nothing broken.");
  const JobsResults& all = summary.all_jobs;
  if (follows(all) && all["availability"].mean < 1.0) {
    // So few that the share of the others would round to all of them.
    constexpr double hardly_any = 1e-4;
    const double missed = 1.0 - all["availability"].mean;
    std::string text =
        "Servers answer " +
        (missed < hardly_any ? "all but " + percent_text(missed, 3) : percent_text(all["availability"])) +
        " of the calls in time";
    if (all["fell_back"].mean > 0.0) text += "; " + percent_text(all["fell_back"]) + " fall back";
    if (all["failed"].mean > 0.0) text += "; " + percent_text(all["failed"]) + " FAIL";
    if (const Estimate* tries = all.find("tries_per_call"); tries != nullptr && tries->mean > 1.005)
      text += "; retries multiply the load by " + number_text(tries->mean, 4);
    answer.say(text + ".");
    if (all["events_failed"].mean > 0.0)
      answer.say(percent_text(all["events_failed"].mean, 3) + " of the events are lost with their jobs.");
  }
  for (const ResourceResults& resource : summary.resources) {
    if (resource.find("nodes_in_service") == nullptr) continue;
    const double used = resource["device_hours"].mean;
    const double most = resource["most_device_hours"].mean;
    if (used == most) continue;
    std::string text = resource.name + ": " + number_text(used, 3) + " device hours of " + number_text(most, 3) +
                       " if all nodes were there all the time, " + percent_text(1.0 - used / most, 2) + " less";
    double least = 0.0;
    for (const MomentResults& moment : summary.over_time) least += moment.nodes_least.mean;
    if (!summary.over_time.empty() && summary.resources.size() == 1)
      text += "; " + number_text(least / static_cast<double>(summary.over_time.size()), 3) +
              " nodes would have done, " + number_text(resource["nodes_paid"].mean, 3) + " were there";
    answer.say(text + ".");
  }
  say_recovery(answer, report);
}

void add_living(Answer& answer, const RunReport& report) {
  add_call_table(answer, report);
  add_node_table(answer, report);
  add_moments(answer, report);
}

}  // namespace saturn
