#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "calibration/fit/fit.hpp"

namespace saturn {

/// An event's time at a number of clients that each wait for their own event.
struct ClosedLoopRow {
  double clients = 0.0;           ///< > 0
  double event_time_s = 0.0;      ///< > 0, the whole event
  std::optional<double> own_s{};  ///< of it outside the offloaded module, >= 0, < event_time_s
  std::optional<double>
      standard_error{};  ///< of the event time, or of its offloaded part when the own time is given [s]
  std::string label{};
};

/// The saturation law and what it rests on.
struct SaturationFit {
  /// law "saturation"; parameters "t_ideal" [s] and "demand" [s an event of the bottleneck], those that are known;
  /// residuals over clients.
  Fit fit{};
  std::optional<double> knee{};             ///< t_ideal/demand [clients]
  ParameterInterval knee_95{};              ///< of the knee; the high end may be infinite
  std::optional<double> knee_above{};       ///< no row is saturated: 95 % bound from below
  std::optional<double> demand_at_most{};   ///< the same as a bound of the demand
  std::optional<double> knee_below{};       ///< every row is saturated: 95 % bound from above
  std::optional<double> t_ideal_at_most{};  ///< the same as a bound of t_ideal
  std::vector<std::string> ideal_rows{};    ///< that decide t_ideal
  std::vector<std::string> demand_rows{};   ///< that decide the demand
};

/// Fits t(N) = max(t_ideal, N·demand) by weighted least squares over all ways to part the rows at the knee. Rows with
/// own times have each their own t_ideal = own + module, the module's time fitted.
/// Errors as in fit_weighted: given, with Birge's factor when they are too small; else one relative error for
/// all. Whether rows lie above the knee at all is tested (F, Bonferroni over the partings, 5 %).
/// @param typical_own_s  own time that t_ideal and knee are reported for [s] >= 0; absent: the mean of the rows
/// @throws InputError  calibration.bad_value; calibration.too_few_points (fewer than 3 rows, 4 without errors);
///                     calibration.too_few_sizes (one number of clients); calibration.no_saturation (the rows support
///                     neither a constant time nor one in proportion to the clients, nor one after the other)
/// Source  asymptotic bounds: E. D. Lazowska et al., Quantitative System Performance (1984), ch. 5; Fieller's interval
/// of a
///         ratio: E. C. Fieller, J. R. Stat. Soc. B 16 (1954) 175
SaturationFit fit_closed_loop(std::span<const ClosedLoopRow> rows, std::optional<double> typical_own_s = {});

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
