#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/sweep_complaints.hpp"
#include "scenarios/sweep_space.hpp"

namespace saturn {

/// The axes as far as they could be read.
struct ReadAxes {
  std::vector<SweepSpace::Axis> axes{};
  bool named = true;  ///< every column is known, so that conditions can be read, though values may be wrong
};

/// Reads the axes of a sweep; complains (sweep.no_axis, sweep.unknown_pointer, sweep.not_numeric, sweep.empty_range,
/// sweep.bad_range, sweep.not_allowed, sweep.twice, sweep.uneven).
ReadAxes read_axes(const SweepText& text, const ReadScenario& read, SweepComplaints& complaints);

}  // namespace saturn
