#include "calibration/fit/service_points.hpp"

#include <algorithm>
#include <cmath>

#include "calibration/fit/fit_text.hpp"
#include "calibration/fit/service_fit.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/complaint.hpp"

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

}  // namespace saturn
