#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// A number with its interval.

namespace saturn {

/// What the uncertainty of one fit adds to an interval.
struct CalibrationShare {
  std::string about{};      ///< "GPU times of resnet"
  double half_width = 0.0;  ///< in the unit of the estimate
};

/// What an interval is made of that holds more than the noise of the simulation.
struct IntervalParts {
  double low_simulation = 0.0;
  double high_simulation = 0.0;
  std::vector<CalibrationShare> calibration{};

  double half_width_simulation() const { return (high_simulation - low_simulation) / 2; }
};

/// What keeps an estimate, or its interval, from being said.
enum class Caveat {
  none,
  too_few_events,  ///< beyond a quantile: neither it nor an interval of it would hold
  not_stationary,  ///< it depends on how long was simulated: it has no interval
};

/// "too few events", "not stationary"; empty for none.
std::string_view words_of(Caveat caveat);

/// A mean with its two-sided confidence interval.
struct Estimate {
  double mean = 0.0;
  double low = 0.0;
  double high = 0.0;
  double confidence = 0.95;
  std::uint32_t replications = 0;
  std::shared_ptr<const IntervalParts> parts{};  ///< where fitted parameters widen the interval
  Caveat caveat = Caveat::none;                  ///< if any, no report says more than that

  double half_width() const { return (high - low) / 2; }
  /// How far the interval reaches from the mean: further than half its width where it lies unevenly round it.
  double reach() const { return std::max(high - mean, mean - low); }
};

/// A value that has no interval.
inline Estimate exactly(double value) {
  return {.mean = value, .low = value, .high = value};
}

/// Applies a rising function to the mean and the ends of the interval.
template <class Rising>
Estimate mapped(Estimate value, const Rising& rising) {
  value.mean = rising(value.mean);
  value.low = rising(value.low);
  value.high = rising(value.high);
  value.parts.reset();
  return value;
}

/// @param factor  >= 0 [1]
inline Estimate scaled(const Estimate& value, double factor) {
  return mapped(value, [factor](double x) { return factor * x; });
}

/// @param by  in the unit of the value
inline Estimate shifted(const Estimate& value, double by) {
  return mapped(value, [by](double x) { return x + by; });
}

/// Applies a function that rises in both values to the means, the lower and the upper ends: too wide rather than too
/// narrow where the two are independent.
template <class Rising>
Estimate combined(const Estimate& a, const Estimate& b, const Rising& rising) {
  Estimate value = a;
  value.mean = rising(a.mean, b.mean);
  value.low = rising(a.low, b.low);
  value.high = rising(a.high, b.high);
  value.parts.reset();
  return value;
}

/// Adds means and half-widths: too wide rather than too narrow where the two are independent.
inline void add_to(Estimate& sum, const Estimate& other) {
  sum.mean += other.mean;
  sum.low += other.low;
  sum.high += other.high;
  sum.confidence = other.confidence;
  sum.replications = other.replications;
}

}  // namespace saturn
