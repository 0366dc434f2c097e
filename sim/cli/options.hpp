#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/values/units.hpp"
#include "sim/cli/verb.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

/// Wall time that a verb may take, counted from when this is made, which is before anything is read.
class Budget {
 public:
  /// Replications that a budget may pay for, in place of a scenario's /run/max_replications.
  static constexpr std::uint64_t most_replications = 10'000;

  /// @param text  as it stands on the command line, for example "30 s"; absent: time has no end
  /// @throws InputError  option.not_a_quantity
  explicit Budget(const std::optional<std::string>& text);

  /// As it was asked for; absent: time has no end.
  const std::optional<Seconds>& time() const { return time_; }

  /// When it is spent; absent where time has no end.
  const Deadline& deadline() const { return deadline_; }
  bool is_spent() const { return is_past(deadline_); }

 private:
  std::optional<Seconds> time_;
  Deadline deadline_;
};

/// --budget TIME.
/// @param help  what it ends
VerbOption add_budget_option(const Verb& verb, std::optional<std::string>& budget, const std::string& help);

/// The writers of reports/answer/answer.hpp.
enum class Format { table, markdown, csv, json, html };

/// Where an answer goes and how it looks.
struct OutputOptions {
  Format format = Format::table;
  std::optional<std::string> out;  ///< folder for result.json, result.csv and result.txt
  bool force = false;              ///< those files may be replaced
  bool quiet = false;              ///< nothing on stderr but complaints
  bool details = false;            ///< people see everything, not the first screen alone
};

/// Which scenario, and what is changed in it.
struct ScenarioOptions {
  std::string scenario;
  std::vector<std::string> set;  ///< "/json/pointer=value"
  std::optional<std::uint64_t> seed;
  bool fits_exact = false;  ///< the uncertainty of fitted parameter files is not drawn
};

/// How simulations run on this machine; none of it changes their results.
struct MachineOptions {
  unsigned processes = 0;
  std::string time_limit = "600 s";
  std::string memory_limit = "8 GB";
  bool timing = true;
};

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

/// The limits of one run.
/// @throws InputError  option.not_a_quantity
RunLimits limits_of(const MachineOptions& options);

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
