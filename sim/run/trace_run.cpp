#include "sim/run/trace_run.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "sim/run/outcome_bytes.hpp"
#include "sim/run/process_pool.hpp"

namespace saturn {

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

}  // namespace saturn
