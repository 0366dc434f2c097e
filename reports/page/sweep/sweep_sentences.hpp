#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/page/sweep/sweep_page.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "sim/sweep/sweep_table.hpp"

/// What a sweep's page says in words.

namespace saturn {

/// Points with a number of a metric, the best first: the greatest, or the least where less is better; of those that
/// differ by rounding alone by their numbers.
std::vector<const SweepRow*> best_rows(const ResolvedView& view, const ShownMetric& metric);

/// Says where a point is.
class PlaceWords {
 public:
  PlaceWords(const SweepTable& table, const ResolvedView& view);

  /// "rtt = 0.5 ms, dispatch = round_robin": the values of the axes at a point.
  std::string text(const SweepRow& row) const;
  /// One a column of the table.
  const std::vector<ShownAxis>& axes() const { return axes_; }

 private:
  std::vector<ShownAxis> axes_;
};

/// What was swept, and the best point with its interval.
std::string sweep_lead(const SweepTable& table, const ResolvedView& view);

/// What is missing, failed, imprecise or torn, each with its share and the way out.
std::vector<std::string> sweep_warnings(const SweepTable& table, const ResolvedView& view, const SweepSource& source);

/// Points of a status among the view's.
std::size_t points_with(const ResolvedView& view, PointStatus status);

}  // namespace saturn
