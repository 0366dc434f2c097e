#include "reports/page/sweep_shape.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "reports/figures/sweep_maps.hpp"
#include "reports/shown_axis.hpp"

namespace saturn {

namespace {

constexpr std::size_t largest_map = 20'000;
/// A grid with conditions has gaps; samples of two axes fill hardly any of its cells.
constexpr double least_filled = 0.3;

std::size_t filled_cells(const ResolvedView& view, const ShownAxis& x, const ShownAxis& y) {
  std::set<std::pair<std::size_t, std::size_t>> cells;
  for (const SweepRow* row : view.rows)
    cells.emplace(x.place_of(row->cells.at(*view.x)), y.place_of(row->cells.at(*view.y)));
  return cells.size();
}

/// Zipped axes rise or fall together; samples do not.
bool runs_up_or_down(const ResolvedView& view, const ShownAxis& x, std::size_t column) {
  std::vector<std::pair<std::size_t, double>> pairs;
  for (const SweepRow* row : view.rows) {
    const AxisCell& cell = row->cells.at(column);
    if (!cell.number) return true;
    pairs.emplace_back(x.place_of(row->cells.at(*view.x)), *cell.number);
  }
  std::sort(pairs.begin(), pairs.end());
  const auto second = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::is_sorted(pairs.begin(), pairs.end(), second) || std::is_sorted(pairs.rbegin(), pairs.rend(), second);
}

void shape_of_line(SweepShape& shape, const ResolvedView& view, const ShownAxis& x) {
  shape.kind = SweepShape::Kind::lines;
  shape.long_axis = view.x;
  shape.long_is_numeric = is_numeric(x);
  const bool sampled = std::any_of(view.along.begin(), view.along.end(),
                                   [&](std::size_t column) { return !runs_up_or_down(view, x, column); });
  if (sampled && shape.long_is_numeric) {
    shape.kind = SweepShape::Kind::samples;
    shape.along.clear();
  }
}

}  // namespace

SweepShape shape_of(const SweepTable& table, const ResolvedView& view) {
  SweepShape shape{.along = view.along};
  if (!view.metric || !view.x) return shape;
  const ShownAxis x = shown_axis(table, view.rows, *view.x);
  shape.x_values = x.values.size();
  if (!view.y) {
    shape_of_line(shape, view, x);
    return shape;
  }
  const ShownAxis y = shown_axis(table, view.rows, *view.y);
  shape.y_values = y.values.size();
  const std::size_t cells = shape.x_values * shape.y_values;
  shape.too_large = cells > largest_map;
  const bool sparse = static_cast<double>(filled_cells(view, x, y)) < least_filled * static_cast<double>(cells);
  shape.kind = sparse || shape.too_large ? SweepShape::Kind::samples : SweepShape::Kind::maps;
  const bool over_x = is_numeric(x) != is_numeric(y) ? is_numeric(x) : shape.x_values >= shape.y_values;
  shape.long_axis = over_x ? view.x : view.y;
  shape.long_is_numeric = is_numeric(over_x ? x : y);
  shape.short_values = over_x ? shape.y_values : shape.x_values;
  if (shape.kind == SweepShape::Kind::samples) shape.along.clear();
  return shape;
}

}  // namespace saturn
