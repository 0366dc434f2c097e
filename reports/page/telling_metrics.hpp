#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

/// Metrics of a sweep that a page draws.
struct TellingMetrics {
  std::vector<ShownMetric> numbers{};   ///< the chosen one first, if it is a number; at most 6
  std::vector<ShownMetric> words{};     ///< the chosen one first, if it is a word; at most 2
  std::vector<ShownMetric> constant{};  ///< numbers that would be drawn, but hardly differ between the points
  std::vector<std::string> others{};    ///< names of further ones, which are in points.csv
};

/// Least and greatest mean of a metric; nothing where no point has it.
struct MetricRange {
  double least = 0.0;
  double most = 0.0;

  /// But for rounding errors.
  bool is_constant() const;
  /// Within 0.1 %: a figure would blow up what makes no difference.
  bool is_flat() const;
};
std::optional<MetricRange> range_of(const ResolvedView& view, const ShownMetric& metric);

/// The chosen metric, then those that planners look at: clients per GPU, rate and time of events, the 99th percentile
/// of the busiest model's latency, use of the resource that binds most often, cost; then others in their order.
TellingMetrics telling_metrics(const SweepTable& table, const ResolvedView& view);

/// The stem of the 99th percentile of the latency of the model with the most requests at the first answered point;
/// empty where there is none.
std::string busiest_latency(const ResolvedView& view);

}  // namespace saturn
