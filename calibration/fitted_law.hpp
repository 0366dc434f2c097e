#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "calibration/fit/closed_loop_fit.hpp"
#include "calibration/fit/fit.hpp"
#include "models/laws/service_law.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

/// What rates measured under load were, over those predicted from lone clients' rows alone.
struct RateRatios {
  double low = 1.0;
  double high = 1.0;
  double share = 1.0;  ///< of the rows that the interval is to hold
};
/// Of a server of one's own, from the errors of sixteen measured ones, each an observation; printed by
/// `node scripts/predict-triton.mjs --offline`.
inline constexpr RateRatios rates_by_lone_rows{.low = 0.63, .high = 2.28, .share = 0.9};

/// A fit under the name that it has in a fitted file.
struct NamedFit {
  std::string name{};
  FitKind kind = FitKind::time;
  std::string about{};  ///< "GPU times of resnet": what an answer's interval calls its share
  std::string model{};  ///< of a service law
  Fit fit{};
  std::optional<SaturationFit> saturation{};  ///< of a closed loop: its knee, and the rows that decide
  std::string value{};                        ///< what stands in the scenario's place, JSON; empty for a closed loop
  std::vector<std::string> at{};              ///< (n) JSON pointer of each parameter inside `value`
  std::vector<std::string> units{};           ///< (n) of the parameters; a "1/s" stands for a time by its inverse
  std::vector<std::pair<double, double>> curve{};     ///< (x, y) of the law, for plots
  std::vector<std::pair<double, double>> measured{};  ///< the same of the data, where they are no residuals
  std::string x_title{};                              ///< "batch [items]"; empty: there is no x
  std::string y_title{};
  std::string y_unit{};
  std::vector<std::string> sources{};
  std::vector<std::string> notes{};
  std::optional<RateRatios> expected_rates{};  ///< of a service law beside which no loaded row stands
};

/// The service law that a fit's parameters stand for.
/// @param values  (n) of the parameters, in the fit's order
ServiceLaw service_law_of(const Fit& fit, std::span<const double> values);

/// Gives a fit of batch times what a fitted file needs: kind, value, places and units of its parameters, titles, and
/// the law's curve over its range.
void describe_service_law(NamedFit& named);

/// Says in the value of a service law that it rests on a load generator's rows, not on production's.
void rest_on_synthetic(NamedFit& named);

/// Says what a service law beside which no loaded row stands leaves open, and the rows that would decide.
void rest_on_lone_rows(NamedFit& named);

/// More points than these are taken together before they are fitted: laws of many sizes are searched in time that grows
/// faster than their number.
inline constexpr std::size_t most_fitted_points = 2000;

/// Points of the same size as their mean, with the standard error that their scatter tells; where that leaves more than
/// 500 sizes, neighbours together, as many in each. Points that stand alone, or do not scatter, keep their own error or
/// none.
/// @returns the points as they are when there are at most most_fitted_points of them
std::vector<FitPoint> grouped_points(std::span<const FitPoint> points);

}  // namespace saturn
