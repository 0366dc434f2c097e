#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/fitted_file.hpp"
#include "reports/answer/answer.hpp"

/// What `saturn calibrate` answers.

namespace saturn {

/// What two sources say of the scenario's saturation, side by side.
struct KneeComparison {
  bool contradict = false;  ///< the number of jobs of one lies outside the other's interval
  std::string sentence{};   ///< by what factor their device times differ, and which interval excludes what
};

/// The first source of the knees beside each of the others, in their order; empty for fewer than two.
std::vector<KneeComparison> knee_comparisons(const SourceKnees& saturation);

/// Files, laws, parameters with intervals, residuals, plots, contradictions. For programs the JSON is the fitted file.
Answer calibration_answer(std::span<const MeasuredFile> files, const SavedCalibration& saved);

}  // namespace saturn
