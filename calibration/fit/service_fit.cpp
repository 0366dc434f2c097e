#include "calibration/fit/service_fit.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/value_fit.hpp"
#include "models/laws/parameter_spread.hpp"
#include "models/statistics/histogram.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

namespace {

std::string fault_of(const FitPoint& point) {
  if (!squarable(point.x)) return "has the size " + significant(point.x, 3) + "; a size is a number above 0.";
  if (!squarable(point.y)) return "has the time " + significant(point.y, 3) + " s; a time is a number above 0.";
  if (point.standard_error && !squarable(*point.standard_error))
    return "has the standard error " + significant(*point.standard_error, 3) +
           " s; an error is a number above 0: leave it out where it is not known.";
  return "";
}

}  // namespace

void demand_sound_points(std::span<const FitPoint> points) {
  if (points.empty())
    refuse_fit("", "calibration.too_few_points", "There are no points to fit a law to: measure two sizes or more.");
  std::vector<Complaint> complaints;
  for (const FitPoint& point : points) {
    const std::string fault = fault_of(point);
    if (!fault.empty()) complaints.push_back(complaint_at(point.label, "calibration.bad_value", "This point " + fault));
  }
  if (!complaints.empty()) throw InputError(complaints);
}

std::vector<double> sizes_of(std::span<const FitPoint> points) {
  std::vector<double> sizes;
  for (const FitPoint& point : points) sizes.push_back(point.x);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

LinearLaw affine_law() {
  return {.parameters = 2, .basis = [](double x, std::span<double> basis) {
            basis[0] = 1.0;
            basis[1] = x;
          }};
}

LinearLaw piecewise_law(std::vector<double> knots) {
  const std::size_t parameters = knots.size();
  return {.parameters = parameters, .basis = [knots = std::move(knots)](double x, std::span<double> basis) {
            std::fill(basis.begin(), basis.end(), 0.0);
            std::size_t right = 1;
            while (right + 1 < knots.size() && x > knots[right]) ++right;
            const double share = (x - knots[right - 1]) / (knots[right] - knots[right - 1]);
            basis[right - 1] = 1.0 - share;
            basis[right] = share;
          }};
}

std::string knot_name(double size) {
  return "T(" + significant(size, 10) + ")";
}

void name_outliers(Fit& fit) {
  for (const FitResidual& residual : fit.residuals) {
    if (!residual.outlier) continue;
    const std::string from = residual.point.label.empty()
                                 ? "The point at " + significant(residual.point.x, 3)
                                 : residual.point.label + " (size " + significant(residual.point.x, 3) + ")";
    fit.notes.push_back(from + " is an outlier and left out: " + significant(residual.point.y, 3) + " s measured, " +
                        significant(residual.fitted, 3) + " s by the law of the others.");
  }
}

void note_errors(Fit& fit, const WeightedFit& weighted, std::span<const FitPoint> points) {
  const auto given = std::count_if(points.begin(), points.end(),
                                   [](const FitPoint& point) { return point.standard_error.has_value(); });
  if (weighted.birge)
    fit.notes.push_back("The points scatter more than their errors allow (chi2 " + significant(fit.chi2, 3) + " for " +
                        significant(fit.degrees_of_freedom, 3) + " degrees of freedom): the errors are multiplied by " +
                        significant(weighted.scale, 3) + ".");
  else if (given == 0)
    fit.notes.push_back("The points have no errors; their scatter round the law, " +
                        significant(100.0 * weighted.scale, 3) + " % of its value, stands for them.");
  else if (!weighted.errors_known)
    fit.notes.push_back(
        "Some points have no error: they get the median relative error of the others, and all errors are scaled to "
        "the scatter round the law (factor " +
        significant(weighted.scale, 3) + ").");
}

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
  return significant(parameters.values[index], 3) + " ± " + significant(standard_error(parameters, index), 3) + " " +
         unit;
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
               "All " + counted(points.size(), "point") + " have the size " + significant(points.front().x, 3) +
                   "; how the time grows with the size needs two different sizes at least: measure, for example, "
                   "batches of 1, 8 and 64 too.");
  const LinearLaw law = affine_law();
  // Too few points are refused with their number, before anything looks for outliers among them.
  fit_weighted(law, points);
  return affine_fit(points, find_outliers(law, points));
}

namespace {

constexpr std::size_t fewest_for_order = 8;
constexpr double most_correlation = 0.95;

/// Correlation of neighbours, its bias (which is negative, since the mean is estimated) taken out; 0 where it is within
/// its error of 0.
double neighbour_correlation(std::span<const double> values, const Sample& sample) {
  if (values.size() < fewest_for_order || sample.sd == 0.0) return 0.0;
  double together = 0.0;
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    together += (values[i] - sample.mean) * (values[i + 1] - sample.mean);
  const double raw = together / (sample.sd * sample.sd * (sample.n - 1.0));
  const double unbiased = (raw + 1.0 / sample.n) / (1.0 - 3.0 / sample.n);
  return unbiased < 1.0 / std::sqrt(sample.n) ? 0.0 : std::min(unbiased, most_correlation);
}

}  // namespace

Fit fit_mean(std::span<const double> values, const std::string& label) {
  demand_sound_values(values, label, false);
  const Sample sample = sample_of(values);
  Fit fit{.law = "mean", .used = values.size()};
  fit.spread = spread_of(values);
  fit.x_low = fit.spread->least;
  fit.x_high = fit.spread->most;
  fit.parameters = {.names = {"mean"}, .values = {sample.mean}, .covariance = {0.0}};
  if (values.size() == 1 || sample.sd <= 1e-9 * sample.mean) {
    fit.error_unknown = true;
    fit.notes.emplace_back(values.size() == 1 ? "One value alone tells no scatter: its error is not known."
                                              : "All values are equal: their error is not known.");
    return fit;
  }
  const double correlation = neighbour_correlation(values, sample);
  const double independent = std::max(2.0, sample.n * (1.0 - correlation) / (1.0 + correlation));
  const double error = sample.sd / std::sqrt(independent);
  const double freedom = independent - 1.0;
  fit.parameters.covariance = {error * error};
  fit.parameters.degrees_of_freedom = freedom;
  fit.degrees_of_freedom = freedom;
  if (correlation > 0.0)
    fit.notes.emplace_back("Neighbouring values resemble each other (correlation " + significant(correlation, 3) +
                           "): " + std::to_string(values.size()) + " values count as " + significant(independent, 3) +
                           ".");
  if (values.size() < fewest_for_order || normality_a2(values) <= a2_at_5_percent) return fit;
  const BootstrappedMean bootstrapped = bootstrap_mean(values);
  const double wider =
      std::sqrt(sample.n / independent) * student_95(freedom) / student_95(std::max(1.0, sample.n - 1.0));
  fit.parameters.intervals_95 = {{sample.mean - (sample.mean - bootstrapped.interval.low) * wider,
                                  sample.mean + (bootstrapped.interval.high - sample.mean) * wider}};
  fit.notes.emplace_back("The values are not normal (median " + significant(fit.spread->median, 3) + ", least " +
                         significant(fit.spread->least, 3) + "): the interval is bootstrapped.");
  return fit;
}

namespace {

/// Times that descend share their mean, and its covariance.
/// @returns the sizes whose times were averaged
std::vector<double> make_non_descending(LinearSolution& solution, const std::vector<double>& sizes) {
  const std::size_t n = solution.values.size();
  std::vector<double> weights;
  for (std::size_t i = 0; i < n; ++i) weights.push_back(1.0 / std::max(solution.covariance[i * n + i], 1e-300));
  const std::vector<double> pooled = non_descending(solution.values, weights);
  std::vector<double> averaged;
  for (std::size_t i = 0; i < n; ++i)
    if (pooled[i] != solution.values[i]) averaged.push_back(sizes[i]);
  if (averaged.empty()) return averaged;
  std::vector<double> share(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    double total = 0.0;
    for (std::size_t j = 0; j < n; ++j) total += pooled[j] == pooled[i] ? weights[j] : 0.0;
    for (std::size_t j = 0; j < n; ++j) share[i * n + j] = pooled[j] == pooled[i] ? weights[j] / total : 0.0;
  }
  std::vector<double> covariance(n * n, 0.0);
  // The times of different sizes are independent, so that only the diagonal counts.
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        covariance[i * n + j] += share[i * n + k] * share[j * n + k] * solution.covariance[k * n + k];
  solution.values = pooled;
  solution.covariance = covariance;
  return averaged;
}

std::string falling_times(const std::vector<double>& averaged, const std::vector<double>& sizes,
                          const std::vector<double>& measured) {
  std::vector<std::string> times;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (std::find(averaged.begin(), averaged.end(), sizes[i]) == averaged.end()) continue;
    times.push_back(knot_name(sizes[i]) + " = " + significant(1e3 * measured[i], 3) + " ms");
  }
  return "Some larger batches were measured as faster, which no law is: neighbours that fall share their mean (" +
         joined(times) + ").";
}

}  // namespace

Fit piecewise_fit(std::span<const FitPoint> all, const std::vector<std::size_t>& outliers) {
  const std::vector<FitPoint> kept = without(all, outliers);
  const std::vector<double> sizes = sizes_of(kept);
  const LinearLaw law = piecewise_law(sizes);
  WeightedFit weighted = fit_weighted(law, kept);
  const std::vector<double> measured = weighted.solution.values;
  const std::vector<double> averaged = make_non_descending(weighted.solution, sizes);
  Fit fit = as_fit(law, weighted, all, outliers);
  fit.law = "piecewise linear";
  fit.knots = sizes;
  for (const double size : sizes) fit.parameters.names.push_back(knot_name(size));
  note_errors(fit, weighted, kept);
  if (!averaged.empty()) fit.notes.push_back(falling_times(averaged, sizes, measured));
  name_outliers(fit);
  return fit;
}

Fit fit_piecewise(std::span<const FitPoint> points) {
  demand_sound_points(points);
  const std::vector<double> sizes = sizes_of(points);
  if (sizes.size() < 2)
    refuse_fit(points.front().label, "calibration.too_few_sizes",
               "The only size is " + significant(points.front().x, 3) +
                   "; a law through measured sizes needs two different ones at least: measure another.");
  const LinearLaw law = piecewise_law(sizes);
  fit_weighted(law, points);
  return piecewise_fit(points, find_outliers(law, points));
}

}  // namespace saturn
