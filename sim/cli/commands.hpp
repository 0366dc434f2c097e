#pragma once

#include "sim/cli/verb.hpp"

/// The verbs. Each adds its options to the program and, when it is the chosen one, what it does.
namespace CLI {
class App;
}

namespace saturn {

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
