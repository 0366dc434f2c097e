#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/sweep_space.hpp"
#include "sim/cli/common_options.hpp"
#include "sim/cli/point_answers.hpp"

namespace saturn {

/// One of several parts of a sweep, from 1.
struct Shard {
  std::uint64_t number = 1;
  std::uint64_t of = 1;

  /// "shard-0003-of-0008", for locks and names of result files.
  std::string name() const;
};

/// What `saturn sweep` was asked.
struct SweepOptions {
  ScenarioOptions scenario{};
  OutputOptions output{};  ///< its `out` is the sweep's folder
  SweepText sweep{};
  std::string answer = "run";
  std::optional<std::string> slowdown{};  ///< of plans; absent: 1 %
  unsigned workers = 0;
  std::string point_time = "1 h";
  std::optional<std::string> point_memory{};  ///< absent: 8 GB

  /// [byte]
  /// @throws InputError  option.not_a_quantity, option.out_of_range
  std::uint64_t memory_of_a_point() const;

  std::optional<std::string> shard{};  ///< "3/8"
  bool take_over = false;              ///< go on although another process seems to compute the shard
  bool dry_run = false;
  bool skip_refused = false;           ///< points that the scenario refuses become rows
  bool retry_failed = false;           ///< of failures that were the machine's
  std::optional<std::string> slurm{};  ///< folder for a sweep with files for Slurm
  std::optional<std::string> htcondor{};
  std::optional<std::uint64_t> shards{};  ///< of them
};

/// @throws InputError  option.bad_shard
Shard parse_shard(const std::string& text);

/// What every point answers.
/// @throws InputError  option.not_a_quantity, option.out_of_range, option.needs_plan (a slowdown without plans),
///                     sweep.no_single_answer (plans of jobs where events arrive from outside)
PointAsked point_asked(const SweepOptions& options, const Scenario& scenario);

/// The options that determine the points, word by word: neither scenario, nor folder, nor machine.
std::vector<std::string> sweep_words(const SweepOptions& options);

/// "saturn sweep SCENARIO --axis ...": the same as a command.
std::string sweep_command_of(const SweepOptions& options);

}  // namespace saturn
