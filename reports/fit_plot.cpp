#include "reports/fit_plot.hpp"

#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "reports/text_plot.hpp"

namespace saturn {

namespace {

/// What a plot shows: points over x, or, where all have the same x, over their order.
struct PlotPoints {
  PlotSeries used{.mark = 'o'};
  PlotSeries left_out{.mark = 'x'};
  PlotSeries residuals{.mark = 'o'};
  PlotSeries law{.mark = '.'};
  std::string x_title{};
};

// Repetitions of one setting whose size follows from Little's law differ a little.
bool one_size(const Fit& fit) {
  return !fit.residuals.empty() && fit.x_high <= 1.1 * fit.x_low;
}

PlotPoints plot_points(const NamedFit& named) {
  PlotPoints points{.x_title = named.x_title};
  const bool by_order = one_size(named.fit);
  if (by_order) points.x_title = "measurement, in the order of the file";
  double order = 0.0;
  for (const FitResidual& residual : named.fit.residuals) {
    const double x = by_order ? ++order : residual.point.x;
    (residual.outlier ? points.left_out : points.used).points.emplace_back(x, residual.point.y);
    if (!residual.outlier) points.residuals.points.emplace_back(x, residual.standardised);
    if (by_order) points.law.points.emplace_back(x, residual.fitted);
  }
  for (const auto& point : named.measured) points.used.points.push_back(point);
  if (!by_order) points.law.points = named.curve;
  return points;
}

std::string residual_plot(const PlotPoints& points, bool log_x) {
  if (points.residuals.points.empty()) return "";
  double widest = 2.5;
  for (const auto& [x, value] : points.residuals.points) widest = std::max(widest, std::abs(value));
  return plot_text({.x_title = points.x_title,
                    .y_title = "residual in standard errors",
                    .log_x = log_x,
                    .series = {points.residuals},
                    .lowest_y = -widest,
                    .highest_y = widest,
                    .lines = {0.0},
                    .height = 7});
}

}  // namespace

std::string fit_plot(const NamedFit& named) {
  if (named.x_title.empty()) return "";
  PlotPoints points = plot_points(named);
  std::vector<double> x;
  std::vector<double> y;
  for (const PlotSeries* series : {&points.used, &points.left_out}) {
    for (const auto& [at, value] : series->points) {
      x.push_back(at);
      y.push_back(value);
    }
  }
  // A single point says no more in a plot than in the table.
  if (y.size() < 2) return "";
  const ShownUnit unit = shown_unit(*std::max_element(y.begin(), y.end()), named.y_unit);
  for (PlotSeries* series : {&points.used, &points.left_out, &points.law})
    for (auto& point : series->points) point.second *= unit.factor;
  const bool log_x = !one_size(named.fit) && better_logarithmic(x);
  return plot_text({.x_title = points.x_title,
                    .y_title = named.y_title + (unit.name.empty() ? "" : " [" + unit.name + "]") +
                               ": o measured, . fit" + (points.left_out.points.empty() ? "" : ", x outlier"),
                    .log_x = log_x,
                    .log_y = !named.y_unit.empty() && better_logarithmic(y),
                    .series = {points.law, points.left_out, points.used}}) +
         residual_plot(points, log_x);
}

}  // namespace saturn
