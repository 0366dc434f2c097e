#include "sim/plan/break_even.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "sim/plan/simulated_points.hpp"

namespace saturn {

namespace {

using Where = BreakEvenPoint::Where;

// Event times are wanted to a thousandth: the slowdown that this care belongs to is five times as large.
constexpr double tolerated_slowdown = 0.005;
constexpr double equal_times = 1e-4;  ///< of the event time [1]
constexpr int most_steps_to_even = 8;
constexpr double first_step = 0.1;  ///< round the formula's answer, relative

/// Event times of the varied alternative, each simulated once.
class SimulatedCurve {
 public:
  SimulatedCurve(const VariedAlternative& varied, const Evaluate& evaluate) : varied_(varied), evaluate_(evaluate) {}

  /// Simulates those that are not known yet side by side.
  void simulate(const std::vector<double>& where) {
    std::vector<double> unknown;
    std::vector<Scenario> scenarios;
    for (const double x : where) {
      if (known_.contains(x) || std::find(unknown.begin(), unknown.end(), x) != unknown.end()) continue;
      unknown.push_back(x);
      scenarios.push_back(as_simulated(varied_.scenario(x), tolerated_slowdown, Care::scout));
    }
    if (unknown.empty()) return;
    const std::vector<Results> summaries = evaluate_(scenarios);
    for (std::size_t i = 0; i < unknown.size(); ++i) known_[unknown[i]] = summaries.at(i).all_jobs["event_time_s"];
  }

  const Estimate& at(double x) {
    simulate({x});
    return known_.at(x);
  }

  std::size_t simulations() const { return known_.size(); }

 private:
  const VariedAlternative& varied_;
  const Evaluate& evaluate_;
  std::map<double, Estimate> known_;
};

double interpolated(double low, double high, double at_low, double at_high, double wanted) {
  const double rise = at_high - at_low;
  if (!(rise > 0.0)) return (low + high) / 2;
  return low + (high - low) * std::clamp((wanted - at_low) / rise, 0.0, 1.0);
}

/// The crossing within a bracket, with its interval.
BreakEvenPoint crossing(SimulatedCurve& curve, double low, double high, const Estimate& against, double resolution) {
  double x = interpolated(low, high, curve.at(low).mean, curve.at(high).mean, against.mean);
  for (int round = 0; round < most_steps_to_even && high - low > resolution; ++round) {
    // Interpolation alone creeps where the curve is flat on one side, so every third step halves the bracket.
    const double margin = 0.02 * (high - low);
    x = round % 3 == 2 ? (low + high) / 2 : std::clamp(x, low + margin, high - margin);
    const double time = curve.at(x).mean;
    (time > against.mean ? high : low) = x;
    if (std::abs(time - against.mean) <= equal_times * against.mean) break;
    x = interpolated(low, high, curve.at(low).mean, curve.at(high).mean, against.mean);
  }
  const double slope = (curve.at(high).mean - curve.at(low).mean) / (high - low);
  x = interpolated(low, high, curve.at(low).mean, curve.at(high).mean, against.mean);
  const double noise = std::hypot(against.half_width(), curve.at(high).half_width());
  const double half = (slope > 0.0 ? noise / slope : high - low) + resolution / 2;
  return {.where = Where::at,
          .value = {.mean = x,
                    .low = x - half,
                    .high = x + half,
                    .confidence = against.confidence,
                    .replications = against.replications}};
}

}  // namespace

BreakEvenPoint break_even_by_formula(const VariedAlternative& varied, double against_s) {
  if (varied.bound_event_time(varied.lowest) > against_s) return {.where = Where::always, .value = {}};
  if (varied.bound_event_time(varied.highest) <= against_s) return {.where = Where::never, .value = {}};
  double low = varied.lowest;
  double high = varied.highest;
  while (high - low > 4 * std::numeric_limits<double>::epsilon() * high) {
    const double middle = (low + high) / 2;
    if (middle <= low || middle >= high) break;
    (varied.bound_event_time(middle) > against_s ? high : low) = middle;
  }
  return {.where = Where::at, .value = {.mean = low, .low = low, .high = low}};
}

BreakEvenPoint break_even_by_simulation(const VariedAlternative& varied, const Estimate& against,
                                        const BreakEvenPoint& guess, const Evaluate& evaluate,
                                        std::size_t& simulations) {
  SimulatedCurve curve(varied, evaluate);
  double low = varied.lowest;
  double high = varied.highest;
  if (guess.where == Where::at) {
    low = std::max(low, (1 - first_step) * guess.value.mean - varied.resolution);
    high = std::min(high, (1 + first_step) * guess.value.mean + varied.resolution);
    curve.simulate({low, high});
  }
  BreakEvenPoint result;
  if (curve.at(low).mean > against.mean) {
    high = low;
    low = varied.lowest;
  }
  if (curve.at(low).mean > against.mean) {
    result.where = Where::always;
  } else {
    if (curve.at(high).mean <= against.mean) {
      low = high;
      high = varied.highest;
    }
    if (curve.at(high).mean <= against.mean) {
      result.where = Where::never;
    } else {
      result = crossing(curve, low, high, against, varied.resolution);
    }
  }
  simulations = curve.simulations();
  return result;
}

}  // namespace saturn
