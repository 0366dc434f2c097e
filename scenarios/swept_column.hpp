#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario_places.hpp"

namespace saturn {

/// Most values of one axis.
inline constexpr std::size_t most_axis_values = 1'000'000;

/// A column of a sweep as it is written, and the places and values that it stands for.
struct SweptColumn {
  std::string pointer{};
  std::string range{};
  std::vector<NamedPlace> places{};  ///< one or more, all of one type
  std::vector<std::string> values{};
};

/// What is wrong with a column; thrown.
struct ColumnFault {
  const char* code;  ///< "sweep.unknown_pointer"
  std::string text;
};

/// Splits "/a=1,2 with /b=3,4" into its columns, of which pointer and range are known then.
std::vector<SweptColumn> split_axis(const std::string& text);

/// Finds places and values of a column. Places that "*" stands for and where the key makes no sense, as those of
/// ensembles, are left out. What was found before a fault stays.
/// @param zipped  other columns run along, so that a value may come again
/// @throws ColumnFault  sweep.unknown_pointer, .not_numeric, .empty_range, .bad_range, .not_allowed
void read_column(SweptColumn& column, bool zipped, const ReadScenario& read, const ScenarioPlaces& places);

/// Why values are never taken by the column's places, whatever else is set; empty where all may be.
std::string refused_values(const SweptColumn& column, const ScenarioPlaces& places);

}  // namespace saturn
