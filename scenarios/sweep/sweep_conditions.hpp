#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "scenarios/sweep/sweep_axes.hpp"
#include "scenarios/sweep/sweep_space.hpp"

namespace saturn {

/// The conditions of a sweep, asked axis by axis, so that whole branches of combinations fall at once.
class SweepConditions {
 public:
  /// Reads SweepText::where; complains (sweep.bad_condition).
  /// @param axes  with their columns named
  SweepConditions(const std::vector<SweepSpace::Axis>& axes, const SweepText& text, SweepComplaints& complaints);
  ~SweepConditions();
  SweepConditions(const SweepConditions&) = delete;
  SweepConditions& operator=(const SweepConditions&) = delete;

  bool empty() const { return conditions_.empty(); }
  /// Gives an axis one of its values.
  void set(std::size_t axis, std::uint32_t step);
  /// True where every condition holds of which this is the last axis. Quantities that differ by less than 1 in 10^12
  /// are equal. Precondition: this axis and all before it have their values. Cost: some 0.1 us a condition
  bool hold_at(std::size_t axis) const;
  /// Gives all axes their values and says whether all conditions hold.
  bool hold(const std::vector<std::uint32_t>& steps);

 private:
  class Condition;

  std::vector<std::vector<std::size_t>> columns_of_axis_{};
  std::vector<std::vector<double>> numbers_{};  ///< by column and step
  std::vector<double> now_{};                   ///< by column; its place must not change
  std::vector<std::unique_ptr<Condition>> conditions_{};
};

/// The combinations that meet all conditions, ascending; numbered with the last axis running fastest.
struct FoundCombinations {
  std::vector<std::uint64_t> combinations{};
  bool too_many = false;  ///< more points, or more combinations to look at, than allowed
};

/// @param most  combinations at most
FoundCombinations find_combinations(const std::vector<SweepSpace::Axis>& axes, SweepConditions& conditions,
                                    std::uint64_t most);

/// Number of combinations; absent: more than 2^53.
std::optional<std::uint64_t> combinations_of(const std::vector<SweepSpace::Axis>& axes);

}  // namespace saturn
