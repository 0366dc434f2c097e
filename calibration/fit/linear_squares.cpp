#include "calibration/fit/linear_squares.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "calibration/fit/fit.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/texts.hpp"

namespace saturn {

namespace {

constexpr double birge_significance = 0.01;
constexpr int most_iterations = 30;

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

std::vector<double> as_vector(const Eigen::VectorXd& values) {
  return {values.begin(), values.end()};
}

double upper_median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

struct PointColumns {
  std::vector<double> x{};
  std::vector<double> y{};
};

PointColumns columns_of(std::span<const FitPoint> points) {
  PointColumns columns;
  for (const FitPoint& point : points) {
    columns.x.push_back(point.x);
    columns.y.push_back(point.y);
  }
  return columns;
}

/// Errors as given; the missing ones by the median relative error of the rest.
std::vector<double> given_errors(std::span<const FitPoint> points) {
  std::vector<double> relative;
  for (const FitPoint& point : points)
    if (point.standard_error) relative.push_back(*point.standard_error / point.y);
  const double usual = upper_median_of(relative);
  std::vector<double> errors;
  for (const FitPoint& point : points) errors.push_back(point.standard_error.value_or(usual * point.y));
  return errors;
}

/// One relative error for all: it is relative to the law, not to the measured value, which would draw the law down.
LinearSolution solve_relative(const LinearLaw& law, const PointColumns& columns, std::vector<double>& errors) {
  errors = columns.y;
  LinearSolution solution = solve_linear(law, columns.x, columns.y, errors);
  for (int i = 0; i < most_iterations; ++i) {
    double change = 0.0;
    for (std::size_t k = 0; k < errors.size(); ++k) {
      // A law that misses a point by far must not make it weightless or all-important.
      const double next = std::clamp(solution.fitted[k], columns.y[k] / 3.0, columns.y[k] * 3.0);
      change = std::max(change, std::abs(next / errors[k] - 1.0));
      errors[k] = next;
    }
    solution = solve_linear(law, columns.x, columns.y, errors);
    if (change < 1e-10) break;
  }
  return solution;
}

void scale_errors(WeightedFit& fit, double scale) {
  // Points that lie on the law to the last digit still need errors above 0 as weights.
  fit.scale = scale;
  for (double& error : fit.errors) error *= std::max(scale, 1e-150);
  for (double& entry : fit.solution.covariance) entry *= scale * scale;
}

}  // namespace

LinearSolution solve_linear(const LinearLaw& law, std::span<const double> x, std::span<const double> y,
                            std::span<const double> errors) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const auto p = static_cast<Eigen::Index>(law.parameters);
  if (n < p) throw std::invalid_argument("solve_linear: fewer points than parameters");
  RowMajor design(n, p);
  for (Eigen::Index i = 0; i < n; ++i)
    law.basis(x[static_cast<std::size_t>(i)], {design.data() + i * p, law.parameters});
  const Eigen::Map<const Eigen::VectorXd> measured(y.data(), n);
  const Eigen::Map<const Eigen::VectorXd> sigma(errors.data(), n);
  Eigen::MatrixXd weighted = sigma.cwiseInverse().asDiagonal() * design;
  const Eigen::VectorXd norms = weighted.colwise().norm();
  if (!(norms.minCoeff() > 0.0) || !norms.allFinite())
    refuse_fit("", "calibration.bad_value",
               "The sizes, times and errors differ by too many powers of ten for a fit; are they in one unit?");
  weighted = weighted * norms.cwiseInverse().asDiagonal();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(weighted);
  if (qr.rank() < p)
    refuse_fit("", "calibration.too_few_sizes",
               "The sizes lie too close to each other to tell the " + counted(law.parameters, "parameter") +
                   " of the law apart: measure sizes further apart.");
  const Eigen::VectorXd right = measured.cwiseQuotient(sigma);
  const Eigen::VectorXd values = norms.cwiseInverse().asDiagonal() * Eigen::VectorXd(qr.solve(right));
  const Eigen::MatrixXd thin = qr.householderQ() * Eigen::MatrixXd::Identity(n, p);
  const Eigen::MatrixXd upper = qr.matrixQR().topLeftCorner(p, p).triangularView<Eigen::Upper>();
  Eigen::MatrixXd root = upper.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(p, p));
  root = norms.cwiseInverse().asDiagonal() * (qr.colsPermutation() * root);
  const RowMajor covariance = root * root.transpose();
  const Eigen::VectorXd fitted = design * values;
  LinearSolution solution{.values = as_vector(values),
                          .covariance = {covariance.data(), covariance.data() + covariance.size()},
                          .fitted = as_vector(fitted),
                          .leverage = as_vector(thin.rowwise().squaredNorm()),
                          .chi2 = (measured - fitted).cwiseQuotient(sigma).squaredNorm()};
  return solution;
}

WeightedFit fit_weighted(const LinearLaw& law, std::span<const FitPoint> points) {
  const auto given = static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const FitPoint& point) { return point.standard_error.has_value(); }));
  WeightedFit fit{.errors_known = given == points.size()};
  const std::size_t needed = law.parameters + (fit.errors_known ? 0 : 1);
  if (points.size() < needed)
    refuse_fit(points.empty() ? "" : points.front().label, "calibration.too_few_points",
               "There are " + counted(points.size(), "point") + " for " + counted(law.parameters, "parameter") +
                   (fit.errors_known ? "" : " and no error of each point") + "; at least " + std::to_string(needed) +
                   " are needed: measure more sizes, or each size more often.");
  const PointColumns columns = columns_of(points);
  fit.degrees_of_freedom = static_cast<double>(points.size() - law.parameters);
  if (given == 0) {
    fit.solution = solve_relative(law, columns, fit.errors);
  } else {
    fit.errors = given_errors(points);
    fit.solution = solve_linear(law, columns.x, columns.y, fit.errors);
  }
  const double ratio = fit.degrees_of_freedom > 0.0 ? fit.solution.chi2 / fit.degrees_of_freedom : 0.0;
  if (fit.errors_known && fit.degrees_of_freedom > 0.0)
    fit.birge = chi_squared_above(fit.degrees_of_freedom, fit.solution.chi2) < birge_significance;
  if (!fit.errors_known || fit.birge) scale_errors(fit, std::sqrt(ratio));
  return fit;
}

double interval_freedom(const WeightedFit& fit) {
  return fit.errors_known && !fit.birge ? 0.0 : fit.degrees_of_freedom;
}

std::vector<FitPoint> without(std::span<const FitPoint> points, const std::vector<std::size_t>& indices) {
  std::vector<FitPoint> kept;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::find(indices.begin(), indices.end(), i) == indices.end()) kept.push_back(points[i]);
  return kept;
}

Fit as_fit(const LinearLaw& law, const WeightedFit& fit, std::span<const FitPoint> all,
           const std::vector<std::size_t>& outliers) {
  Fit result{.parameters = {.values = fit.solution.values,
                            .covariance = fit.solution.covariance,
                            .degrees_of_freedom = interval_freedom(fit)},
             .errors_known = fit.errors_known,
             .used = all.size() - outliers.size(),
             .chi2 = fit.solution.chi2,
             .degrees_of_freedom = fit.degrees_of_freedom};
  std::vector<double> basis(law.parameters);
  std::size_t kept = 0;
  result.x_low = result.x_high = all.front().x;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool outlier = std::find(outliers.begin(), outliers.end(), i) != outliers.end();
    law.basis(all[i].x, basis);
    double fitted = 0.0;
    for (std::size_t j = 0; j < basis.size(); ++j) fitted += basis[j] * fit.solution.values[j];
    const double error = outlier ? all[i].standard_error.value_or(std::abs(fitted)) * fit.scale : fit.errors[kept++];
    const double away = all[i].y - fitted;
    result.residuals.push_back(
        {.point = all[i], .fitted = fitted, .standardised = error > 0.0 ? away / error : 0.0, .outlier = outlier});
    result.x_low = std::min(result.x_low, all[i].x);
    result.x_high = std::max(result.x_high, all[i].x);
  }
  if (!fit.errors_known && fit.scale > 0.0) result.chi2 = fit.solution.chi2 / (fit.scale * fit.scale);
  return result;
}

}  // namespace saturn
