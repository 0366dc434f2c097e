#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/verb.hpp"
#include "sim/study/studies.hpp"

namespace saturn {

/// --budget TIME.
/// @param help  what it ends
VerbOption add_budget_option(const Verb& verb, std::optional<std::string>& budget, const std::string& help);

/// --format and --quiet, which every verb has.
void add_format_options(const Verb& verb, OutputOptions& options);
/// The same, --out FOLDER and --force.
void add_output_options(const Verb& verb, OutputOptions& options);
void add_scenario_options(const Verb& verb, ScenarioOptions& options);
void add_calibration_option(const Verb& verb, ScenarioOptions& options);
void add_change_options(const Verb& verb, ScenarioOptions& options);
/// -j, --workers N: how much is done at once, which no result depends on.
VerbOption add_workers_option(const Verb& verb, unsigned& workers, const std::string& help);
/// --jobs, as it was called before jobs meant jobs everywhere.
void add_former_jobs(const Verb& verb, unsigned& workers);
/// --batch N of the verbs that read loads.
void add_batch_option(const Verb& verb, std::optional<std::uint64_t>& batch);
/// --workers, limits of one simulation, --timing.
void add_machine_options(const Verb& verb, MachineOptions& options);
/// --metric, --x, --y and --at.
void add_sweep_view_options(const Verb& verb, SweepViewOptions& options);

}  // namespace saturn

namespace CLI {
class App;
}  // namespace CLI

namespace saturn {

// The verbs. Each adds its options to the program and, when it is the chosen one, what it does.

void add_check_command(CLI::App& program, Chosen& chosen);
void add_run_command(CLI::App& program, Chosen& chosen);
void add_plan_command(CLI::App& program, Chosen& chosen);
void add_sweep_command(CLI::App& program, Chosen& chosen);
void add_merge_command(CLI::App& program, Chosen& chosen);
void add_compare_command(CLI::App& program, Chosen& chosen);
void add_calibrate_command(CLI::App& program, Chosen& chosen);
void add_validate_command(CLI::App& program, Chosen& chosen);
void add_report_command(CLI::App& program, Chosen& chosen);
void add_show_command(CLI::App& program, Chosen& chosen);
void add_schema_command(CLI::App& program, Chosen& chosen);
void add_examples_command(CLI::App& program, Chosen& chosen);

}  // namespace saturn
