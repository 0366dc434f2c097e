#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/read_scenario.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/sweep/sweep_columns.hpp"

namespace saturn {

// Samples of a grid: so many of its points, each given by the step of every axis.

using GridPoint = std::vector<std::uint32_t>;

/// Cuts each axis into as many equal strata as there are points and uses each stratum once, in an order of its own (a
/// Latin hypercube). Points that come out equal exchange a value with others, which leaves the strata as they were;
/// those that still are equal then are given once, so that there may be fewer.
/// @param sizes   (axes) number of steps of each axis, >= 1
/// @param points  at least 1, at most the number of combinations
/// @returns different points, ascending
/// Source: McKay, Beckman, Conover, Technometrics 21 (1979) 239
std::vector<GridPoint> latin_hypercube(const std::vector<std::uint32_t>& sizes, std::uint64_t points,
                                       std::uint64_t seed);

/// Different points, each drawn on its own; those that are not wanted, and those that come again, are drawn anew. A
/// larger sample with the same seed holds the smaller one.
/// @param combinations  product of the sizes; absent: more than can be counted
/// @param wanted        which points may be in the sample
/// @returns ascending; fewer than asked where no more were found
std::vector<GridPoint> random_points(const std::vector<std::uint32_t>& sizes, std::uint64_t points, std::uint64_t seed,
                                     std::optional<std::uint64_t> combinations,
                                     const std::function<bool(const GridPoint&)>& wanted);

// The points of a sweep: axes crossed or zipped, thinned by conditions, or sampled.

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
