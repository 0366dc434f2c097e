#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/results/farm_outcome.hpp"
#include "models/results/results.hpp"
#include "reports/answer/answer.hpp"

/// How answers say that a part of a farm was simulated in its place.

namespace saturn {

/// "1/50", "7/387"; "whole".
std::string share_text(const AnsweringCell& cell);

/// "Answered by a cell of 1/25: 4,000 jobs on 40 GPUs; in one of 1,000 streams events take 0.3 % longer, so that some
/// 0.1 % less is expected of the whole." No less is expected than an event takes that never waits. Latencies and waits
/// of which more than the precision is left open are named, and how the whole is asked for.
/// @param results      with a cell
/// @param precision    that was asked for [1]
/// @param device_word  "GPU"
std::string cell_text(const Results& results, double precision, std::string_view device_word);

/// The same for programs: an object at a place of the JSON.
void add_cell(Answer& answer, const AnsweringCell& cell, std::vector<std::string> place);

/// Counts how many of several simulations were answered by cells.
class CellTally {
 public:
  void take(const Results& results);

  /// "8 of 12 simulations are answered by cells, parts of the farm of at least 4,000 streams; larger parts would change
  /// event times by 0.1 % at most." Empty where none is.
  std::string text() const;
  /// Says that, for programs at "cells".
  void say(Answer& answer) const;

 private:
  std::uint64_t simulations_ = 0;
  std::uint64_t by_cells_ = 0;
  std::uint64_t unchecked_ = 0;  ///< that differ from another size by too much, or were compared with none
  double fewest_streams_ = 0.0;
  double largest_rest_ = 0.0;
};

}  // namespace saturn
