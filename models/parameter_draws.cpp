#include "models/parameter_draws.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/quantiles.hpp"

namespace saturn {

namespace {

constexpr int most_tries = 1000;

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

void demand_sound(const FittedParameters& fitted) {
  const std::size_t n = fitted.values.size();
  if (fitted.names.size() != n || fitted.covariance.size() != n * n ||
      (!fitted.intervals_95.empty() && fitted.intervals_95.size() != n))
    throw std::invalid_argument("fitted parameters: names, values, covariance and intervals of different sizes");
  if (!all_finite(fitted.values) || !all_finite(fitted.covariance) || !std::isfinite(fitted.degrees_of_freedom) ||
      fitted.degrees_of_freedom < 0.0)
    throw std::invalid_argument("fitted parameters: a value, covariance or degree of freedom that is not finite");
  for (std::size_t i = 0; i < n; ++i)
    if (fitted.covariance[i * n + i] < 0.0) throw std::invalid_argument("fitted parameters: a negative variance");
}

double quantile_of(double degrees_of_freedom, double confidence) {
  const double tail = (1.0 - confidence) / 2.0;
  return student_or_normal_quantile_above(degrees_of_freedom, tail);
}

/// A root of the covariance. Variances of parameters may differ by thirty powers of ten, so the root is taken of their
/// correlations.
Eigen::MatrixXd root_of(const FittedParameters& fitted) {
  const auto n = static_cast<Eigen::Index>(fitted.values.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd covariance = Eigen::Map<const RowMajor>(fitted.covariance.data(), n, n);
  const Eigen::VectorXd errors = covariance.diagonal().cwiseSqrt();
  const Eigen::VectorXd inverse = errors.unaryExpr([](double error) { return error > 0.0 ? 1.0 / error : 0.0; });
  const Eigen::MatrixXd correlation = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation);
  // Rounding makes eigenvalues of a semidefinite matrix slightly negative.
  const Eigen::VectorXd roots = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
  return errors.asDiagonal() * solver.eigenvectors() * roots.asDiagonal();
}

Eigen::VectorXd deviation(const Eigen::MatrixXd& root, double degrees_of_freedom, RandomStream& stream) {
  Eigen::VectorXd normal(root.cols());
  for (double& one : normal) one = normal_quantile(stream.uniform());
  // One common factor for all parameters: their scale is what was estimated.
  const double uniform = stream.uniform();
  if (degrees_of_freedom > 0.0) {
    const double chi2 = chi_squared_quantile(degrees_of_freedom, uniform);
    normal *= std::sqrt(degrees_of_freedom / std::max(chi2, 1e-300));
  }
  return root * normal;
}

bool keeps_signs(const FittedParameters& fitted, const Eigen::VectorXd& away) {
  for (std::size_t i = 0; i < fitted.values.size(); ++i) {
    const double drawn = fitted.values[i] + away[static_cast<Eigen::Index>(i)];
    if (!std::isfinite(drawn)) return false;
    if ((fitted.values[i] > 0.0 && drawn <= 0.0) || (fitted.values[i] == 0.0 && drawn < 0.0)) return false;
  }
  return true;
}

}  // namespace

std::vector<double> draw_parameters(const FittedParameters& fitted, RandomStream& stream) {
  demand_sound(fitted);
  if (fitted.values.empty()) return {};
  const Eigen::MatrixXd root = root_of(fitted);
  Eigen::VectorXd away = deviation(root, fitted.degrees_of_freedom, stream);
  for (int tries = 1; tries < most_tries && !keeps_signs(fitted, away); ++tries)
    away = deviation(root, fitted.degrees_of_freedom, stream);
  // So many parameters near 0 that a try hardly ever succeeds: step towards the fitted values, which are positive.
  while (!keeps_signs(fitted, away)) away = away.unaryExpr([](double x) { return std::isfinite(x) ? x / 2.0 : 0.0; });
  std::vector<double> drawn = fitted.values;
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] += away[static_cast<Eigen::Index>(i)];
  return drawn;
}

double standard_error(const FittedParameters& fitted, std::size_t index) {
  demand_sound(fitted);
  if (index >= fitted.values.size()) throw std::invalid_argument("standard_error: no parameter of that index");
  return std::sqrt(fitted.covariance[index * fitted.values.size() + index]);
}

ParameterInterval interval(const FittedParameters& fitted, std::size_t index, double confidence) {
  if (!(confidence > 0.0 && confidence < 1.0))
    throw std::invalid_argument("interval: the confidence lies between 0 and 1");
  const double half = quantile_of(fitted.degrees_of_freedom, confidence) * standard_error(fitted, index);
  const double value = fitted.values[index];
  if (fitted.intervals_95.empty()) return {value - half, value + half};
  const ParameterInterval own = fitted.intervals_95[index];
  const double stretch =
      quantile_of(fitted.degrees_of_freedom, confidence) / quantile_of(fitted.degrees_of_freedom, 0.95);
  return {value - (value - own.low) * stretch, value + (own.high - value) * stretch};
}

}  // namespace saturn
