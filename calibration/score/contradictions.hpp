#pragma once

#include <span>
#include <vector>

#include "calibration/score/placed_rows.hpp"

namespace saturn {

/// Measurements of the same load that no scenario can meet together: for every quantity the two that differ by the
/// largest factor, in a sentence with the factor and the number of such loads. Two differ when they are more than three
/// standard errors apart, or, where a file gives no errors, by more than a fifth. Times and rates of events whose own
/// times outside the module differ are not compared.
/// Cost: O(n·log n)
std::vector<Complaint> contradictions(std::span<const PlacedRow> rows);

}  // namespace saturn
