#pragma once

#include <cstdint>
#include <optional>

#include "models/queueing/closed_network.hpp"
#include "models/results/run_outcome.hpp"

/// What a run of a part of a farm says of the whole farm.

namespace saturn {

/// Which part of a farm was simulated in its place, and how it was checked.
struct AnsweringCell {
  std::uint64_t parts = 1;  ///< of `of` equal parts of the farm; all of them: the whole was simulated
  std::uint64_t of = 1;
  double jobs = 0.0;
  double streams = 0.0;
  double devices = 0.0;
  /// Event time of a smaller cell over that of this one, less 1 (where event times only grow: rate of events of this
  /// one over that of the smaller, less 1); absent: no other size was simulated [1]
  std::optional<double> smaller_is_slower_by{};
  double smaller_streams = 0.0;  ///< of that cell
  bool by_chance = false;        ///< the two differ by no more than their intervals allow
  bool agrees = true;            ///< the two differ by no more than was asked, or than chance explains

  /// By how much event times of the farm are expected to be shorter still, relative: what is left where the difference
  /// falls like one over the size; 0 where nothing is known of it [1].
  double expected_rest() const {
    return smaller_is_slower_by ? *smaller_is_slower_by / (streams / smaller_streams - 1.0) : 0.0;
  }

  bool is_whole() const { return parts == of; }
  /// How many times as large the farm is [1].
  double factor() const { return static_cast<double>(of) / static_cast<double>(parts); }
};

/// Makes the outcome of a cell that of the farm: rates, streams and numbers present are multiplied; times, busy shares
/// and sizes of batches are those of the cell; counts of what was measured, such as events, stay what they were, since
/// they tell how much is known. Laws that the run was checked against are the cell's.
/// @param cell    a run of the cell, whose resources are those of the farm, in the same order
/// @param farm    the network of the whole farm
/// @param factor  how many times as large the farm is [1]
/// @throws std::invalid_argument  the two are not of one farm
RunOutcome farm_outcome(RunOutcome cell, const ClosedNetwork& farm, double factor);

}  // namespace saturn
