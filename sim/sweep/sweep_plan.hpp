#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Changes with every change to the program that changes results, so that a resumed sweep computes them again.
inline constexpr std::string_view results_version = "14";

/// Stands last in what a point is asked, before the methods that answer it where they are not the simulation alone.
inline constexpr std::string_view method_mark = " method=";

/// What a point's answer depends on.
struct PointQuestion {
  std::string_view answer{};    ///< "run", or with what it was asked: "plan slowdown=0.01 method=bounds"
  std::string_view resolved{};  ///< the scenario's document at the point, seed and precision in it
};

/// 32 hexadecimal characters: the beginning of the SHA-256 of question and version of results.
std::string point_id(const PointQuestion& question);

// plan.jsonl: a line that says what the sweep is, then a line a point, in order of their numbers.

/// The first line of plan.jsonl.
struct SweepHeader {
  std::string title{};
  std::string scenario{};         ///< as the user named it
  std::string scenario_sha256{};  ///< of its resolved document
  std::string answer{};           ///< as in PointQuestion
  std::uint64_t seed = 0;
  std::vector<AxisColumn> axes{};
  std::uint64_t points = 0;
  std::string version{};  ///< of the program
  std::string results{};  ///< results_version
};

/// A point as it is planned.
struct PlannedPoint {
  std::string id{};
  std::vector<AxisCell> cells{};
};

struct SweepPlan {
  SweepHeader header{};
  std::vector<PlannedPoint> points{};  ///< by number
};

/// How a plan stands to the one that is in the folder already.
enum class PlanChange {
  none,     ///< the folder is new, or has the same plan
  points,   ///< every former point is still there, but some ask something else now: the scenario was edited
  grown,    ///< every former point is still there, beside new ones or in another order
  another,  ///< another sweep: other axes, another answer, or points that would vanish
};

/// @throws InputError  sweep.bad_folder (plan.jsonl is not there, torn, or no plan; says which line, and the way out),
///                     sweep.not_readable
SweepPlan read_plan(const std::filesystem::path& folder);
/// The first line alone, which a shard of millions of points needs to know that the folder is its own.
/// @throws InputError  as read_plan
SweepHeader read_header(const std::filesystem::path& folder);
bool has_plan(const std::filesystem::path& folder);

/// Points are compared by the texts of their cells, axes by their pointers. A plan without axes is none: a folder is
/// new before its first plan. Title, seed, versions and the scenario's name change nothing unless they change a point's
/// id.
PlanChange change_between(const SweepPlan& before, const SweepPlan& now);

/// Writes plan.jsonl whole or not at all (a new file that takes the place of the old one), so that shards that begin at
/// the same time do no harm.
/// @throws InputError  sweep.not_writable, sweep.disk_full
/// @throws std::logic_error  a point has not one value for each axis, a value is not finite, or the header counts other
///                           points
void write_plan(const SweepPlan& plan, const std::filesystem::path& folder);

// The lines of plan.jsonl.

/// What the header's "schema" says; changes when older programs would misread the file.
inline constexpr std::string_view plan_schema = "saturn-sweep/1";

/// The first line, with its newline.
std::string plan_header_line(const SweepHeader& header);

/// The line of a point, with its newline.
/// @throws std::logic_error  a value is not finite
std::string plan_point_line(std::uint64_t number, const PlannedPoint& point);

/// @param line  without its newline; any bytes
/// @throws std::invalid_argument  what is wrong with it, as a sentence
SweepHeader read_plan_header(std::string_view line);

/// @param number  that the point must have
/// @param axes    so many values the point must have
/// @throws std::invalid_argument  what is wrong with it, as a sentence
PlannedPoint read_plan_point(std::string_view line, std::uint64_t number, std::size_t axes);

}  // namespace saturn
