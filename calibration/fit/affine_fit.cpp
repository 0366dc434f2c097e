#include <algorithm>
#include <cmath>

#include "calibration/fit/fit_text.hpp"
#include "calibration/fit/service_fit.hpp"
#include "calibration/fit/service_points.hpp"
#include "models/parameter_draws.hpp"

namespace saturn {

namespace {

/// The affine law with one of its parameters at 0.
LinearLaw without_parameter(std::size_t gone) {
  return {.parameters = 1, .basis = [gone](double x, std::span<double> basis) { basis[0] = gone == 0 ? x : 1.0; }};
}

/// Refits with one parameter at 0. The covariance stays that of the free fit: it says how far from 0 the parameter may
/// be, and what the other one then is.
void hold_at_zero(Fit& fit, std::size_t gone, std::span<const FitPoint> points,
                  const std::vector<std::size_t>& outliers) {
  const std::size_t other = 1 - gone;
  const std::vector<ParameterInterval> free{interval(fit.parameters, 0, 0.95), interval(fit.parameters, 1, 0.95)};
  const std::vector<FitPoint> kept = without(points, outliers);
  const LinearLaw law = without_parameter(gone);
  Fit bound = as_fit(law, fit_weighted(law, kept), points, outliers);
  bound.parameters.names = {fit.parameters.names[other]};
  fit.residuals = bound.residuals;
  fit.chi2 = bound.chi2;
  fit.degrees_of_freedom = bound.degrees_of_freedom;
  fit.parameters.values[gone] = 0.0;
  fit.parameters.values[other] = bound.parameters.values[0];
  fit.parameters.intervals_95.resize(2);
  fit.parameters.intervals_95[gone] = {0.0, std::max(0.0, free[gone].high)};
  const ParameterInterval held = interval(bound.parameters, 0, 0.95);
  fit.parameters.intervals_95[other] = {std::min(held.low, free[other].low), std::max(held.high, free[other].high)};
}

std::string with_error(const FittedParameters& parameters, std::size_t index, const std::string& unit) {
  return in_short(parameters.values[index]) + " ± " + in_short(standard_error(parameters, index)) + " " + unit;
}

void keep_physical(Fit& fit, std::span<const FitPoint> points, const std::vector<std::size_t>& outliers) {
  const FittedParameters free = fit.parameters;
  if (free.values[1] <= 0.0) {
    if (interval(free, 1, 0.95).high < 0.0)
      refuse_fit(points.front().label, "calibration.falling_times",
                 "The times fall with the size of the batch (" + with_error(free, 1, "s an item") +
                     "), which no service law does; are sizes and times in the right columns, and is the time that of "
                     "a whole batch?");
    fit.notes.push_back("per_item came out at " + with_error(free, 1, "s") +
                        ", not above 0 within its error: it is 0, and the time does not depend on the size.");
    hold_at_zero(fit, 1, points, outliers);
  } else if (free.values[0] < 0.0) {
    const bool significant = interval(free, 0, 0.95).high < 0.0;
    fit.notes.push_back("per_batch came out at " + with_error(free, 0, "s") +
                        (significant ? ", below 0 beyond its error: a straight line from 0 does not describe these "
                                       "times, which bend upwards. per_batch is held at 0."
                                     : ", below 0 within its error: per_batch is held at 0."));
    hold_at_zero(fit, 0, points, outliers);
  }
}

}  // namespace

Fit affine_fit(std::span<const FitPoint> points, const std::vector<std::size_t>& outliers) {
  const LinearLaw law = affine_law();
  const std::vector<FitPoint> kept = without(points, outliers);
  const WeightedFit weighted = fit_weighted(law, kept);
  Fit fit = as_fit(law, weighted, points, outliers);
  fit.law = "affine";
  fit.parameters.names = {"per_batch", "per_item"};
  note_errors(fit, weighted, kept);
  keep_physical(fit, points, outliers);
  name_outliers(fit);
  return fit;
}

Fit fit_affine(std::span<const FitPoint> points) {
  demand_sound_points(points);
  if (points.size() > 1 && sizes_of(points).size() < 2)
    refuse_fit(points.front().label, "calibration.too_few_sizes",
               "All " + counted(points.size(), "point") + " have the size " + in_short(points.front().x) +
                   "; how the time grows with the size needs two different sizes at least: measure, for example, "
                   "batches of 1, 8 and 64 too.");
  const LinearLaw law = affine_law();
  // Too few points are refused with their number, before anything looks for outliers among them.
  fit_weighted(law, points);
  return affine_fit(points, find_outliers(law, points));
}

}  // namespace saturn
