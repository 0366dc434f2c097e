#include "sim/run/single_runs.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/scenario_traits.hpp"
#include "sim/engine/simulate.hpp"
#include "sim/run/outcome_bytes.hpp"
#include "sim/run/process_pool.hpp"

namespace saturn {

namespace {

RunFailure failure_of(const SingleRun& run, const TaskFailure& failure) {
  return {.kind = failure.kind,
          .scenario = run.scenario.title,
          .seed = run.scenario.run.seed,
          .replica = run.replica,
          .message = failure.message,
          .command = run.command};
}

}  // namespace

std::vector<std::variant<RunOutcome, RunFailure>> simulate_each(std::span<const SingleRun> runs,
                                                                const RunOptions& options) {
  ProcessPool pool(options.processes, options.limits, options.deadline);
  pool.keep_what_is_known();
  for (const SingleRun& run : runs) {
    const Replica replica{.seed = run.scenario.run.seed, .index = run.replica, .length = run_length_for(run.scenario)};
    pool.submit([&run, replica] { return to_bytes(simulate(run.scenario, replica)); });
  }
  std::vector<std::variant<RunOutcome, RunFailure>> results(runs.size());
  std::uint32_t done = 0;
  while (std::optional<EndedTask> ended = pool.wait()) {
    if (const auto* failure = std::get_if<TaskFailure>(&ended->result))
      results[*ended->ticket] = failure_of(runs[*ended->ticket], *failure);
    else
      results[*ended->ticket] = outcome_from_bytes(std::get<std::string>(ended->result));
    if (options.progress) options.progress(++done, static_cast<std::uint32_t>(runs.size()));
  }
  return results;
}

namespace {

constexpr std::uint32_t shown_slices = 16;

}  // namespace

double end_of_replication_s(const Scenario& scenario) {
  return end_of_run_s(run_length_for(scenario));
}

TraceWindow steady_window(const Scenario& scenario) {
  const RunLength length = run_length_for(scenario);
  const std::uint32_t from = std::max(length.slices / 2, length.least_warm_up);
  return {.from_s = from * length.slice.value, .length_s = shown_slices * length.slice.value};
}

TraceWindow whole_run_window(const Scenario& scenario, std::size_t samples) {
  return {.from_s = 0.0, .length_s = end_of_replication_s(scenario), .most_spans = 0, .samples = samples};
}

std::variant<TracedRun, RunFailure> trace_run(const Scenario& scenario, std::uint32_t replica,
                                              const TraceWindow& window, const RunOptions& options) {
  ProcessPool pool(1, options.limits, options.deadline);
  pool.keep_what_is_known();
  const Replica run{.seed = scenario.run.seed, .index = replica, .length = run_length_for(scenario)};
  pool.submit([&] { return to_bytes(simulate_traced(scenario, run, window)); });
  const std::optional<EndedTask> ended = pool.wait();
  if (const auto* failure = std::get_if<TaskFailure>(&ended->result)) {
    return RunFailure{.kind = failure->kind,
                      .scenario = scenario.title,
                      .seed = scenario.run.seed,
                      .replica = replica,
                      .message = failure->message,
                      .command = options.command + " --seed " + std::to_string(scenario.run.seed) + " --replica " +
                                 std::to_string(replica)};
  }
  return traced_run_from_bytes(std::get<std::string>(ended->result));
}

namespace {

/// One of the two scenarios and what has come of it.
struct Side {
  Scenario scenario;
  const std::string* command = nullptr;
  std::vector<RunOutcome>* outcomes = nullptr;
  bool once = false;
};

/// Adds replications to each side. @returns the first failure
std::optional<RunFailure> add(std::vector<Side*>& sides, std::uint64_t have, std::uint64_t want, RunOptions options,
                              bool& out_of_time) {
  std::vector<Scenario> scenarios;
  for (Side* side : sides) {
    side->scenario.run.min_replications = side->scenario.run.max_replications = want - have;
    scenarios.push_back(side->scenario);
  }
  options.command.clear();
  // Differences of pairs are those of two equally large farms.
  options.whole = true;
  options.first_replica = static_cast<std::uint32_t>(have);
  // Windows are the same in all rounds, whatever the later ones drift.
  if (have > 0) options.most_extensions = 0;
  auto answers = replicate(scenarios, options);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (auto* failure = std::get_if<RunFailure>(&answers[i])) {
      failure->command = *sides[i]->command + failure->command;
      return *failure;
    }
    auto& result = std::get<Replicated>(answers[i]);
    out_of_time |= result.out_of_time;
    sides[i]->scenario.run.cycles = result.cycles;
    std::move(result.outcomes.begin(), result.outcomes.end(), std::back_inserter(*sides[i]->outcomes));
  }
  return std::nullopt;
}

}  // namespace

std::variant<PairedRuns, RunFailure> replicate_pairs(const PairedScenario& a, const PairedScenario& b,
                                                     const PairsWanted& wanted, const RunOptions& options) {
  PairedRuns runs;
  std::vector<Side> both = {{a.scenario, &a.command, &runs.a, is_deterministic(a.scenario)},
                            {b.scenario, &b.command, &runs.b, is_deterministic(b.scenario)}};
  for (std::uint64_t want = wanted(runs); want > runs.pairs && !runs.out_of_time; want = wanted(runs)) {
    std::vector<Side*> sides;
    for (Side& side : both)
      if (runs.pairs == 0 || !side.once) sides.push_back(&side);
    if (sides.empty()) break;
    if (auto failure = add(sides, runs.pairs, want, options, runs.out_of_time)) return *failure;
    // A round that ran out of time may have more of one than of the other.
    std::size_t pairs = both[0].once && both[1].once ? 1 : static_cast<std::size_t>(want);
    for (const Side& side : both)
      if (!side.once) pairs = std::min(pairs, side.outcomes->size());
    for (const Side& side : both)
      if (!side.once) side.outcomes->resize(pairs);
    runs.pairs = pairs;
  }
  return runs;
}

}  // namespace saturn
