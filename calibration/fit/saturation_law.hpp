#pragma once

#include <span>
#include <vector>

#include "calibration/fit/closed_loop_fit.hpp"

namespace saturn {

/// max(own + base, N·demand), parted into rows below and above the knee.
struct SaturationSolution {
  double base = 0.0;    ///< module time, or t_ideal without own times [s]
  double demand = 0.0;  ///< [s]
  std::vector<bool> above{};
  std::vector<double> fitted{};
  double chi2 = 0.0;
};

/// Least squares for the given errors over all partings; of more than 64 different numbers of clients over 64 partings
/// at equal distances, then as many about the best of these, and so on. The flat law (nothing above) and the
/// proportional one (all above) only when asked for.
enum class Parting { both, none_above, all_above };
SaturationSolution solve_saturation(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors,
                                    Parting parting);

/// The least chi² when the demand, or the base, is held.
double chi2_with_demand(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double demand);
double chi2_with_base(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double base);
/// The least chi² when the knee (own + base)/demand at the own time `own_s` is held.
double chi2_with_knee(std::span<const ClosedLoopRow> rows, const std::vector<double>& errors, double knee,
                      double own_s);

}  // namespace saturn
