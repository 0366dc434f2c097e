#include "reports/sweep_curve.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "reports/block_plot.hpp"
#include "reports/terminal_text.hpp"
#include "reports/text_plot.hpp"

namespace saturn {

namespace {

constexpr std::size_t fewest_points = 3;
constexpr std::size_t longest_metric = 60;

double factor_to(const std::string& shown, const std::string& unit) {
  const std::vector<ShownUnit> units = readable_units(unit);
  const auto found = std::find_if(units.begin(), units.end(), [&](const ShownUnit& one) { return one.name == shown; });
  return found == units.end() ? 1.0 : found->factor;
}

bool all_numbers(const ShownAxis& axis) {
  return std::all_of(axis.values.begin(), axis.values.end(),
                     [](const AxisCell& cell) { return cell.number && std::isfinite(*cell.number); });
}

}  // namespace

std::string sweep_curve(const HeatGrids& grids, const HeatGrid& grid, const std::string& axis_unit,
                        const ShownUnit& unit, TextStyle style) {
  const std::optional<std::size_t> width = canvas_width(style);
  if (!style.pictures || !width || !grids.x || grids.y || !all_numbers(*grids.x)) return "";
  const double factor = factor_to(grids.x->unit, axis_unit);
  BlockPlot plot{.x_title = grids.x->heading,
                 .y_title = name_with_unit(terminal_text(grids.view.metric->stem, longest_metric), unit.name),
                 .width = *width};
  std::vector<double> places;
  for (std::size_t x = 0; x < grids.x->values.size(); ++x) {
    const HeatCell* cell = grids.at(grid, x, 0);
    if (cell == nullptr || cell->metric == nullptr) continue;
    places.push_back(*grids.x->values[x].number * factor);
    plot.curve.emplace_back(places.back(), cell->metric->mean * unit.factor);
  }
  if (places.size() < fewest_points) return "";
  plot.log_x = better_logarithmic(places);
  return "\n" + block_plot(plot, style);
}

}  // namespace saturn
