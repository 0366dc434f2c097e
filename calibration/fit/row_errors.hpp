#pragma once

#include <span>
#include <vector>

#include "calibration/fit/closed_loop_fit.hpp"
#include "calibration/fit/saturation_law.hpp"

namespace saturn {

/// The errors that weight closed-loop rows.
struct RowErrors {
  std::vector<double> values{};
  bool known = false;     ///< every row brought its own
  bool relative = false;  ///< none did: they follow the law
};

/// Refuses rows that no law can be fitted to.
/// @throws InputError  as fit_closed_loop
void demand_sound_rows(std::span<const ClosedLoopRow> rows);

/// Errors as given; missing ones by the median relative error of the others, or 1 of the event time when there are
/// none.
RowErrors errors_of(std::span<const ClosedLoopRow> rows);

/// The law of all partings; errors relative to the law are iterated.
SaturationSolution solve_with_errors(std::span<const ClosedLoopRow> rows, RowErrors& errors);

}  // namespace saturn
