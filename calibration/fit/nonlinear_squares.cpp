#include "calibration/fit/nonlinear_squares.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <unsupported/Eigen/LevenbergMarquardt>

#include "models/laws/parameter_spread.hpp"
#include "models/statistics/quantiles.hpp"

namespace saturn {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Of a parameter, or of its scale where it is smaller.
constexpr double relative_step = 0.04;
/// What a parameter twice as large changes in no residual cannot be told from nothing [1].
constexpr double least_response = 0.005;
/// Of the columns of derivatives, each of length 1: below it some of them are sums of the others.
constexpr double least_singular_value = 0.02;
/// Residuals as small are noise [1].
constexpr double close_enough = 5e-4;
/// What a further iteration has to gain of the root mean square [1].
constexpr double least_gain = 0.005;
constexpr int most_search_steps = 20;
constexpr double half_tail = 0.025;

/// A parameter's range, and the steps by which it is looked about.
class KeptRange {
 public:
  explicit KeptRange(const BoundedParameter& parameter)
      : low_(parameter.low), high_(parameter.high), scale_(parameter.scale) {}

  double clamped(double value) const { return std::clamp(value, low_, high_); }
  double step(double value) const { return relative_step * std::max(std::abs(value), scale_); }
  /// True where a parameter at an end of its range would leave it to make the squares less.
  /// @param slope  of the sum of squares by the parameter
  bool is_held(double value, double slope) const {
    return (value <= low_ && slope > 0.0) || (value >= high_ && slope < 0.0);
  }

 private:
  double low_;
  double high_;
  double scale_;
};

/// The residuals as a function of numbers that are taken into their ranges first.
class SquaresProblem : public Eigen::DenseFunctor<double> {
 public:
  SquaresProblem(std::span<const BoundedParameter> parameters, const ResidualsOf& residuals, Index count)
      : DenseFunctor<double>(static_cast<int>(parameters.size()), static_cast<int>(count)), residuals_(residuals) {
    for (const BoundedParameter& one : parameters) ranges_.emplace_back(one);
  }

  int operator()(const VectorXd& at, VectorXd& residuals) const {
    residuals = computed({clamped(at)}).front();
    return 0;
  }
  /// The columns of parameters that an end of their range holds are 0, so that a step leaves them there.
  int df(const VectorXd& at, MatrixXd& derivatives) const {
    const std::vector<double> inside = clamped(at);
    derivatives = differences(inside);
    const std::vector<bool> held = held_at(inside, derivatives, here_);
    for (std::size_t i = 0; i < held.size(); ++i)
      if (held[i]) derivatives.col(static_cast<Index>(i)).setZero();
    return 0;
  }

  std::vector<double> clamped(const VectorXd& at) const {
    std::vector<double> inside;
    for (std::size_t i = 0; i < ranges_.size(); ++i) inside.push_back(ranges_[i].clamped(at(static_cast<Index>(i))));
    return inside;
  }
  std::vector<bool> held_at(const std::vector<double>& at, const MatrixXd& derivatives,
                            const VectorXd& residuals) const {
    std::vector<bool> held;
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      held.push_back(ranges_[i].is_held(at[i], derivatives.col(static_cast<Index>(i)).dot(residuals)));
    return held;
  }
  /// Derivatives by central differences, at an end of a range by one-sided ones.
  MatrixXd differences(const std::vector<double>& at) const {
    std::vector<std::vector<double>> points;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      for (const double sign : {1.0, -1.0}) {
        std::vector<double> moved = at;
        moved[i] = ranges_[i].clamped(at[i] + sign * ranges_[i].step(at[i]));
        points.push_back(std::move(moved));
      }
    }
    const std::vector<VectorXd> found = computed(points);
    MatrixXd derivatives(values(), inputs());
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const double width = points[2 * i][i] - points[2 * i + 1][i];
      derivatives.col(static_cast<Index>(i)) = (found[2 * i] - found[2 * i + 1]) / width;
    }
    return derivatives;
  }

  /// The residuals where the next derivatives are taken.
  void stand_at(const VectorXd& residuals) { here_ = residuals; }
  const std::vector<KeptRange>& ranges() const { return ranges_; }
  std::size_t evaluations() const { return evaluations_; }

 private:
  std::vector<VectorXd> computed(const std::vector<std::vector<double>>& points) const {
    evaluations_ += points.size();
    std::vector<VectorXd> all;
    for (const std::vector<double>& one : residuals_(points))
      all.emplace_back(VectorXd::Map(one.data(), static_cast<Index>(one.size())));
    return all;
  }

  const ResidualsOf& residuals_;
  std::vector<KeptRange> ranges_{};
  VectorXd here_{};
  mutable std::size_t evaluations_ = 0;
};

double length_per_root(const VectorXd& residuals) {
  return residuals.norm() / std::sqrt(static_cast<double>(residuals.size()));
}

/// Moves the parameters to where the residuals are the least.
void minimise(SquaresProblem& problem, VectorXd& at) {
  Eigen::LevenbergMarquardt<SquaresProblem> solver(problem);
  solver.setMaxfev(4 * Index{most_search_steps});
  solver.setXtol(1e-4);
  solver.setFtol(1e-4);
  if (solver.minimizeInit(at) == Eigen::LevenbergMarquardtSpace::ImproperInputParameters)
    throw std::logic_error("a fit began with parameters that do not suit its residuals");
  double before = length_per_root(solver.fvec());
  // A single small gain may be that of a step that was too bold before.
  int small_gains = 0;
  for (int i = 0; i < most_search_steps && before > close_enough && small_gains < 2; ++i) {
    problem.stand_at(solver.fvec());
    const auto status = solver.minimizeOneStep(at);
    const std::vector<double> inside = problem.clamped(at);
    at = VectorXd::Map(inside.data(), static_cast<Index>(inside.size()));
    if (status != Eigen::LevenbergMarquardtSpace::Running) return;
    const double now = length_per_root(solver.fvec());
    small_gains = before - now < least_gain * before ? small_gains + 1 : 0;
    before = now;
  }
}

/// Parameters that nothing responds to, and those that only act together.
/// @param relative  (n, p) derivatives by the logarithm of each parameter
/// @param held      (p) left out
std::vector<Unidentified> unidentified_in(const MatrixXd& relative, const std::vector<bool>& held) {
  std::vector<Unidentified> found;
  std::vector<std::size_t> acting;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const bool acts = relative.col(static_cast<Index>(i)).cwiseAbs().maxCoeff() >= least_response;
    if (!acts) found.push_back({.parameters = {i}, .alone = true});
    if (acts && !held[i]) acting.push_back(i);
  }
  if (acting.size() < 2) return found;
  MatrixXd columns(relative.rows(), static_cast<Index>(acting.size()));
  for (std::size_t k = 0; k < acting.size(); ++k)
    columns.col(static_cast<Index>(k)) = relative.col(static_cast<Index>(acting[k])).normalized();
  const Eigen::JacobiSVD<MatrixXd> parts(columns, Eigen::ComputeThinV);
  if (parts.singularValues().minCoeff() >= least_singular_value) return found;
  Unidentified together;
  for (std::size_t k = 0; k < acting.size(); ++k)
    if (std::abs(parts.matrixV()(static_cast<Index>(k), parts.matrixV().cols() - 1)) > 0.3)
      together.parameters.push_back(acting[k]);
  found.push_back(together);
  return found;
}

/// Half-widths of the intervals; 0 of parameters that are held.
VectorXd half_widths(const MatrixXd& derivatives, const std::vector<bool>& held, const NonlinearFit& fit,
                     double own_error) {
  std::vector<Index> free;
  for (std::size_t i = 0; i < held.size(); ++i)
    if (!held[i]) free.push_back(static_cast<Index>(i));
  VectorXd widths = VectorXd::Zero(derivatives.cols());
  if (free.empty()) return widths;
  const MatrixXd part = derivatives(Eigen::all, free);
  const MatrixXd inverse = (part.transpose() * part).completeOrthogonalDecomposition().pseudoInverse();
  double factor = assumed_error;
  if (fit.freedom > 0) {
    const auto freedom = static_cast<double>(fit.freedom);
    const double scatter =
        root_mean_square(fit.residuals) * std::sqrt(static_cast<double>(fit.residuals.size()) / freedom);
    factor = scatter * student_quantile_above(freedom, half_tail);
  }
  // Runs that share their random numbers err alike or not: the worst of it.
  const VectorXd own = own_error * (inverse * part.transpose()).cwiseAbs().rowwise().sum();
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto row = static_cast<Index>(k);
    widths(free[k]) = std::hypot(factor * std::sqrt(std::max(inverse(row, row), 0.0)), own(row));
  }
  return widths;
}

}  // namespace

NonlinearFit fit_nonlinear(std::span<const BoundedParameter> parameters, const ResidualsOf& residuals,
                           double own_error) {
  std::vector<double> start;
  for (const BoundedParameter& one : parameters) start.push_back(KeptRange(one).clamped(one.start));
  const std::size_t count = residuals({{start}}).front().size();
  if (parameters.empty() || count < parameters.size())
    throw std::invalid_argument("a fit needs as many residuals as parameters");

  SquaresProblem problem(parameters, residuals, static_cast<Index>(count));
  VectorXd at = VectorXd::Map(start.data(), static_cast<Index>(start.size()));
  minimise(problem, at);

  NonlinearFit fit;
  fit.values = problem.clamped(at);
  fit.residuals = residuals({{fit.values}}).front();
  fit.freedom = count - parameters.size();
  const MatrixXd derivatives = problem.differences(fit.values);
  fit.at_bound =
      problem.held_at(fit.values, derivatives, VectorXd::Map(fit.residuals.data(), static_cast<Index>(count)));
  MatrixXd relative = derivatives;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    relative.col(static_cast<Index>(i)) *= std::max(std::abs(fit.values[i]), parameters[i].scale);
  fit.unidentified = unidentified_in(relative, fit.at_bound);
  const VectorXd widths = half_widths(derivatives, fit.at_bound, fit, own_error);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const double half = widths(static_cast<Index>(i));
    fit.estimates.push_back({.mean = fit.values[i],
                             .low = std::max(fit.values[i] - half, parameters[i].low),
                             .high = std::min(fit.values[i] + half, parameters[i].high)});
  }
  fit.evaluations = problem.evaluations() + 2;
  return fit;
}

}  // namespace saturn
