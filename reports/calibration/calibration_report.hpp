#pragma once

#include <span>
#include <string>
#include <vector>

#include "calibration/fitted_file.hpp"
#include "reports/tables/text_table.hpp"

/// What `saturn calibrate` answers.

namespace saturn {

/// What two sources say of the scenario's saturation, side by side.
struct KneeComparison {
  bool contradict = false;  ///< the number of jobs of one lies outside the other's interval
  std::string sentence{};   ///< by what factor their device times differ, and which interval excludes what
};

/// The first source of the knees beside each of the others, in their order; empty for fewer than two.
std::vector<KneeComparison> knee_comparisons(const SourceKnees& saturation);

/// For people: files, laws, parameters with intervals, residuals, plots, contradictions.
std::string calibration_table(std::span<const MeasuredFile> files, const SavedCalibration& saved, TextStyle style);

/// Tidy rows, see CsvRows: parameters, residuals, sums, comparisons and saturation.
std::string calibration_csv(const SavedCalibration& saved);

}  // namespace saturn
