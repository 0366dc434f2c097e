#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/cli/common_options.hpp"
#include "sim/sweep/result_log.hpp"
#include "sim/sweep/run_sweep.hpp"
#include "sim/sweep/sweep_table.hpp"

/// What a sweep says: on stdout what there is, on stderr how it goes.
namespace saturn {

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
