#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/sweep_columns.hpp"
#include "scenarios/sweep_text.hpp"

/// The points of a sweep: axes crossed or zipped, thinned by conditions, or sampled.
namespace saturn {

/// The points, made one by one so that millions of them cost little. Their order and number depend on the text and the
/// seed alone.
class SweepSpace {
 public:
  /// One axis: columns that run along with each other.
  struct Axis {
    std::vector<AxisColumn> columns{};
    std::vector<std::vector<std::string>> places{};  ///< by column: the pointers that "*" stands for
    std::vector<std::vector<AxisCell>> cells{};      ///< by column, then by step: equally many in every column
  };

  SweepSpace() = default;
  /// @param kept  which combinations are points, ascending, numbered with the last axis running fastest; nothing: all
  SweepSpace(std::vector<Axis> axes, std::optional<std::vector<std::uint64_t>> kept);
  /// A sample: cells of axis a at point p are those of step steps[p][a].
  SweepSpace(std::vector<Axis> axes, std::vector<std::vector<std::uint32_t>> steps);

  std::uint64_t size() const;
  const std::vector<Axis>& axes() const { return axes_; }
  /// Columns of all axes, in order.
  std::vector<AxisColumn> columns() const;
  /// (columns) values of a point.
  std::vector<AxisCell> cells(std::uint64_t point) const;
  /// What is to be set in the scenario at a point.
  std::vector<Override> settings(std::uint64_t point) const;
  /// (axes) which value of each axis a point has.
  std::vector<std::uint32_t> steps(std::uint64_t point) const;

 private:
  std::vector<Axis> axes_{};
  std::optional<std::vector<std::uint64_t>> kept_{};
  std::optional<std::vector<std::vector<std::uint32_t>>> sampled_{};
};

/// The sweep that is asked: the options' where they say something, else that of the scenario's `sweep` block.
SweepText asked_sweep(const SweepText& options, const ReadScenario& read);

/// Understands a sweep for a scenario; every complaint at once, each about one option or place. Values are checked
/// against the fields one by one, not yet together: that takes reading the scenario at every point.
/// @throws InputError  sweep.no_axis, sweep.unknown_pointer, sweep.not_numeric, sweep.empty_range, sweep.bad_range,
///                     sweep.not_allowed (a value that the field never takes), sweep.twice, sweep.uneven (zipped places
///                     with different numbers of values), sweep.too_many, sweep.bad_condition, sweep.no_points,
///                     sweep.bad_sample
SweepSpace sweep_space(const SweepText& text, const ReadScenario& read);

/// What is wrong with the scenario at a point.
struct RefusedPoint {
  std::uint64_t point = 0;
  std::vector<Complaint> complaints{};
};

/// The points at which the scenario is refused, ascending; at most `most` of them, the first ones of all.
/// Cost: some 0.3 ms a point
std::vector<RefusedPoint> refused_points(const SweepSpace& space, const ReadScenario& read, std::size_t most);

}  // namespace saturn
