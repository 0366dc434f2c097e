#include <algorithm>
#include <cmath>

#include "reports/figures/money_study.hpp"

namespace saturn {

namespace {

/// Whether a point is better in y by more than rounding, and than the intervals say by chance.
bool is_lower(const ParetoStudy& study, std::size_t i, std::size_t than) {
  constexpr double rounding = 1e-9;
  const ParetoPoint& a = study.points[i];
  const ParetoPoint& b = study.points[than];
  const double gain = study.less_y ? b.y - a.y : a.y - b.y;
  if (!(gain > rounding * std::max(std::abs(a.y), std::abs(b.y)))) return false;
  if (!a.y_low || !a.y_high || !b.y_low || !b.y_high) return true;
  return study.less_y ? *a.y_high < *b.y_low : *a.y_low > *b.y_high;
}

}  // namespace

std::vector<std::size_t> pareto_front(const ParetoStudy& study) {
  // As if less were better in both.
  const auto cost_x = [&](std::size_t i) { return study.less_x ? study.points[i].x : -study.points[i].x; };
  const auto cost_y = [&](std::size_t i) { return study.less_y ? study.points[i].y : -study.points[i].y; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < study.points.size(); ++i) {
    if (std::isfinite(study.points[i].x) && std::isfinite(study.points[i].y)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cost_x(a) != cost_x(b) ? cost_x(a) < cost_x(b) : cost_y(a) < cost_y(b);
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    const bool twin = !front.empty() && cost_x(i) == cost_x(front.back()) && cost_y(i) == cost_y(front.back());
    if (front.empty() || twin || is_lower(study, i, front.back())) front.push_back(i);
  }
  std::stable_sort(front.begin(), front.end(),
                   [&](std::size_t a, std::size_t b) { return study.points[a].x < study.points[b].x; });
  return front;
}

}  // namespace saturn
