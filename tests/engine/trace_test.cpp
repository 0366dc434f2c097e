#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "sim/run/outcome_bytes.hpp"
#include "sim/run/process_pool.hpp"
#include "sim/run/single_runs.hpp"
#include "tests/engine/drawn_scenarios.hpp"
#include "tests/engine/scenarios_for_tests.hpp"

using namespace saturn;
using namespace saturn::tests;

namespace {

TracedRun traced(const Scenario& scenario, const TraceWindow& window) {
  auto result = trace_run(scenario, 0, window, {});
  if (const auto* failure = std::get_if<RunFailure>(&result)) throw std::runtime_error(failure->message);
  return std::get<TracedRun>(std::move(result));
}

TracedRun traced(const Scenario& scenario, const Replica& replica, const TraceWindow& window) {
  ProcessPool pool(1, {});
  pool.submit([&] { return to_bytes(simulate_traced(scenario, replica, window)); });
  const auto ended = pool.wait();
  if (const auto* failure = std::get_if<TaskFailure>(&ended->result)) throw std::runtime_error(failure->message);
  return traced_run_from_bytes(std::get<std::string>(ended->result));
}

std::map<std::uint64_t, std::vector<TraceSpan>> parts_of_calls(const RunTrace& trace) {
  std::map<std::uint64_t, std::vector<TraceSpan>> parts;
  for (const TraceSpan& span : trace.spans)
    if (span.call != 0 && span.kind != SpanKind::call) parts[span.call].push_back(span);
  return parts;
}

/// True when the parts follow each other without a gap from the request's beginning to its end.
bool parts_fill_calls(const RunTrace& trace) {
  const auto parts = parts_of_calls(trace);
  return std::all_of(trace.spans.begin(), trace.spans.end(), [&](const TraceSpan& span) {
    if (span.kind != SpanKind::call) return true;
    double reached = span.begin_s;
    for (const TraceSpan& part : parts.at(span.call)) {
      if (part.begin_s != reached || part.track != span.track || part.items != span.items) return false;
      reached = part.end_s;
    }
    return reached == span.end_s;
  });
}

/// True when batches hold just the items of the requests that are executed with them.
bool batches_hold_their_requests(const RunTrace& trace) {
  std::map<std::tuple<std::uint32_t, double, double>, std::int64_t> left;
  const auto touches = [&](const TraceSpan& span) { return span.begin_s < trace.end_s && span.end_s > trace.begin_s; };
  for (const TraceSpan& span : trace.spans) {
    if (!touches(span)) continue;
    std::int64_t& items = left[{span.label, span.begin_s, span.end_s}];
    if (span.kind == SpanKind::batch) items += span.items;
    if (span.kind == SpanKind::execute) items -= span.items;
  }
  return std::all_of(left.begin(), left.end(), [](const auto& entry) { return entry.second == 0; });
}

bool instances_do_one_thing_at_a_time(const RunTrace& trace) {
  std::map<std::uint32_t, double> busy_until;
  for (const TraceSpan& span : trace.spans) {
    if (span.kind != SpanKind::batch) continue;
    if (span.begin_s < busy_until[span.track]) return false;
    busy_until[span.track] = span.end_s;
  }
  return true;
}

/// Time of the spans of a kind and label within the recorded window, one after the other [s].
double time_in_window(const RunTrace& trace, SpanKind kind, const std::string& label) {
  double sum = 0.0;
  for (const TraceSpan& span : trace.spans)
    if (span.kind == kind && trace.labels[span.label] == label)
      sum += std::max(0.0, std::min(span.end_s, trace.end_s) - std::max(span.begin_s, trace.begin_s));
  return sum;
}

double area(const RunTrace& trace, const std::string& name, bool is_queue) {
  double sum = 0.0;
  for (const TimelineSeries& series : trace.series) {
    if (series.name != name || series.is_queue != is_queue) continue;
    double from = trace.begin_s;
    for (std::size_t i = 0; i < series.values.size(); ++i) {
      sum += series.values[i] * (trace.sample_ends_s[i] - from);
      from = trace.sample_ends_s[i];
    }
  }
  return sum;
}

using Line = std::tuple<std::string, std::string, std::string, double, double, std::uint32_t>;

/// Kind, who, stage or model, begin and end [ms, rounded], items.
std::vector<Line> lines(const RunTrace& trace) {
  std::vector<Line> all;
  for (const TraceSpan& span : trace.spans) {
    const TraceTrack& track = trace.tracks[span.track];
    all.emplace_back(name_of(span.kind), track.group + ", " + track.name, trace.labels[span.label],
                     std::round(1e3 * span.begin_s), std::round(1e3 * span.end_s), span.items);
  }
  return all;
}

Scenario queueing() {
  Scenario scenario = simple_loop(
      {.clients = 12, .devices = 2, .think = ExponentialTime{Seconds{10.0}}, .service = ExponentialTime{Seconds{1.5}}});
  scenario.run.brief = true;
  return scenario;
}

}  // namespace

TEST_CASE("one stream's event is its computing, then a request that is handled by the host, executed and answered") {
  Scenario scenario = simple_loop({.clients = 1});
  scenario.links.push_back({"there", "here", Bandwidth{1e6}, Seconds{0.2}});
  scenario.jobs.front().site = "there";
  server_of(scenario).host = HostStage{.per_request = Seconds{0.4}};
  model_of(scenario).input = Bytes{3e5};
  const RunTrace trace = traced(scenario, {.from_s = 0.0, .length_s = 12.0}).trace;
  const std::string stream = "clients, stream 0";
  const std::string instance = "server/device, device 0, instance 0";
  CHECK(lines(trace) == std::vector<Line>{{"compute", stream, "think", 0, 10000, 0},
                                          {"call", stream, "model", 10000, 11900, 1},
                                          {"send", stream, "model", 10000, 10400, 1},
                                          {"queue", stream, "model", 10400, 10800, 1},
                                          {"batch", instance, "model", 10800, 11800, 1},
                                          {"execute", stream, "model", 10800, 11800, 1},
                                          {"receive", stream, "model", 11800, 11900, 1},
                                          {"compute", stream, "think", 11900, 21900, 0}});
}

TEST_CASE("a request to an ensemble waits for and is executed in each of its steps") {
  Scenario scenario = simple_loop({.clients = 1, .think = ConstantTime{Seconds{1.0}}});
  Model whole;
  whole.ensemble = {"first", "second"};
  for (const double time_s : {0.5, 0.25}) {
    Model step;
    step.service["device"] = affine(time_s, 0.0);
    scenario.models[time_s == 0.5 ? "first" : "second"] = step;
  }
  scenario.models["model"] = whole;
  server_of(scenario).models = {"first", "model", "second"};
  const RunTrace trace = traced(scenario, {.from_s = 0.0, .length_s = 1.9}).trace;
  const std::string stream = "clients, stream 0";
  CHECK(lines(trace) == std::vector<Line>{
                            {"compute", stream, "think", 0, 1000, 0},
                            {"batch", "server/device, device 0, first, instance 0", "first", 1000, 1500, 1},
                            {"call", stream, "model", 1000, 1750, 1},
                            {"execute", stream, "first", 1000, 1500, 1},
                            {"batch", "server/device, device 0, second, instance 0", "second", 1500, 1750, 1},
                            {"execute", stream, "second", 1500, 1750, 1},
                            {"compute", stream, "think", 1750, 2750, 0},
                        });
}

TEST_CASE("drawn systems: tracing changes no bit of a run, and what is traced fits together" *
          doctest::test_suite("drawn")) {
  CHECK(rc::check("traces", [] {
    const Scenario scenario = any_serving_scenario();
    RC_LOG() << described(scenario);
    const Replica replica = short_run(scenario, 150.0);
    const std::optional<RunOutcome> plain = outcome_of(scenario, replica);
    RC_PRE(plain.has_value());
    const double end_s = end_of_run_s(replica.length);
    const double from_s = end_s * *rc::gen::inRange(0, 10) / 10.0;
    const TracedRun run =
        traced(scenario, replica, {.from_s = from_s, .length_s = end_s / 5.0, .most_spans = 20'000, .samples = 7});
    RC_ASSERT(to_bytes(run.outcome) == to_bytes(*plain));
    RC_ASSERT(instances_do_one_thing_at_a_time(run.trace));
    // A full trace may end between a request and its parts.
    if (run.trace.cut) return;
    RC_ASSERT(parts_fill_calls(run.trace));
    RC_ASSERT(batches_hold_their_requests(run.trace));
    // Little's law in its oldest form: the area under the queue is the sum of the waits.
    for (const auto& [name, model] : scenario.models) {
      const double waits_s = time_in_window(run.trace, SpanKind::queue, name);
      RC_ASSERT(std::abs(area(run.trace, name, true) - waits_s) <= 1e-6 * (waits_s + end_s));
    }
  }));
}

TEST_CASE("the use of devices over a window is the time of the batches on them, and the one that the run reports") {
  Scenario scenario = queueing();
  scenario.run.brief = false;
  const WarmUp kept = simulate_forked(scenario).warm_up;
  const TracedRun run = traced(scenario, {.from_s = kept.removed_s, .length_s = kept.window_s, .samples = 40});
  const double busy_s = area(run.trace, "server/device", false);
  CHECK(busy_s == doctest::Approx(time_in_window(run.trace, SpanKind::batch, "model") / 2.0).epsilon(1e-9));
  CHECK(busy_s / kept.window_s == doctest::Approx(run.outcome.resources.front().busy_fraction).epsilon(1e-9));
  const ModelOutcome& model = run.outcome.models.front();
  const double waiting = model.requests_per_s * model.queue_s;
  CHECK(area(run.trace, "model", true) / kept.window_s == doctest::Approx(waiting).epsilon(0.01));
}

TEST_CASE("streams whose calls block do one thing at a time") {
  const RunTrace trace = traced(queueing(), {.from_s = 100.0, .length_s = 200.0}).trace;
  std::map<std::uint32_t, double> busy_until;
  for (const TraceSpan& span : trace.spans) {
    if (span.kind != SpanKind::compute && span.kind != SpanKind::call) continue;
    const auto [place, is_first] = busy_until.try_emplace(span.track, span.begin_s);
    CHECK(span.begin_s == place->second);
    place->second = span.end_s;
  }
  CHECK(busy_until.size() == 12);
}

TEST_CASE("a full trace is the beginning of the whole one, and its timeline is whole") {
  const TraceWindow all{.from_s = 100.0, .length_s = 200.0, .most_spans = 100'000, .samples = 5};
  TraceWindow part = all;
  part.most_spans = 100;
  const RunTrace whole = traced(queueing(), all).trace;
  const RunTrace full = traced(queueing(), part).trace;
  CHECK(!whole.cut);
  CHECK(whole.end_s == 300.0);
  CHECK(full.cut);
  const std::vector<Line> expected = lines(whole);
  CHECK(lines(full) == std::vector<Line>(expected.begin(), expected.begin() + 100));
  CHECK(full.end_s == whole.spans[100].begin_s);
  CHECK(full.sample_ends_s == whole.sample_ends_s);
}

TEST_CASE("a window ends with the run, and one beyond it is empty") {
  const Scenario scenario = queueing();
  const double end_s = end_of_replication_s(scenario);
  const RunTrace last = traced(scenario, {.from_s = end_s - 50.0, .length_s = 1e9, .samples = 3}).trace;
  CHECK(last.end_s == end_s);
  CHECK(last.sample_ends_s.back() == end_s);
  CHECK(last.sample_ends_s.size() == 3);
  CHECK(!last.spans.empty());
  CHECK(std::all_of(last.spans.begin(), last.spans.end(), [&](const TraceSpan& span) { return span.end_s <= end_s; }));
  const RunTrace beyond = traced(scenario, {.from_s = end_s + 1.0, .length_s = 10.0, .samples = 3}).trace;
  CHECK(beyond.spans.empty());
  CHECK(beyond.tracks.empty());
  CHECK(beyond.series.empty());
}

TEST_CASE("a traced run that breaks its limits is the same failure as any other") {
  RunOptions options;
  options.command = "saturn run mine.json";
  options.limits.time = Seconds{1e-3};
  const Scenario scenario = poisson_calls(0.8, exponential(1.0));
  const auto result = trace_run(scenario, 3, whole_run_window(scenario, 10), options);
  REQUIRE(std::holds_alternative<RunFailure>(result));
  CHECK(std::get<RunFailure>(result).kind == FailureKind::out_of_time);
  CHECK(std::get<RunFailure>(result).command == "saturn run mine.json --seed 42 --replica 3");
}
