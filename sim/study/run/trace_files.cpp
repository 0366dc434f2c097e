#include "sim/study/run/trace_files.hpp"

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "reports/run/trace_json.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/run/single_runs.hpp"
#include "sim/study/asked_scenario.hpp"
#include "sim/study/new_files.hpp"
#include "sim/study/option_quantity.hpp"
#include "sim/study/run_failed.hpp"

namespace saturn {

namespace {

constexpr std::size_t counter_samples = 200;           // beside the spans of a trace
constexpr std::size_t written_timeline_samples = 500;  // alone

std::optional<double> moment(const std::string& text, Complaints& complaints) {
  const ReadQuantity read = read_quantity(text, Dimension::duration);
  if (read.reading == QuantityReading::good && read.value >= 0.0) return read.value;
  complaints.add("--trace-from", "option.not_a_quantity",
                 "--trace-from is \"" + text +
                     "\"; a moment of simulated time, not below 0, needs its unit (ms, s, min, h), for example \"0 s\" "
                     "or \"20 min\".");
  return std::nullopt;
}

void refuse_files(const TraceOptions& options, bool force, Complaints& complaints) {
  if (options.trace) complaints.of([&] { refuse_to_replace("--trace", *options.trace, force); });
  if (options.timeline) complaints.of([&] { refuse_to_replace("--timeline", *options.timeline, force); });
  if (options.trace || options.timeline) return;
  for (const auto& [name, given] : {std::pair{"--trace-from", options.from}, {"--trace-for", options.length}})
    if (given)
      complaints.add(name, "option.needs_trace",
                     std::string(name) + " chooses what is recorded; name a file for it with --trace or --timeline.");
}

TraceWindow chosen(TraceWindow window, std::optional<double> from, std::optional<double> length) {
  if (from) window.from_s = *from;
  if (length) window.length_s = *length;
  return window;
}

std::string seconds(double value) {
  return number_text(value, 6) + " s";
}

/// "wrote FILE: 200 spans from 0 s to 3 s of simulated time"
std::string words_on(const RunTrace& trace, const std::string& file, std::size_t count, const std::string& what) {
  return "wrote " + file + ": " + whole_text(count) + " " + what + " from " + seconds(trace.begin_s) + " to " +
         seconds(trace.end_s) + " of simulated time";
}

std::string words_if_cut(const RunTrace& trace, const TraceWindow& window) {
  if (!trace.cut) return "";
  return "  It is full: what was asked for is " + seconds(window.length_s) +
         ". Ask for less with --trace-for, or for another part with --trace-from.\n";
}

}  // namespace

TracePlan trace_plan(const TraceOptions& options, const Scenario& scenario, bool force) {
  Complaints complaints;
  refuse_files(options, force, complaints);
  std::optional<double> from;
  std::optional<double> length;
  if (options.from) from = moment(*options.from, complaints);
  if (options.length) complaints.of([&] { length = parse_duration("--trace-for", *options.length).value; });
  if (!options.trace && !options.timeline) {
    complaints.raise();
    return {};
  }
  const double end_s = end_of_replication_s(scenario);
  if (from && *from >= end_s)
    complaints.add("--trace-from", "trace.beyond_run",
                   "--trace-from is \"" + *options.from + "\", but the run ends at " + seconds(end_s) +
                       " of simulated time; choose an earlier moment, or a longer run with /run/cycles.");
  complaints.raise();
  TracePlan plan;
  if (options.trace) {
    plan.trace = chosen(steady_window(scenario), from, length);
    plan.trace->samples = counter_samples;
  }
  if (options.timeline) plan.timeline = chosen(whole_run_window(scenario, written_timeline_samples), from, length);
  return plan;
}

RunTrace traced_run(const Scenario& scenario, std::uint32_t replica, const TraceWindow& window,
                    const RunOptions& options) {
  auto result = trace_run(scenario, replica, window, options);
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw RunFailed(*failure);
  return std::move(std::get<TracedRun>(result).trace);
}

void write_traces(const TracePlan& plan, const TraceOptions& options, const ReadScenario& read, std::uint32_t replica,
                  const std::string& command, const RunOptions& run_options, Monitor& monitor) {
  if (plan.trace) {
    const RunTrace trace = traced_run(read.scenario, replica, *plan.trace, run_options);
    const TracedRunFacts facts{
        .provenance = provenance_of(read, command), .title = read.scenario.title, .replica = replica};
    write_new_file({"--trace", *options.trace, trace_json(trace, facts)});
    monitor.note(words_on(trace, *options.trace, trace.spans.size(), "spans") +
                 "; open it at https://ui.perfetto.dev\n" + words_if_cut(trace, *plan.trace));
  }
  if (plan.timeline) {
    const RunTrace trace = traced_run(read.scenario, replica, *plan.timeline, run_options);
    write_new_file({"--timeline", *options.timeline, timeline_csv(trace)});
    monitor.note(words_on(trace, *options.timeline, trace.sample_ends_s.size(), "samples") + "\n");
  }
}

}  // namespace saturn
