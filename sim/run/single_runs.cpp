#include "sim/run/single_runs.hpp"

#include <optional>
#include <utility>

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
  for (const SingleRun& run : runs) {
    const Replica replica{.seed = run.scenario.run.seed, .index = run.replica, .length = run_length_for(run.scenario)};
    pool.submit([&run, replica] { return to_bytes(simulate(run.scenario, replica)); });
  }
  std::vector<std::variant<RunOutcome, RunFailure>> results(runs.size());
  std::uint32_t done = 0;
  while (std::optional<EndedTask> ended = pool.wait()) {
    if (const auto* failure = std::get_if<TaskFailure>(&ended->result))
      results[ended->ticket] = failure_of(runs[ended->ticket], *failure);
    else
      results[ended->ticket] = outcome_from_bytes(std::get<std::string>(ended->result));
    if (options.progress) options.progress(++done, static_cast<std::uint32_t>(runs.size()));
  }
  return results;
}

}  // namespace saturn
