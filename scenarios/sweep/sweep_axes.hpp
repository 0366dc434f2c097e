#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/document/complaints.hpp"
#include "scenarios/inputs/scenario_places.hpp"
#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/sweep/sweep_space.hpp"

namespace saturn {

/// Complaints about a sweep, collected so that the user sees all of them at once; each names the option, or shows the
/// place in the scenario file.
class SweepComplaints {
 public:
  /// Keeps references to both.
  SweepComplaints(const SweepText& text, const ReadScenario& read) : text_(text), read_(read) {}

  /// About one of the axes as they are written. @param axis  index into SweepText::axes
  void about_axis(std::size_t axis, const char* code, const std::string& sentence);
  /// About all of them together.
  void about_axes(const char* code, const std::string& sentence);
  /// About a condition. @param condition  index into SweepText::where
  void about_condition(std::size_t condition, const char* code, const std::string& sentence);
  void about_sample(const char* code, const std::string& sentence);

  bool empty() const { return complaints_.empty(); }
  std::size_t count() const { return complaints_.size(); }
  /// @throws InputError  if there are any
  void stop_if_any() const;

 private:
  void add(const std::string& option, const std::string& value, const std::string& pointer, const char* code,
           const std::string& sentence);

  const SweepText& text_;
  const ReadScenario& read_;
  std::vector<Complaint> complaints_;
};

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

/// The axes as far as they could be read.
struct ReadAxes {
  std::vector<SweepSpace::Axis> axes{};
  bool named = true;  ///< every column is known, so that conditions can be read, though values may be wrong
};

/// Reads the axes of a sweep; complains (sweep.no_axis, sweep.unknown_pointer, sweep.not_numeric, sweep.empty_range,
/// sweep.bad_range, sweep.not_allowed, sweep.twice, sweep.uneven).
ReadAxes read_axes(const SweepText& text, const ReadScenario& read, SweepComplaints& complaints);

}  // namespace saturn
