#include "reports/run/run_report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "models/words/texts.hpp"
#include "reports/plan/open_plan_text.hpp"
#include "reports/run/bottlenecks.hpp"
#include "reports/run/explanation.hpp"
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

using Align = TextTable::Align;

/// A time that says something, or a dash.
std::string time_text(const JobsResults& jobs, const Estimate& time) {
  return jobs.times_grow ? no_value : estimate_text(time);
}

std::string slowdown_text(const JobsResults& jobs) {
  return jobs.times_grow ? no_value : slower_text(jobs["slowdown"]);
}

/// What the fits and what the simulation leave open.
std::string parts_text(const JobsResults& all) {
  if (!all["events_per_s"].parts) return "";
  std::string text;
  if (!all.times_grow)
    text +=
        "  event time " + estimate_text(all["event_time_s"]) + " s" + interval_parts_text(all["event_time_s"]) + "\n";
  return text + "  events/s " + estimate_text(all["events_per_s"]) + interval_parts_text(all["events_per_s"]) + "\n";
}

std::string quantiles_text(const JobsResults& jobs) {
  const auto below = [](const Estimate& quantile) {
    return quantile.caveat == Caveat::none ? "less than " + mean_text(quantile) + " s"
                                           : "withheld (" + mean_text(quantile) + ")";
  };
  return "half of the events take " + below(jobs["event_time_p50_s"]) + ", 95 % " + below(jobs["event_time_p95_s"]) +
         ", 99 % " + below(jobs["event_time_p99_s"]);
}

/// What is known of the run as a whole, a line each.
std::string numbers_of_run(const Results& results) {
  std::string text;
  results.run.each([&](const Measure& measure, const Estimate& estimate) {
    text += "  " + std::string(measure.words) + ": " + estimate_text(estimate) + " " +
            std::string(text_of(measure.unit).symbol) + interval_parts_text(estimate) + "\n";
  });
  return text;
}

std::string event_time_text(const RunReport& report, TextStyle style) {
  const JobsResults& all = report.summary.all_jobs;
  TextTable table(
      {{"method"}, {"event time [s]", Align::right}, {"slowdown", Align::right}, {"events/s", Align::right}});
  const double ideal = report.facts.ideal_event_time_s;
  table.add_row(
      {"simulation", time_text(all, all["event_time_s"]), slowdown_text(all), estimate_text(all["events_per_s"])});
  std::vector<std::pair<std::string, std::string>> notes{
      {"simulation", all.times_grow ? why_no_times(all) : quantiles_text(all)}};
  for (const ReferencePoint& point : report.references) {
    table.add_row({point.method, optional_text(point.event_time_s, 4),
                   point.event_time_s ? slower_text(*point.event_time_s / ideal) : no_value,
                   optional_text(point.events_per_s, 4)});
    notes.emplace_back(point.method, point.remark);
  }
  return heading("Event time and rate", style) + table.text(style) + notes_text(notes) + parts_text(all) +
         numbers_of_run(report.summary);
}

std::string pools_text(const RunReport& report, TextStyle style) {
  std::string text;
  if (report.summary.jobs.size() > 1) {
    TextTable table({{"jobs"},
                     {"clients", Align::right},
                     {"event time [s]", Align::right},
                     {"slowdown", Align::right},
                     {"events/s", Align::right}});
    for (const JobsResults& jobs : report.summary.jobs) {
      table.add_row({jobs.name, whole_text(jobs["clients"].mean), time_text(jobs, jobs["event_time_s"]),
                     slowdown_text(jobs), estimate_text(jobs["events_per_s"])});
    }
    text += "\n" + heading("Pools of jobs", style) + table.text(style);
  }
  for (const JobsResults& jobs : report.summary.jobs) {
    if (jobs.times_grow) continue;
    TextTable table({{"stage"}, {"time [s]", Align::right}, {"share", Align::right}});
    for (const StageResults& stage : jobs.stages) {
      table.add_row({stage.label, estimate_text(stage["time_s"]),
                     percent_text(stage["time_s"].mean / jobs["event_time_s"].mean)});
    }
    // It stands beside the events: their shares add up to 100 % without it.
    if (jobs["set_up_s"].mean > 0.0) table.add_row({"job set-up", estimate_text(jobs["set_up_s"]), "between events"});
    text += "\n" + heading("Where the time of an event of " + jobs.name + " goes", style) + table.text(style);
    if (jobs["jobs_per_s"].mean > 0.0)
      text += "  " + estimate_text(jobs["jobs_per_s"], seconds_per_hour) + " jobs end per hour.\n";
  }
  return text;
}

/// What ended a run that is not as precise as it was asked to be, and what would go on.
std::string end_of(const RunReport& report) {
  if (report.replica || report.summary.replications == 1) return "";
  if (report.out_of_time) return " within the budget of " + number_text(report.budget_s.value_or(0.0), 3) + " s";
  return " with " + counted(report.summary.replications, "replication") +
         "; raise /run/max_replications, or give time with --budget";
}

std::string checks_text(const RunReport& report, TextStyle style) {
  const auto& checks = report.summary.checks;
  const auto failed = static_cast<double>(
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.passed; }));
  std::string text = "\n" + heading("Checks and provenance", style);
  text += failed == 0.0 ? "  all " + counted(checks.size(), "law") +
                              " that a run must satisfy hold (conservation, Little, utilisation, bounds)\n"
                        : "  " + counted(failed, "law") + " broken\n";
  for (const Check& check : checks) {
    if (!check.passed) text += "  broken: " + check.name + ": " + check.detail + "\n";
  }
  text += "  " + counted(report.summary.replications, "replication") + "; the first " +
          number_text(report.summary.warm_up_removed_s, 4) + " s of each are warm-up and removed, " +
          number_text(report.summary.window_s, 4) + " s are measured\n";
  if (report.summary.unsteady_replications > 0) {
    text += "  the event time still drifts in " + std::to_string(report.summary.unsteady_replications) +
            " of them: raise /run/cycles for longer windows\n";
  }
  if (report.summary.all_jobs["events_per_s"].caveat == Caveat::not_stationary)
    text += "  not stationary: no interval is known, NOT REACHED\n";
  else
    text += std::string(report.summary.all_jobs.times_grow ? "  rate" : "  event time") + " known to ± " +
            percent_text(report.summary.relative_half_width) + ", asked for ± " + percent_text(report.asked_precision) +
            (report.precision_reached ? "" : ": NOT REACHED" + end_of(report)) +
            (report.summary.all_jobs["events_per_s"].parts
                 ? " (the simulation's part; more replications do not shrink that of the fits)"
                 : "") +
            "\n";
  if (report.out_of_time)
    text +=
        "  the budget ended it: how many replications there are depends on the machine, and the command below repeats "
        "these\n";
  text += "  saturn " + report.provenance.version + " on SimGrid " + report.provenance.simgrid + ", seed " +
          std::to_string(report.provenance.seed) + "\n";
  text += fitted_sources_text(report.provenance);
  text += "  again: " + report.provenance.command + "\n";
  return text;
}

}  // namespace

std::string run_table(const RunReport& report, TextStyle style) {
  const SystemFacts& facts = report.facts;
  std::string text = heading(facts.title, style);
  text += counted(facts.jobs, "job") + " on " + counted(facts.devices, facts.device_word) + ": ";
  text += report.summary.all_jobs.times_grow
              ? "OVERLOADED, more events arrive than can be served.\n"
              : "an event takes " + estimate_text(report.summary.all_jobs["event_time_s"]) + " s, " +
                    slower_text(report.summary.all_jobs["slowdown"].mean) + " than one that waits for nobody.\n";
  for (const JobsResults& pool : report.summary.jobs)
    if (pool.open && pool.open->verdict != OpenVerdict::stable)
      text += pool.name + ": " + std::string(name_of(pool.open->verdict)) + ", " +
              percent_text(pool["lost_fraction"].mean) + " of the events are lost.\n";
  text += binding_here(facts) + "\n";
  for (const ModelResults& model : report.summary.models) {
    if (!(model["rejected_per_s"].mean > 0.0)) continue;
    text += percent_text(model["rejected_per_s"].mean / (model["rejected_per_s"].mean + model["requests_per_s"].mean)) +
            " of the requests to the queue of " + model.name +
            " are REJECTED: their events end without them, and are counted as they are.\n";
  }
  if (report.replica) text += "Replication " + std::to_string(*report.replica) + " alone.\n";
  text += "\n" + event_time_text(report, style);
  text += open_text(report.summary, style);
  text += pools_text(report, style);
  text += models_text(report.summary.models, style);
  text += "\n" + bottlenecks_text(facts, report.summary.resources, style);
  if (report.explanation) text += explanation_text(*report.explanation, style);
  text += checks_text(report, style);
  return text;
}

}  // namespace saturn
