#include <algorithm>

#include "sim/sweep/sweep_plan.hpp"

namespace saturn {

namespace {

bool same_texts(const PlannedPoint& a, const PlannedPoint& b) {
  return std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(),
                    [](const AxisCell& x, const AxisCell& y) { return x.text == y.text; });
}

bool less_texts(const PlannedPoint* a, const PlannedPoint* b) {
  return std::lexicographical_compare(a->cells.begin(), a->cells.end(), b->cells.begin(), b->cells.end(),
                                      [](const AxisCell& x, const AxisCell& y) { return x.text < y.text; });
}

std::vector<const PlannedPoint*> sorted_points(const SweepPlan& plan) {
  std::vector<const PlannedPoint*> sorted;
  sorted.reserve(plan.points.size());
  for (const PlannedPoint& point : plan.points) sorted.push_back(&point);
  std::sort(sorted.begin(), sorted.end(), less_texts);
  return sorted;
}

bool same_axes(const SweepPlan& before, const SweepPlan& now) {
  return std::equal(before.header.axes.begin(), before.header.axes.end(), now.header.axes.begin(),
                    now.header.axes.end(),
                    [](const AxisColumn& x, const AxisColumn& y) { return x.pointer == y.pointer; });
}

}  // namespace

PlanChange change_between(const SweepPlan& before, const SweepPlan& now) {
  if (before.header.axes.empty()) return PlanChange::none;
  if (before.header.answer != now.header.answer || !same_axes(before, now)) return PlanChange::another;

  const std::size_t count = before.points.size();
  bool same_values = now.points.size() == count;
  bool same_ids = same_values;
  for (std::size_t i = 0; same_values && i < count; ++i) {
    same_values = same_texts(before.points[i], now.points[i]);
    same_ids = same_ids && before.points[i].id == now.points[i].id;
  }
  if (same_values) return same_ids ? PlanChange::none : PlanChange::points;

  const std::vector<const PlannedPoint*> former = sorted_points(before);
  const std::vector<const PlannedPoint*> planned = sorted_points(now);
  const bool all_there = std::includes(planned.begin(), planned.end(), former.begin(), former.end(), less_texts);
  return all_there ? PlanChange::grown : PlanChange::another;
}

}  // namespace saturn
