#pragma once

#include <CLI/App.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/exit_code.hpp"
#include "sim/run/run_failure.hpp"

namespace saturn {

enum class Format { table, json, csv };

/// Where an answer goes and how it looks.
struct OutputOptions {
  Format format = Format::table;
  std::optional<std::string> out;  ///< folder for result.json, result.csv and result.txt
  bool force = false;              ///< those files may be replaced
  bool quiet = false;              ///< nothing on stderr but complaints
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

/// A verb registers what it does here when it was chosen; main calls it once.
using Chosen = std::function<ExitCode()>;

/// --format and --quiet, which every verb has.
void add_format_options(CLI::App& verb, OutputOptions& options);
/// The same, --out FOLDER and --force.
void add_output_options(CLI::App& verb, OutputOptions& options);
void add_scenario_options(CLI::App& verb, ScenarioOptions& options);
void add_calibration_option(CLI::App& verb, ScenarioOptions& options);
void add_change_options(CLI::App& verb, ScenarioOptions& options);
/// -j, --workers N: how much is done at once, which no result depends on.
CLI::Option* add_workers_option(CLI::App& verb, unsigned& workers, const std::string& help);
/// --jobs, as it was called before jobs meant jobs everywhere.
void add_former_jobs(CLI::App& verb, unsigned& workers);
/// --workers, limits of one simulation, --timing.
void add_machine_options(CLI::App& verb, MachineOptions& options);

/// The limits of one run.
/// @throws InputError  option.not_a_quantity
RunLimits limits_of(const MachineOptions& options);

}  // namespace saturn
