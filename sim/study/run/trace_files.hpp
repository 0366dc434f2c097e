#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/read_scenario.hpp"
#include "sim/engine/recording/run_trace.hpp"
#include "sim/run/replications.hpp"
#include "sim/study/monitor.hpp"

namespace saturn {

/// Which files show one run moment by moment.
struct TraceOptions {
  std::optional<std::string> trace{};     ///< file of --trace
  std::optional<std::string> timeline{};  ///< file of --timeline
  std::optional<std::string> from{};
  std::optional<std::string> length{};
};

/// The windows that the files show.
struct TracePlan {
  std::optional<TraceWindow> trace{};
  std::optional<TraceWindow> timeline{};
};

/// Checks the options before anything is simulated.
/// @param force  files that exist may be replaced
/// @throws InputError  option.needs_trace, option.not_a_quantity, trace.beyond_run, trace.same_file, out.exists and
/// what else
///                     refuse_to_replace() says
TracePlan trace_plan(const TraceOptions& options, const Scenario& scenario, bool force);

/// One replication, of which a window is recorded.
/// @throws RunFailed
RunTrace traced_run(const Scenario& scenario, std::uint32_t replica, const TraceWindow& window,
                    const RunOptions& options);

/// Simulates the replication again, with a trace, and writes the files; says what they hold.
/// @param command  repeats the run
/// @throws RunFailed, InputError  out.not_writable
void write_traces(const TracePlan& plan, const TraceOptions& options, const ReadScenario& read, std::uint32_t replica,
                  const std::string& command, const RunOptions& run_options, Monitor& monitor);

}  // namespace saturn
