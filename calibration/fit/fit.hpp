#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/laws/parameter_spread.hpp"
#include "scenarios/document/complaints.hpp"

namespace saturn {

/// A measured y at an x, such as the time of a batch of x items.
struct FitPoint {
  double x = 0.0;
  double y = 0.0;
  std::optional<double> standard_error{};  ///< of y, > 0; absent: not known, and the scatter of the points tells it
  std::string label{};                     ///< where it comes from, "perf.csv:3"
};

/// A point beside the law that was fitted to it.
struct FitResidual {
  FitPoint point{};
  double fitted = 0.0;
  double standardised = 0.0;  ///< (y − fitted) over its standard error, given or estimated [1]
  bool outlier = false;       ///< named and left out of the fit
};

/// Is a richer law worth its parameters?
struct LawTest {
  std::string simpler{};
  std::string richer{};
  double f = 0.0;  ///< Fisher's F
  double p = 1.0;  ///< that the simpler law's points show so much or more
};

/// What the values themselves say, beside the mean that was fitted to them.
struct ValueSpread {
  double sd = 0.0;
  double median = 0.0;
  double least = 0.0;
  double most = 0.0;
};

/// A fitted law.
struct Fit {
  /// "affine", "piecewise linear", "gamma", "lognormal", "empirical", "constant", "mean", "saturation"
  std::string law{};
  FittedParameters parameters{};
  bool errors_known = false;  ///< the points brought their errors; else they were estimated from the residuals
  std::size_t used = 0;       ///< points, outliers left out
  double chi2 = 0.0;          ///< Σ standardised²; of errors that were known
  double degrees_of_freedom = 0.0;
  bool error_unknown = false;    ///< nothing tells the parameters' errors: the covariance is 0 for want of a better one
  std::vector<double> knots{};   ///< sizes of a piecewise linear law, ascending, one a parameter [item]
  std::vector<double> values{};  ///< of an empirical law, ascending, equally likely, at most 200
  std::optional<ValueSpread> spread{};  ///< of values whose distribution or mean was fitted
  std::optional<LawTest> test{};        ///< that chose the law
  std::vector<FitResidual> residuals{};
  double x_low = 0.0;  ///< range of validity
  double x_high = 0.0;
  std::vector<std::string> notes{};  ///< what a reader should know

  /// True when all points are of one setting, whose sizes differ a little where they follow from Little's law.
  bool of_one_size() const { return !residuals.empty() && x_high <= 1.1 * x_low; }
};

/// A complaint about data from "perf.csv:3", a file, or an empty label.
Complaint complaint_at(const std::string& label, std::string code, std::string text);

/// Ends a fit that the user's data do not allow.
/// @param label  where the data come from, "perf.csv:3", a file, or empty
/// @throws InputError  with this one complaint
[[noreturn]] void refuse_fit(const std::string& label, std::string code, std::string text);

}  // namespace saturn
