#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep/sweep_space.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/sweep/sweep_options.hpp"
#include "sim/sweep/result_files.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_plan.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// A sweep that was understood.
struct SweepStudy {
  ReadScenario read{};
  SweepSpace space{};
  PointAsked asked{};
};

/// Reads the scenario and understands axes, conditions and samples.
/// @throws InputError
SweepStudy understood(const SweepOptions& options);

/// What the scenario refuses, if anything, unless such points are to become rows.
/// @param points  to look at; empty: all
/// @throws InputError  every complaint with the values of its point, and how many more there are
void refuse_points(const SweepStudy& study, const SweepOptions& options);

/// What plan.jsonl begins with.
SweepHeader header_of(const SweepStudy& study, const SweepOptions& options);

/// The id of a point. Cost: some 0.2 ms
std::string id_of(const SweepStudy& study, std::uint64_t point);

/// Header, ids and values of all points.
SweepPlan plan_of(const SweepStudy& study, const SweepOptions& options);

/// The points in the order in which they are computed: a coarse picture first.
std::vector<std::uint64_t> order_of(const SweepSpace& space);

/// The same, of one shard: every so many-th.
std::vector<std::uint64_t> order_of(const SweepSpace& space, const Shard& shard);

// What a sweep says: on stdout what there is, on stderr how it goes.

/// Results of one id that differ can come from no one program.
/// @throws InputError  sweep.conflict, with both files of the first ones
void refuse_conflicts(const ReadResults& results);

/// A line on stderr that says how far the sweep is, on a terminal only; it is wiped when it ends. That running
/// points are being finished is said everywhere.
class SweepProgressLine {
 public:
  explicit SweepProgressLine(bool quiet);
  ~SweepProgressLine();
  SweepProgressLine(const SweepProgressLine&) = delete;
  SweepProgressLine& operator=(const SweepProgressLine&) = delete;

  void show(const SweepProgress& progress);

 private:
  bool quiet_;
  bool shown_;
  bool said_stopping_ = false;
};

/// "40 of 120 points are known already; 1 torn line is left out": nothing where the folder was empty.
void say_kept(std::uint64_t kept, std::uint64_t points, const ReadResults& known, bool quiet);

/// A picture of the points, or all of them, as the format says.
void give_sweep(const SweepTable& table, const OutputOptions& output);

/// How many points were computed, how fast, what failed, where the rows are, and what goes on from here.
void say_how_it_ended(const SweepEnd& end, const std::string& what, const std::filesystem::path& rows, bool quiet);

}  // namespace saturn
