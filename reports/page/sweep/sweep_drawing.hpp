#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/figures/figures.hpp"
#include "reports/page/report_page.hpp"
#include "reports/sweep/sweep_view.hpp"
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

/// Figures of a sweep, and what is said beside them.
struct SweepDrawing {
  std::vector<std::string> remarks{};  ///< what is not drawn, and how to see it
  std::string undrawn{};               ///< which metrics have no figure; empty: all have
  std::vector<Figure> figures{};
  std::vector<LinkedMap> maps{};
};

/// The telling metrics over the axes: maps over two axes, lines over one, scatter plots of samples.
/// @param view  of the chosen metric
SweepDrawing drawn_sweep(const SweepTable& table, const SweepView& view, const ResolvedView& resolved,
                         const TellingMetrics& telling, const FigureContext& context);

/// Event rate against latency over all points, those that nothing beats joined; no figures where points have not both.
SweepDrawing drawn_tradeoff(const SweepTable& table, const ResolvedView& resolved, const FigureContext& context);

}  // namespace saturn
