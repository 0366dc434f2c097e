#include "sim/cli/verbs/written_traces.hpp"

#include <cstddef>
#include <iostream>
#include <utility>
#include <variant>
#include <vector>

#include "reports/run/trace_json.hpp"
#include "reports/words/number_text.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/fields/quantity_text.hpp"
#include "sim/cli/load_scenario.hpp"
#include "sim/cli/new_files.hpp"
#include "sim/cli/option_quantity.hpp"
#include "sim/cli/run_failed.hpp"
#include "sim/run/single_runs.hpp"

namespace saturn {

namespace {

constexpr std::size_t counter_samples = 200;           // beside the spans of a trace
constexpr std::size_t written_timeline_samples = 500;  // alone

/// Collects what is wrong, so that all of it is said at once.
class Complaints {
 public:
  void add(const std::string& option, const std::string& code, const std::string& text) {
    all_.push_back({.source = option, .code = code, .text = text, .excerpt = ""});
  }
  template <class Check>
  void of(Check&& check) {
    try {
      check();
    } catch (const InputError& error) {
      all_.insert(all_.end(), error.complaints().begin(), error.complaints().end());
    }
  }
  void raise() const {
    if (!all_.empty()) throw InputError(all_);
  }

 private:
  std::vector<Complaint> all_;
};

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

RunTrace traced(const TraceWindow& window, const Scenario& scenario, std::uint32_t replica,
                const RunOptions& run_options) {
  auto result = trace_run(scenario, replica, window, run_options);
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw RunFailed(*failure);
  return std::move(std::get<TracedRun>(result).trace);
}

std::string seconds(double value) {
  return number_text(value, 6) + " s";
}

void say_what_is_in(const RunTrace& trace, const TraceWindow& window, const std::string& file) {
  std::cerr << "wrote " << file << ": " << whole_text(trace.spans.size()) << " spans from " << seconds(trace.begin_s)
            << " to " << seconds(trace.end_s) << " of simulated time; open it at https://ui.perfetto.dev\n";
  if (!trace.cut) return;
  std::cerr << "  It is full: what was asked for is " << seconds(window.length_s)
            << ". Ask for less with --trace-for, or for another part with --trace-from.\n";
}

}  // namespace

void add_trace_options(const Verb& verb, TraceOptions& options) {
  verb.add_option("--trace", options.trace,
                  "Also record what clients, requests and instances do, as Chrome trace events (docs/traces.md)")
      .type_name("FILE.json");
  verb.add_option("--timeline", options.timeline,
                  "Also sample the use of every resource and the length of every queue over the whole run")
      .type_name("FILE.csv");
  verb.add_option("--trace-from", options.from,
                  "Simulated time from which on both record; without it --trace begins in the middle of the run")
      .type_name("TIME");
  verb.add_option("--trace-for", options.length,
                  "Simulated time that both record; without it --trace records two event times")
      .type_name("TIME");
}

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

void write_traces(const TracePlan& plan, const TraceOptions& options, const ReadScenario& read, std::uint32_t replica,
                  const std::string& command, const RunOptions& run_options, bool quiet) {
  if (plan.trace) {
    const RunTrace trace = traced(*plan.trace, read.scenario, replica, run_options);
    const TracedRunFacts facts{
        .provenance = provenance_of(read, command), .title = read.scenario.title, .replica = replica};
    write_new_file("--trace", *options.trace, trace_json(trace, facts));
    if (!quiet) say_what_is_in(trace, *plan.trace, *options.trace);
  }
  if (plan.timeline) {
    const RunTrace trace = traced(*plan.timeline, read.scenario, replica, run_options);
    write_new_file("--timeline", *options.timeline, timeline_csv(trace));
    if (!quiet)
      std::cerr << "wrote " << *options.timeline << ": " << trace.sample_ends_s.size() << " samples from "
                << seconds(trace.begin_s) << " to " << seconds(trace.end_s) << " of simulated time\n";
  }
}

}  // namespace saturn
