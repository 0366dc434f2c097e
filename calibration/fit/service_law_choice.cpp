#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/fit/fit.hpp"
#include "calibration/fit/service_fit.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"

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
  return "F = " + significant(test.f, 3) + ", p = " + significant(test.p, 3);
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

namespace {

/// Knots with two sizes or more on either side, the knot itself counted to the lower one: a single point can then not
/// make a segment of its own.
std::vector<double> possible_knots(const std::vector<double>& sizes) {
  if (sizes.size() < 4) return {};
  return {sizes.begin() + 1, sizes.end() - 2};
}

struct Candidate {
  double knot = 0.0;
  LinearSolution solution{};
};

std::vector<Candidate> candidates_of(std::span<const FitPoint> points, const std::vector<double>& errors) {
  std::vector<double> x;
  std::vector<double> y;
  for (const FitPoint& point : points) {
    x.push_back(point.x);
    y.push_back(point.y);
  }
  const std::vector<double> sizes = sizes_of(points);
  std::vector<Candidate> candidates;
  for (const double knot : possible_knots(sizes)) {
    const LinearLaw law = piecewise_law({sizes.front(), knot, sizes.back()});
    candidates.push_back({knot, solve_linear(law, x, y, errors)});
  }
  return candidates;
}

double value_at(const Candidate& candidate, const std::vector<double>& sizes, double x) {
  double basis[3] = {};
  piecewise_law({sizes.front(), candidate.knot, sizes.back()}).basis(x, basis);
  double value = 0.0;
  for (std::size_t j = 0; j < 3; ++j) value += basis[j] * candidate.solution.values[j];
  return value;
}

/// Adds what the other knots would make of the law at the best one's knots, each by its likelihood.
std::vector<double> averaged_covariance(const TwoSegments& best, const std::vector<Candidate>& candidates,
                                        double variance, const std::vector<double>& sizes) {
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : candidates) least = std::min(least, candidate.solution.chi2);
  double total = 0.0;
  std::vector<double> weights;
  for (const Candidate& candidate : candidates) {
    weights.push_back(variance > 0.0 ? std::exp(-0.5 * (candidate.solution.chi2 - least) / variance)
                                     : (candidate.solution.chi2 == least ? 1.0 : 0.0));
    total += weights.back();
  }
  std::vector<double> covariance = best.fit.solution.covariance;
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    double away[3] = {};
    for (std::size_t j = 0; j < 3; ++j)
      away[j] = value_at(candidates[c], sizes, best.knots[j]) - best.fit.solution.values[j];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) covariance[i * 3 + j] += weights[c] / total * away[i] * away[j];
  }
  return covariance;
}

/// How surely the second slope is not the first, the error variance taken from the two segments.
void judge(TwoSegments& best, const WeightedFit& one, double affine_chi2, double least_chi2, std::size_t points,
           std::size_t knots) {
  const double freedom = static_cast<double>(points) - 4.0;
  const double gained = std::max(affine_chi2 - least_chi2, 0.0);
  double p = 1.0;
  if (gained < chi2_of_rounding) return;
  const double left = freedom > 0.0 ? least_chi2 / freedom : 0.0;
  const bool agrees = one.errors_known && (freedom <= 0.0 || chi_squared_above(freedom, least_chi2) > 0.01);
  if (agrees) {
    best.f = gained;
    p = chi_squared_above(1.0, gained);
  } else if (left > 0.0) {
    best.f = gained / left;
    p = fisher_f_above(1.0, freedom, best.f);
  } else if (gained > 0.0) {
    best.f = std::numeric_limits<double>::max();
    p = 0.0;
  }
  best.p = std::min(1.0, p * static_cast<double>(knots));
}

}  // namespace

bool can_have_two_segments(std::span<const FitPoint> points) {
  return sizes_of(points).size() >= 4 && points.size() >= 5;
}

TwoSegments best_two_segments(std::span<const FitPoint> points) {
  const std::vector<double> sizes = sizes_of(points);
  const WeightedFit one = fit_weighted(affine_law(), points);
  // The same weights for all laws: else their chi² could not be compared.
  std::vector<double> errors = one.errors;
  if (one.scale > 0.0)
    for (double& error : errors) error /= one.scale;
  const std::vector<Candidate> candidates = candidates_of(points, errors);
  const auto least = std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.solution.chi2 < b.solution.chi2;
  });
  TwoSegments best{.knots = {sizes.front(), least->knot, sizes.back()}};
  best.fit = fit_weighted(piecewise_law(best.knots), points);
  // The knot was searched for: it costs a degree of freedom.
  const double freedom = std::max(1.0, best.fit.degrees_of_freedom - 1.0);
  if (!best.fit.errors_known || best.fit.birge) {
    const double wider = best.fit.degrees_of_freedom / freedom;
    for (double& entry : best.fit.solution.covariance) entry *= wider;
    for (double& error : best.fit.errors) error *= std::sqrt(wider);
    best.fit.scale *= std::sqrt(wider);
  }
  best.fit.degrees_of_freedom = freedom;
  const double affine_chi2 = one.solution.chi2;
  judge(best, one, affine_chi2, least->solution.chi2, points.size(), candidates.size());
  const double variance = best.fit.errors_known && !best.fit.birge ? 1.0 : least->solution.chi2 / freedom;
  best.covariance = averaged_covariance(best, candidates, variance, sizes);
  return best;
}

Fit two_segments_fit(const TwoSegments& best, std::span<const FitPoint> all, const std::vector<std::size_t>& outliers) {
  Fit fit = as_fit(piecewise_law(best.knots), best.fit, all, outliers);
  fit.law = "piecewise linear";
  fit.knots = best.knots;
  fit.parameters.covariance = best.covariance;
  for (const double knot : best.knots) fit.parameters.names.push_back(knot_name(knot));
  note_errors(fit, best.fit, without(all, outliers));
  fit.notes.push_back("Two straight parts that meet at " + significant(best.knots[1], 3) + " items.");
  name_outliers(fit);
  return fit;
}

Fit fit_two_segments(std::span<const FitPoint> points) {
  demand_sound_points(points);
  if (sizes_of(points).size() < 4)
    refuse_fit(points.front().label, "calibration.too_few_sizes",
               "There are " + counted(sizes_of(points).size(), "different size") +
                   "; two straight parts need 4 at least: measure more sizes.");
  if (!can_have_two_segments(points))
    refuse_fit(points.front().label, "calibration.too_few_points",
               "There are 4 points for two straight parts; 5 are needed to tell their error: measure another size.");
  const LinearLaw law = piecewise_law(best_two_segments(points).knots);
  const std::vector<std::size_t> outliers = find_outliers(law, points);
  const std::vector<FitPoint> kept = without(points, outliers);
  if (!can_have_two_segments(kept)) return two_segments_fit(best_two_segments(points), points, {});
  return two_segments_fit(best_two_segments(kept), points, outliers);
}

}  // namespace saturn
