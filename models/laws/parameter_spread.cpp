#include "models/laws/parameter_spread.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/laws/random_stream.hpp"
#include "models/statistics/quantiles.hpp"
#include "models/words/numbers.hpp"

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

namespace {

constexpr double rounding_of_entries = 1e-6;

std::string entry(std::size_t i, std::size_t j, double value) {
  return "[" + std::to_string(i) + "][" + std::to_string(j) + "] is " + significant(value, 4);
}

double at(const FittedParameters& fitted, std::size_t i, std::size_t j) {
  return fitted.covariance[i * fitted.values.size() + j];
}

/// Standard errors, and the axes of the correlation with their standard deviations. Variances of parameters may differ
/// by many powers of ten, correlations do not.
struct Axes {
  Eigen::VectorXd errors;
  Eigen::MatrixXd vectors;  ///< (n × k)
  Eigen::VectorXd roots;    ///< (k)
  double lowest = 0.0;      ///< eigenvalue
};

Axes axes_of(const FittedParameters& fitted) {
  const auto n = static_cast<Eigen::Index>(fitted.values.size());
  Eigen::MatrixXd correlation = Eigen::MatrixXd::Zero(n, n);
  Axes axes{.errors = Eigen::VectorXd(n), .vectors = {}, .roots = {}};
  const auto covariance = [&](Eigen::Index i, Eigen::Index j) {
    return at(fitted, static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  };
  for (Eigen::Index i = 0; i < n; ++i) axes.errors[i] = std::sqrt(covariance(i, i));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if (axes.errors[i] > 0.0 && axes.errors[j] > 0.0)
        correlation(i, j) = covariance(i, j) / axes.errors[i] / axes.errors[j];
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(correlation);
  axes.lowest = n > 0 ? solver.eigenvalues()[0] : 0.0;
  // Ascending: what is not rounding stands at the end.
  constexpr double negligible = 1e-10;
  const auto rank = static_cast<Eigen::Index>((solver.eigenvalues().array() > negligible).count());
  axes.vectors = solver.eigenvectors().rightCols(rank);
  axes.roots = solver.eigenvalues().tail(rank).cwiseSqrt();
  return axes;
}

/// Coordinates with mean 0 and covariance 1, as near to those given as their spans allow. Source: moment matching by
/// linear transformation, J. Barraquand, Management Science 41 (1995) 1882, "quadratic resampling".
Eigen::MatrixXd moments_matched(Eigen::MatrixXd coordinates) {
  coordinates.rowwise() -= coordinates.colwise().mean().eval();
  const Eigen::Index draws = coordinates.rows();
  const Eigen::Index rank = coordinates.cols();
  const Eigen::HouseholderQR<Eigen::MatrixXd> solved(coordinates);
  Eigen::MatrixXd matched = solved.householderQ() * Eigen::MatrixXd::Identity(draws, rank);
  for (Eigen::Index j = 0; j < rank; ++j)
    matched.col(j) *= std::copysign(std::sqrt(static_cast<double>(draws)), solved.matrixQR()(j, j));
  return matched;
}

bool keeps_signs(const FittedParameters& fitted, const std::vector<double>& drawn) {
  for (std::size_t i = 0; i < drawn.size(); ++i)
    if (!std::isfinite(drawn[i]) || (fitted.values[i] > 0.0 && !(drawn[i] > 0.0))) return false;
  return true;
}

std::vector<double> as_list(const Eigen::VectorXd& row) {
  return {row.data(), row.data() + row.size()};
}

}  // namespace

std::string covariance_fault(const FittedParameters& fitted) {
  const std::size_t n = fitted.values.size();
  for (std::size_t i = 0; i < n; ++i)
    if (at(fitted, i, i) < 0.0) return "has a negative variance: " + entry(i, i, at(fitted, i, i));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double scale = std::sqrt(at(fitted, i, i)) * std::sqrt(at(fitted, j, j));
      const double here = at(fitted, i, j);
      const double there = at(fitted, j, i);
      if (std::abs(here - there) > rounding_of_entries * std::max({scale, std::abs(here), std::abs(there)}))
        return "is not symmetric: " + entry(i, j, here) + ", but " + entry(j, i, there);
      if (std::abs(here) > (1.0 + rounding_of_entries) * scale)
        return "is not positive semidefinite: " + entry(i, j, here) +
               ", more than the product of the standard errors, " + significant(scale, 4);
    }
  const double lowest = axes_of(fitted).lowest;
  if (lowest < -rounding_of_entries * static_cast<double>(n))
    return "is not positive semidefinite: its correlations have the eigenvalue " + significant(lowest, 4);
  return "";
}

bool is_exact(const FittedParameters& fitted) {
  return std::all_of(fitted.covariance.begin(), fitted.covariance.end(), [](double value) { return value == 0.0; });
}

ParameterDraws spread_draws(const FittedParameters& fitted, std::size_t count, std::uint64_t seed,
                            std::uint32_t group) {
  FittedParameters normal = fitted;
  normal.degrees_of_freedom = 0.0;
  const Axes axes = axes_of(fitted);
  const Eigen::Index rank = axes.roots.size();
  const Eigen::VectorXd inverse = axes.errors.unaryExpr([](double error) { return error > 0.0 ? 1.0 / error : 0.0; });
  const Eigen::Map<const Eigen::VectorXd> centre(fitted.values.data(), static_cast<Eigen::Index>(fitted.values.size()));
  ParameterDraws draws;
  Eigen::MatrixXd coordinates(static_cast<Eigen::Index>(count), rank);
  for (std::size_t r = 0; r < count; ++r) {
    RandomStream stream(seed, static_cast<std::uint32_t>(r), group, Purpose::parameters);
    draws.sets.push_back(draw_parameters(normal, stream));
    const Eigen::Map<const Eigen::VectorXd> drawn(draws.sets.back().data(), centre.size());
    const Eigen::VectorXd away = inverse.asDiagonal() * (drawn - centre);
    const Eigen::VectorXd coordinate = (axes.vectors.transpose() * away).cwiseQuotient(axes.roots);
    coordinates.row(static_cast<Eigen::Index>(r)) = coordinate.transpose();
    draws.coordinates.push_back(as_list(coordinate));
  }
  if (rank == 0 || static_cast<Eigen::Index>(count) <= rank + 1) return draws;
  const Eigen::MatrixXd matched = moments_matched(std::move(coordinates));
  ParameterDraws turned{.sets = {}, .coordinates = {}, .matched = true};
  for (Eigen::Index r = 0; r < matched.rows(); ++r) {
    const Eigen::VectorXd coordinate = matched.row(r).transpose();
    const Eigen::VectorXd away = axes.vectors * axes.roots.cwiseProduct(coordinate);
    turned.sets.push_back(as_list(centre + axes.errors.cwiseProduct(away)));
    turned.coordinates.push_back(as_list(coordinate));
    if (!keeps_signs(fitted, turned.sets.back())) return draws;
  }
  return turned;
}

double root_mean_square(std::span<const double> moved) {
  double squares = 0.0;
  for (const double one : moved) squares += one * one;
  return moved.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(moved.size()));
}

double spread_of(const ParameterDraws& draws, std::span<const double> moved) {
  const double whole = root_mean_square(moved);
  if (!draws.matched) return whole;
  const auto count = static_cast<double>(moved.size());
  const std::size_t rank = draws.coordinates.front().size();
  double explained = 0.0;
  double shift = 0.0;
  for (const double one : moved) shift += one / count;
  for (std::size_t j = 0; j < rank; ++j) {
    double slope = 0.0;
    for (std::size_t r = 0; r < moved.size(); ++r) slope += draws.coordinates[r][j] * moved[r] / count;
    explained += slope * slope;
  }
  explained += shift * shift;
  const double estimated = static_cast<double>(rank) + 1.0;
  const double noise = count * std::max(0.0, whole * whole - explained) / (count - estimated);
  return std::sqrt(std::max(0.0, explained - estimated * noise / count));
}

double interval_factor(const FittedParameters& fitted, double confidence) {
  const double tail = (1.0 - confidence) / 2.0;
  return student_or_normal_quantile_above(fitted.degrees_of_freedom, tail);
}

}  // namespace saturn
