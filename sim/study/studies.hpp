#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/question/free_options.hpp"
#include "sim/study/monitor.hpp"
#include "sim/study/reply.hpp"
#include "sim/study/request.hpp"

/// A function a verb: what was asked, as a user writes it, becomes an answer. Files are refused before anything is
/// simulated for them.
/// @throws InputError        what is wrong with the request
/// @throws RunFailed         a simulation gave no result
/// @throws std::logic_error  a law that every run must satisfy is broken

namespace saturn {

struct CheckRequest {
  ScenarioOptions scenario{};
  OutputOptions output{};
};

/// What follows from a scenario without simulation.
Reply answer_check(const CheckRequest& request, Monitor& monitor);

struct ExamplesRequest {
  std::vector<std::string> names{};      ///< none: all of them
  std::optional<std::string> copy_to{};  ///< folder
  OutputOptions output{};
};

/// The shipped scenarios: their list, their texts, or copies.
Reply answer_examples(const ExamplesRequest& request);

/// Which files show one run moment by moment.
struct TraceOptions {
  std::optional<std::string> trace{};     ///< file of --trace
  std::optional<std::string> timeline{};  ///< file of --timeline
  std::optional<std::string> from{};
  std::optional<std::string> length{};
};

struct RunRequest {
  ScenarioOptions scenario{};
  MachineOptions machine{};
  OutputOptions output{};
  std::optional<std::uint32_t> replica{};
  std::optional<std::string> budget{};
  bool explain = false;
  TraceOptions trace{};
};

/// The scenario as it stands, simulated.
Reply answer_run(const RunRequest& request, Monitor& monitor);

/// Streams that a plan may be asked for.
inline constexpr std::uint64_t most_planned_clients = 2'000'000;

struct PlanRequest {
  ScenarioOptions scenario{};
  MachineOptions machine{};
  OutputOptions output{};
  std::optional<std::string> slowdown{};   ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};       ///< tolerated; absent: 0.1 %
  std::optional<std::uint64_t> jobs{};     ///< in place of the scenario's own number
  std::optional<std::uint64_t> clients{};  ///< the same in streams, under a former name
  bool past_saturation = false;
  bool falsify = false;
  SearchOptions search{};               ///< what is free, required and best; its slowdown is taken from above
  std::optional<std::string> budget{};  ///< wall time for simulations
  std::uint64_t spare_nodes = 0;
  std::optional<std::string> availability{};       ///< instead of spare nodes: that all working ones are up
  std::optional<std::string> node_availability{};  ///< of one node alone
  bool sensitivity = false;
  std::optional<std::string> emit{};  ///< folder for the models' config.pbtxt
};

/// How many jobs a device carries, how many devices jobs or arrivals need, or the best of all candidates.
Reply answer_plan(const PlanRequest& request, Monitor& monitor);

struct CompareRequest {
  ScenarioOptions scenario{};  ///< A, with what is changed in both
  std::string other{};         ///< B; empty: A with the changes of set_b
  std::vector<std::string> set_a{};
  std::vector<std::string> set_b{};
  std::optional<std::string> least_difference{};
  std::optional<std::string> budget{};
  MachineOptions machine{};
  OutputOptions output{};
  bool alternatives = false;  ///< in place of a second scenario
  std::uint64_t node_cores = AlternativeDefaults{}.node_cores;
  std::optional<std::string> core_price{};

  /// Whether there is a second scenario.
  bool of_two() const { return !other.empty() || !set_b.empty(); }
};

/// CPU only, devices in the worker nodes, a service on site, the service of the scenario; or its own alternatives.
Reply answer_compare_alternatives(const CompareRequest& request, Monitor& monitor);

/// Two scenarios with the same random numbers, until one is better or nobody would care.
Reply answer_compare_two(const CompareRequest& request, Monitor& monitor);

/// What of a sweep is shown, as a user writes it.
struct SweepViewOptions {
  std::string metric{};
  std::string x{};
  std::string y{};
  std::vector<std::string> at{};  ///< "rtt=1 ms"
};

struct SweepRequest {
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

/// The points of a sweep, in its folder; their list; or the files of a batch system that computes them.
Reply answer_sweep(const SweepRequest& request, Monitor& monitor);

struct MergeRequest {
  std::filesystem::path folder{};
  std::vector<std::filesystem::path> others{};
  OutputOptions output{};
};

/// The shards of a sweep, put together in its folder.
Reply answer_merge(const MergeRequest& request);

struct ShowRequest {
  std::string folder{};
  SweepViewOptions view{};
  bool points = false;
  std::optional<std::string> sqlite{};
  OutputOptions output{};
};

/// What a sweep found.
Reply answer_show(const ShowRequest& request, Monitor& monitor);

struct CalibrateRequest {
  std::vector<std::string> files{};
  std::optional<std::string> fitted{};  ///< file to write
  std::string model{};
  std::optional<std::uint64_t> batch{};  ///< items of a request where a file does not say [item]
  std::optional<std::string> shared{};   ///< loads of instances that share a device
  std::size_t instances = 2;             ///< so many of them
  ScenarioOptions scenario{};
  OutputOptions output{};
};

/// Laws, times and rates that are fitted to measured files.
Reply answer_calibrate(const CalibrateRequest& request, Monitor& monitor);

/// What `validate` is told about the user's own measurements.
struct OwnOptions {
  std::string model{};
  std::optional<std::uint64_t> batch{};  ///< items of a request where a file does not say [item]
  std::string vary{};
  std::optional<std::string> median{};  ///< "5 %"
  std::optional<std::string> worst{};
};

struct ValidateRequest {
  std::vector<std::string> names{};  ///< one case; or a scenario and files of measurements
  OwnOptions own{};
  bool all = false;
  bool summary = false;
  std::optional<std::string> page{};  ///< file for the report as Markdown
  ScenarioOptions changes{};
  MachineOptions machine{};
  OutputOptions output{};
};

/// Measured configurations, simulated, and how far the simulation is off.
Reply answer_validate(const ValidateRequest& request, Monitor& monitor);

/// What is reported of, and how.
struct ReportOptions {
  /// `scenario.scenario` is a scenario file or a shipped name, the folder of a sweep, or a fitted file of `saturn
  /// calibrate`.
  ScenarioOptions scenario{};
  MachineOptions machine{};
  std::optional<std::string> slowdown{};  ///< tolerated; absent: 1 %
  std::optional<std::string> loss{};      ///< tolerated share of events, where they arrive; absent: 0.1 %
  std::optional<std::string> budget{};    ///< wall time for simulations; absent: the default of the kind
  SweepViewOptions view{};                ///< of a sweep
};

struct ReportRequest {
  ReportOptions report{};
  OutputOptions output{};
  std::optional<std::string> page{};     ///< --out
  std::optional<std::string> figures{};  ///< kinds
};

/// A page of HTML, written, and its figures.
Reply answer_report(const ReportRequest& request, Monitor& monitor);

}  // namespace saturn
