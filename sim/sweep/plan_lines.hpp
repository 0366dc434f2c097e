#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/sweep/sweep_plan.hpp"

/// The lines of plan.jsonl.
namespace saturn {

/// What the header's "schema" says; changes when older programs would misread the file.
inline constexpr std::string_view plan_schema = "saturn-sweep/1";

/// The first line, with its newline.
std::string plan_header_line(const SweepHeader& header);

/// The line of a point, with its newline.
/// @throws std::logic_error  a value is not finite
std::string plan_point_line(std::uint64_t number, const PlannedPoint& point);

/// A plan's line that was read, or what is wrong with it.
template <class Part>
struct ReadPlanLine {
  Part part{};
  std::string fault{};  ///< a sentence; empty: the line is sound
};

/// @param line  without its newline; any bytes
ReadPlanLine<SweepHeader> read_plan_header(std::string_view line);

/// @param number  that the point must have
/// @param axes    so many values the point must have
ReadPlanLine<PlannedPoint> read_plan_point(std::string_view line, std::uint64_t number, std::size_t axes);

}  // namespace saturn
