#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/verb.hpp"
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
