#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/page/report_page.hpp"
#include "sim/cli/exit_code.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/sweep/sweep_options.hpp"

namespace saturn {

/// What `saturn report` was asked.
struct ReportOptions {
  /// What is reported of: `scenario.scenario` is a scenario file or a shipped name, the folder of a sweep, or a fitted
  /// file of `saturn calibrate`.
  ScenarioOptions scenario{};
  MachineOptions machine{};
  bool quiet = false;                     ///< nothing on stderr but complaints
  std::optional<std::string> slowdown{};  ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};      ///< tolerated share of events, where they arrive; absent: 0.1 %
  std::optional<std::string> budget{};    ///< wall time for simulations; absent: the default of the kind
  SweepViewOptions view{};                ///< of a sweep
  std::string command{};                  ///< repeats the report, --out included
};

/// The options given that change what is simulated: "--seed".
std::vector<std::string> given_simulation_options(const ReportOptions& options);

/// The options given that choose what a sweep's figures show: "--metric".
std::vector<std::string> given_view_options(const ReportOptions& options);

/// A page, and how well it answers.
struct ReportAnswer {
  ReportPage page{};
  ExitCode code = ExitCode::answered;  ///< precision_not_reached: a warning of the page says what is missing
};

/// Says on stderr what is being done now, "simulating 12 numbers of jobs"; nothing where the user wants quiet.
using ReportProgress = std::function<void(const std::string&)>;

/// What a report can be about.
enum class ReportSubject {
  scenario,
  sweep,   ///< a folder with plan.jsonl
  fitted,  ///< a fitted file, which `saturn calibrate` writes
};

/// Everything that saturn can compute and simulate of a scenario.
/// @throws InputError, RunFailed
ReportAnswer scenario_report(const ReportOptions& options, const ReportProgress& progress);

/// A finished or unfinished sweep, from its folder; nothing is simulated.
/// @throws InputError  not the folder of a sweep, or its files are torn
ReportAnswer sweep_report(const ReportOptions& options, const ReportProgress& progress);

/// The fits of a fitted file with their points; nothing is simulated.
/// @throws InputError  not a fitted file
ReportAnswer fitted_report(const ReportOptions& options, const ReportProgress& progress);

/// Whether the folder is that of a sweep.
bool is_sweep_folder(const std::string& path);

}  // namespace saturn
