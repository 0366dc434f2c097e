#pragma once

#include <string>
#include <vector>

#include "reports/figures/figures.hpp"
#include "reports/page/report_page.hpp"
#include "reports/page/telling_metrics.hpp"
#include "reports/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

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
