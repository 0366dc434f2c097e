#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/fit/fit_text.hpp"
#include "calibration/fit/service_fit.hpp"
#include "calibration/fit/service_points.hpp"
#include "models/quantiles.hpp"

namespace saturn {

namespace {

/// Two tests share 5 %.
constexpr double each_test = 0.025;

/// The errors that every compared law is weighted with: those of the affine law, not scaled.
std::vector<double> common_errors(std::span<const FitPoint> points) {
  const WeightedFit affine = fit_weighted(affine_law(), points);
  std::vector<double> errors = affine.errors;
  if (affine.scale > 0.0)
    for (double& error : errors) error /= affine.scale;
  return errors;
}

double chi2_of(const LinearLaw& law, std::span<const FitPoint> points, const std::vector<double>& errors,
               const std::vector<std::size_t>& left_out) {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::find(left_out.begin(), left_out.end(), i) != left_out.end()) continue;
    x.push_back(points[i].x);
    y.push_back(points[i].y);
    kept.push_back(errors[i]);
  }
  return solve_linear(law, x, y, kept).chi2;
}

/// Bayesian information criterion for known errors; Akaike's with its correction for few points where the errors are
/// estimated from them too. An outlier costs two parameters, its place and its shift.
double criterion(const LinearLaw& law, double searched, std::span<const FitPoint> points,
                 const std::vector<double>& errors, const std::vector<std::size_t>& outliers, bool errors_known) {
  const auto n = static_cast<double>(points.size());
  const double chi2 = chi2_of(law, points, errors, outliers);
  const double parameters = static_cast<double>(law.parameters) + searched + 2.0 * static_cast<double>(outliers.size());
  if (errors_known) return chi2 + parameters * std::log(n);
  const double with_error = parameters + 1.0;
  const double left = n - with_error - 1.0;
  if (left <= 0.0) return std::numeric_limits<double>::infinity();
  return n * std::log(std::max(chi2, 1e-300) / n) + 2.0 * with_error * (1.0 + (with_error + 1.0) / left);
}

std::vector<std::size_t> outliers_of(std::span<const FitPoint> points) {
  const std::vector<double> errors = common_errors(points);
  const std::vector<double> sizes = sizes_of(points);
  const bool known =
      std::all_of(points.begin(), points.end(), [](const FitPoint& p) { return p.standard_error.has_value(); });
  std::vector<std::size_t> best;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const LinearLaw& law, double searched) {
    const std::vector<std::size_t> outliers = find_outliers(law, points);
    const double cost = criterion(law, searched, points, errors, outliers, known);
    if (!(cost < least)) return;
    least = cost;
    best = outliers;
  };
  consider(affine_law(), 0.0);
  if (can_have_two_segments(points)) consider(piecewise_law(best_two_segments(points).knots), 1.0);
  // Without repeats the law through all sizes explains everything and says nothing.
  if (sizes.size() > 2 && points.size() >= sizes.size() + 3) consider(piecewise_law(sizes), 0.0);
  return best;
}

/// Do the points miss a law by more than they miss their own means, or than their errors allow?
std::optional<LawTest> lack_of_fit(const LinearLaw& law, double searched, std::span<const FitPoint> points) {
  const std::vector<double> errors = common_errors(points);
  const std::vector<double> sizes = sizes_of(points);
  const bool known =
      std::all_of(points.begin(), points.end(), [](const FitPoint& p) { return p.standard_error.has_value(); });
  const double between = static_cast<double>(sizes.size()) - static_cast<double>(law.parameters) - searched;
  const auto within = static_cast<double>(points.size() - sizes.size());
  if (between < 1.0 || (within < 1.0 && !known)) return std::nullopt;
  const double own = within > 0.0 ? chi2_of(piecewise_law(sizes), points, errors, {}) : 0.0;
  const double missed = std::max(0.0, chi2_of(law, points, errors, {}) - own);
  if (missed < chi2_of_rounding) return std::nullopt;
  const bool errors_hold = known && (within < 1.0 || chi_squared_above(within, own) > plausible);
  LawTest test{.richer = "measured sizes"};
  if (errors_hold) {
    test.f = missed / between;
    test.p = chi_squared_above(between, missed);
  } else if (own > 0.0) {
    test.f = missed / between / (own / within);
    test.p = fisher_f_above(between, within, test.f);
  } else {
    return std::nullopt;
  }
  return test;
}

std::string in_words(const LawTest& test) {
  return "F = " + in_short(test.f) + ", p = " + in_short(test.p);
}

}  // namespace

Fit fit_service_law(std::span<const FitPoint> points) {
  demand_sound_points(points);
  if (sizes_of(points).size() < 3 || points.size() < 4) {
    Fit fit = fit_affine(points);
    fit.notes.emplace_back("With " + counted(points.size(), "point") + " at " +
                           counted(sizes_of(points).size(), "size") +
                           " nothing could tell another law from the affine one: its straightness is assumed.");
    return fit;
  }
  const std::vector<std::size_t> outliers = outliers_of(points);
  const std::vector<FitPoint> kept = without(points, outliers);
  std::optional<TwoSegments> two;
  if (can_have_two_segments(kept)) two = best_two_segments(kept);
  const bool bent = two && two->p < each_test;
  std::optional<LawTest> chosen_by;
  if (two) chosen_by = LawTest{.simpler = "affine", .richer = "two segments", .f = two->f, .p = two->p};
  const auto lack = lack_of_fit(bent ? piecewise_law(two->knots) : affine_law(), bent ? 1.0 : 0.0, kept);
  if (lack && lack->p < each_test) {
    Fit fit = piecewise_fit(points, outliers);
    fit.test = lack;
    fit.test->simpler = bent ? "two segments" : "affine";
    fit.notes.emplace_back("The data do not support " + std::string(bent ? "two straight parts" : "the affine law") +
                           " (lack of fit: " + in_words(*lack) +
                           "): the law goes through the measured sizes. Are the errors of the points too small?");
    return fit;
  }
  Fit fit = bent ? two_segments_fit(*two, points, outliers) : affine_fit(points, outliers);
  fit.test = chosen_by;
  if (!fit.test && lack) {
    fit.test = lack;
    fit.test->simpler = "affine";
  }
  if (bent)
    fit.notes.emplace_back("The data do not support the affine law: two straight parts are better (" +
                           in_words(*chosen_by) + ").");
  else if (fit.test)
    fit.notes.emplace_back("The data support the affine law: " + fit.test->richer + " would not be better (" +
                           in_words(*fit.test) + ").");
  else
    fit.notes.emplace_back("Too few sizes and no repeats: nothing could tell another law from the affine one.");
  return fit;
}

}  // namespace saturn
