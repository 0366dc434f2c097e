#pragma once

#include <string>

#include "calibration/fitted_law.hpp"
#include "models/results/estimate.hpp"
#include "reports/answer/answer.hpp"

namespace saturn {

/// Adds one fit: its parameters with their intervals, how well it fits, its residuals and a plot.
/// @param short_labels  points are named by their files without the folders
void add_fit(Answer& answer, const NamedFit& named, bool short_labels);

/// Adds the parameters and residuals of a fit for programs, at "parameters" and "residuals".
void add_fit_for_programs(Answer& answer, const NamedFit& named);

/// A parameter with its 95 % interval.
Estimate parameter_estimate(const FittedParameters& parameters, std::size_t index);

/// A size of a batch: a whole number, or a mean of several.
std::string size_text(double size);

/// "timing.db" of "runs/timing.db", "perf.csv:3" of "runs/perf.csv:3".
std::string without_folder(const std::string& label);

}  // namespace saturn
