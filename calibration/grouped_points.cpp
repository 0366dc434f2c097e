#include "calibration/grouped_points.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace saturn {

namespace {

constexpr std::size_t most_groups = 500;

FitPoint mean_of(std::span<const FitPoint> group) {
  if (group.size() == 1) return group.front();
  const auto n = static_cast<double>(group.size());
  FitPoint mean{.label = group.front().label + " and " + std::to_string(group.size() - 1) + " more"};
  for (const FitPoint& point : group) {
    mean.x += point.x / n;
    mean.y += point.y / n;
  }
  double sum = 0.0;
  for (const FitPoint& point : group) sum += (point.y - mean.y) * (point.y - mean.y);
  if (sum > 0.0) mean.standard_error = std::sqrt(sum / (n - 1.0) / n);
  return mean;
}

/// How many points of the sorted list the group has that begins there.
std::size_t same_size(std::span<const FitPoint> sorted, std::size_t from) {
  std::size_t to = from;
  while (to < sorted.size() && sorted[to].x == sorted[from].x) ++to;
  return to - from;
}

}  // namespace

std::vector<FitPoint> grouped_points(std::span<const FitPoint> points) {
  std::vector<FitPoint> sorted(points.begin(), points.end());
  if (points.size() <= most_fitted_points) return sorted;
  std::stable_sort(sorted.begin(), sorted.end(), [](const FitPoint& a, const FitPoint& b) { return a.x < b.x; });
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < sorted.size(); i += same_size(sorted, i)) ++sizes;
  const std::size_t least = sizes <= most_groups ? 1 : (sorted.size() + most_groups - 1) / most_groups;
  std::vector<FitPoint> grouped;
  for (std::size_t from = 0; from < sorted.size();) {
    std::size_t count = same_size(sorted, from);
    while (count < least && from + count < sorted.size()) count += same_size(sorted, from + count);
    grouped.push_back(mean_of(std::span(sorted).subspan(from, count)));
    from += count;
  }
  return grouped;
}

}  // namespace saturn
