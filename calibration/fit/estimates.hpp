#pragma once

#include <string>
#include <vector>

#include "models/laws/parameter_spread.hpp"

namespace saturn {

/// What one source says about a parameter.
struct SourcedEstimate {
  double value = 0.0;               ///< > 0
  double standard_error = 0.0;      ///< > 0
  double degrees_of_freedom = 0.0;  ///< of the error; 0: known
};

/// Two sources beside each other.
struct EstimateComparison {
  double factor = 1.0;              ///< a over b
  ParameterInterval factor_95{};    ///< of the logarithm, by Student's t
  double degrees_of_freedom = 0.0;  ///< Welch's; 0: normal
  double p = 1.0;                   ///< that equal truths differ so much or more
  bool contradict = false;          ///< p < 0.01
};

/// Compares two independent estimates of the same parameter by Welch's test of their logarithms, so that "twice as
/// much" and "half as much" are equally far.
/// @throws std::invalid_argument  values or errors that are not finite and above 0
/// Source  B. L. Welch, Biometrika 34 (1947) 28
EstimateComparison compare_estimates(const SourcedEstimate& a, const SourcedEstimate& b);

/// Independent estimates taken together.
struct CombinedEstimate {
  double value = 0.0;
  double standard_error = 0.0;
  double degrees_of_freedom = 0.0;  ///< 0: normal
  double chi2 = 0.0;
  double p = 1.0;      ///< of chi2
  double birge = 1.0;  ///< factor on the errors; above 1 when the estimates scatter too much, p < 0.01
};

/// Weighted mean (weights 1/error²). Errors that were estimated themselves make it less certain than their weights say
/// (Meier's correction). When the estimates scatter too much (p < 0.01), the error grows by √(chi²/(n − 1)) and
/// Student's t with n − 1 degrees of freedom holds.
/// @throws std::invalid_argument  no estimates, or one that is not finite or without an error above 0
/// Source  P. Meier, Biometrics 9 (1953) 59; R. T. Birge, Phys. Rev. 40 (1932) 207
CombinedEstimate combine_estimates(const std::vector<SourcedEstimate>& estimates);

}  // namespace saturn
