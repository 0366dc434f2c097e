#include "reports/calibration/fit_section.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "calibration/fitted_law.hpp"
#include "models/laws/parameter_spread.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/number_text.hpp"

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

PlotPoints plot_points(const NamedFit& named) {
  PlotPoints points{.x_title = named.x_title};
  const bool by_order = named.fit.of_one_size();
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

/// Points and law of a fit as a plot of characters, and below it the residuals in standard errors; empty for a fit
/// that has nothing to plot.
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
  const bool log_x = !named.fit.of_one_size() && better_logarithmic(x);
  return plot_text({.x_title = points.x_title,
                    .y_title = name_with_unit(named.y_title, unit.name) + ": o measured, . fit" +
                               (points.left_out.points.empty() ? "" : ", x outlier"),
                    .log_x = log_x,
                    .log_y = !named.y_unit.empty() && better_logarithmic(y),
                    .series = {points.law, points.left_out, points.used}}) +
         residual_plot(points, log_x);
}

namespace {

// More residuals than this are no longer read; the largest of them are.
constexpr std::size_t most_residuals = 24;
constexpr double shown_confidence = 0.95;

Column number_column(std::string title) {
  return {.title = std::move(title), .shown = Shown::number};
}

void add_parameters(Answer& answer, const NamedFit& named) {
  const FittedParameters& parameters = named.fit.parameters;
  Table table{.columns = {{.title = "parameter"},
                          number_column("value"),
                          number_column("from"),
                          number_column("to (95 %)"),
                          number_column("standard error"),
                          {.title = "unit"}},
              .readers = For::people,
              .details = false};
  for (std::size_t i = 0; i < parameters.values.size(); ++i) {
    const Estimate value = parameter_estimate(parameters, i);
    const ShownUnit unit = shown_unit(value.mean, named.units[i]);
    table.add_row({parameters.names[i], number_text(value.mean * unit.factor), number_text(value.low * unit.factor, 3),
                   number_text(value.high * unit.factor, 3),
                   number_text(standard_error(parameters, i) * unit.factor, 2), unit.name});
  }
  answer.add(std::move(table));
}

std::string quality_text(const Fit& fit) {
  std::string text;
  const std::string points = counted(fit.used, "point");
  if (fit.errors_known && fit.used == 1) {
    text += "1 point with its own error";
  } else if (fit.errors_known) {
    text += points + "; chi² " + number_text(fit.chi2, 3) + " for " + number_text(fit.degrees_of_freedom, 3) +
            " degrees of freedom";
  } else if (fit.residuals.empty()) {
    text += counted(fit.used, "value");
  } else {
    text += points + " without errors of their own: their scatter about the law gives the errors, with " +
            number_text(fit.degrees_of_freedom, 3) + " degrees of freedom";
  }
  return text;
}

/// In the order of x; of many, the largest first.
std::vector<const FitResidual*> shown_residuals(const Fit& fit) {
  std::vector<const FitResidual*> shown;
  for (const FitResidual& residual : fit.residuals) shown.push_back(&residual);
  if (shown.size() <= most_residuals) {
    std::stable_sort(shown.begin(), shown.end(),
                     [](const FitResidual* a, const FitResidual* b) { return a->point.x < b->point.x; });
    return shown;
  }
  std::stable_sort(shown.begin(), shown.end(), [](const FitResidual* a, const FitResidual* b) {
    return std::abs(a->standardised) > std::abs(b->standardised);
  });
  shown.resize(most_residuals);
  return shown;
}

void add_residuals(Answer& answer, const NamedFit& named, bool short_labels) {
  const std::vector<const FitResidual*> shown = shown_residuals(named.fit);
  if (shown.empty()) return;
  double largest = 0.0;
  for (const FitResidual* residual : shown) largest = std::max(largest, std::abs(residual->point.y));
  const ShownUnit unit = shown_unit(largest, named.y_unit);
  const bool with_x = !named.x_title.empty();
  Table table{.columns = {{.title = "from"}}, .readers = For::people, .details = false};
  if (with_x) table.columns.push_back(number_column(named.x_title));
  for (const std::string& title :
       {named.y_title + " [" + unit.name + "]", std::string("fit"), std::string("residual"), std::string("in errors")})
    table.columns.push_back(number_column(title));
  table.columns.push_back({});
  for (const FitResidual* residual : shown) {
    std::vector<Cell> cells{short_labels ? without_folder(residual->point.label) : residual->point.label};
    if (with_x) cells.emplace_back(size_text(residual->point.x));
    cells.emplace_back(residual->point.y * unit.factor);
    cells.emplace_back(residual->fitted * unit.factor);
    cells.emplace_back(number_text((residual->point.y - residual->fitted) * unit.factor, 2));
    cells.emplace_back(fixed_text(residual->standardised, 1));
    cells.emplace_back(residual->outlier ? "OUTLIER, left out" : "");
    table.add_row(std::move(cells));
  }
  if (shown.size() < named.fit.residuals.size())
    table.remarks.push_back("the largest " + std::to_string(shown.size()) + " of " +
                            std::to_string(named.fit.residuals.size()) + " residuals; --format csv prints all");
  answer.add(std::move(table));
}

}  // namespace

std::string size_text(double size) {
  return size == std::round(size) ? whole_text(size) : number_text(size);
}

std::string without_folder(const std::string& label) {
  return label.substr(label.rfind('/') + 1);
}

Estimate parameter_estimate(const FittedParameters& parameters, std::size_t index) {
  const ParameterInterval found = interval(parameters, index, shown_confidence);
  return {.mean = parameters.values[index], .low = found.low, .high = found.high, .confidence = shown_confidence};
}

void add_fit(Answer& answer, const NamedFit& named, bool short_labels) {
  std::string title = named.about + ": " + named.fit.law;
  if (named.sources.size() == 1)
    title += ", from " + (short_labels ? without_folder(named.sources.front()) : named.sources.front());
  answer.parts.emplace_back(Paragraph{.text = title, .heading = true, .details = false});
  if (named.sources.size() > 1) answer.remark({{"from", joined(named.sources)}}, false);
  add_parameters(answer, named);
  std::vector<std::pair<std::string, std::string>> notes{{"fit", quality_text(named.fit)}};
  if (named.kind == FitKind::service_law)
    notes.emplace_back("valid", named.fit.x_low == named.fit.x_high
                                    ? "for batches of " + size_text(named.fit.x_low) +
                                          (named.fit.x_low == 1.0 ? " item" : " items") +
                                          " alone: nothing is known of other sizes"
                                    : "for batches of " + size_text(named.fit.x_low) + " to " +
                                          size_text(named.fit.x_high) + " items; beyond, it is extrapolated");
  for (const std::string& note : named.fit.notes) notes.emplace_back("note", note);
  for (const std::string& note : named.notes) notes.emplace_back("note", note);
  answer.remark(notes, false);
  add_residuals(answer, named, short_labels);
  const std::string plot = fit_plot(named);
  if (!plot.empty())
    answer.parts.emplace_back(Picture{.draw = [plot](TextStyle) { return std::string(plot); }, .details = false});
}

void add_fit_for_programs(Answer& answer, const NamedFit& named) {
  Table parameters{.place = {"parameters"},
                   .columns = {{.key = "fit", .names = true}, {.key = "parameter", .names = true}},
                   .readers = For::programs};
  for (const char* key : {"law", "points", "value", "unit"}) parameters.columns.push_back(hidden(key));
  for (std::size_t i = 0; i < named.fit.parameters.values.size(); ++i)
    parameters.add_row({named.name, named.fit.parameters.names[i], named.fit.law, std::uint64_t{named.fit.used},
                        parameter_estimate(named.fit.parameters, i), named.units[i]});
  answer.add(std::move(parameters));
  if (named.expected_rates) {
    Table expected{.place = {"expected_rates"}, .columns = {{.key = "fit", .names = true}}, .readers = For::programs};
    for (const char* key : {"low", "high", "share"}) expected.columns.push_back(hidden(key));
    const RateRatios& ratios = *named.expected_rates;
    expected.add_row({named.name, ratios.low, ratios.high, ratios.share});
    answer.add(std::move(expected));
  }
  Table residuals{.place = {"residuals"},
                  .columns = {{.key = "fit", .names = true}, {.key = "point", .names = true}},
                  .readers = For::programs};
  for (const char* key : {"x", "measured", "fitted", "unit", "standardised", "outlier"})
    residuals.columns.push_back(hidden(key));
  for (const FitResidual& residual : named.fit.residuals)
    residuals.add_row({named.name, residual.point.label, residual.point.x, residual.point.y, residual.fitted,
                       named.y_unit, residual.standardised, residual.outlier});
  answer.add(std::move(residuals));
}

}  // namespace saturn
