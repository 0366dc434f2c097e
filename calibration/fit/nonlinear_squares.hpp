#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "models/results/estimate.hpp"

namespace saturn {

/// A parameter of a law that only a computation knows, such as a simulation, with the range in which it has to lie.
struct BoundedParameter {
  std::string name{};
  double start = 0.0;  ///< in [low, high]
  double low = 0.0;    ///< finite
  double high = std::numeric_limits<double>::infinity();
  double scale = 1.0;  ///< > 0: size of a parameter that starts at 0, by which steps are chosen
};

/// (points)(n) residuals of several sets of parameters, which may be computed side by side.
using ResidualsOf = std::function<std::vector<std::vector<double>>(std::span<const std::vector<double>> points)>;

/// Why residuals cannot tell some parameters.
struct Unidentified {
  std::vector<std::size_t> parameters{};  ///< one that nothing responds to, or several that act only together
  bool alone = false;                     ///< nothing responds to it
};

/// Parameters whose sum of squared residuals is the least.
struct NonlinearFit {
  std::vector<double> values{};     ///< (p)
  std::vector<double> residuals{};  ///< (n)
  std::vector<bool> at_bound{};     ///< (p) held at an end of its range, which the residuals would leave
  /// (p) 95 % intervals, by the derivatives at the solution: Student's by the scatter of the residuals; where there are
  /// no more residuals than parameters, what an error of `assumed_error` in each residual makes of them. What the
  /// computation's own error can make of them, whatever its signs, is added in squares.
  std::vector<Estimate> estimates{};
  std::size_t freedom = 0;                   ///< residuals beyond the parameters; 0: nothing tells an error
  std::vector<Unidentified> unidentified{};  ///< the fit means something only where this is empty
  std::size_t evaluations = 0;               ///< sets of parameters that were computed
};

/// Error of a measured number where nothing tells it [1].
inline constexpr double assumed_error = 0.01;

/// Least squares of residuals that are relative errors [1], by Levenberg and Marquardt's method with central
/// differences, steps of 4 % of each parameter: wide, so that the noise of a simulation drowns no derivative. A step
/// that leaves a range is taken to its end, and a parameter stays there while the residuals would have it leave.
/// @param own_error  95 % half-width of a residual that the computation itself leaves, as a simulation does [1]
/// @throws std::invalid_argument  no parameters, or fewer residuals than parameters
/// Cost: 2p + 2 sets of parameters an iteration, mostly 3 to 8 iterations
/// Source  J. J. Moré, "The Levenberg-Marquardt algorithm", Lecture Notes in Mathematics 630 (1978) 105, as in Eigen;
/// C. Kanzow, N. Yamashita & M. Fukushima, Journal of Computational and Applied Mathematics 172 (2004) 375, for the
/// ranges
NonlinearFit fit_nonlinear(std::span<const BoundedParameter> parameters, const ResidualsOf& residuals,
                           double own_error = 0.0);

}  // namespace saturn
