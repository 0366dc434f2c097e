#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/sweep/sweep_table.hpp"

/// Sweeps for the tests of reports, made by a rule.
namespace saturn {

/// An axis with its values: numbers in a unit that is written behind them, or words.
struct SampleAxis {
  AxisColumn column{};
  std::vector<AxisCell> values{};
};

/// @param unit    of the column: "s"
/// @param suffix  of the cells' texts: " s"
SampleAxis number_axis(const std::string& name, const std::string& unit, const std::vector<double>& values);
SampleAxis word_axis(const std::string& name, const std::vector<std::string>& values);

/// first, first·factor, ... (n values)
std::vector<double> geometric(double first, double factor, std::size_t n);
/// first, first + step, ... (n values)
std::vector<double> linear(double first, double step, std::size_t n);

/// All combinations, the last axis running fastest; points are missing.
SweepTable crossed_sweep(const std::vector<SampleAxis>& axes);

/// The same, each point's result from its number by a rule.
SweepTable crossed_sweep(const std::vector<SampleAxis>& axes, const std::function<PointResult(const SweepRow&)>& rule);

PointResult answered_with(const std::vector<SweepMetric>& metrics, const std::vector<SweepWord>& words = {});
PointResult failed_with(const std::string& failure, const std::string& reason);

/// A number with an interval of so much on both sides.
SweepMetric metric_of(const std::string& stem, const std::string& unit, double mean, double half_width = 0.0);

/// Batch sizes x round-trip times x queue delays, with event times, clients, a binding resource, failures, missing and
/// imprecise points: what a user has after an afternoon.
SweepTable afternoon_sweep();

}  // namespace saturn
