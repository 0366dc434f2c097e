#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figure_scale.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/fit_section.hpp"
#include "reports/number_text.hpp"

namespace saturn {

namespace {

constexpr double fit_width = 540.0;
constexpr double fit_height = 250.0;
constexpr double errors_shown = 1.96;
constexpr double least_residual_range = 2.5;
const std::string law_series = "fitted law";
const std::string used_series = "measured";
const std::string outlier_series = "outlier, left out";

/// A measured point as it is drawn.
struct FitMark {
  std::string series{};
  std::string label{};
  double x = 0.0;
  double y = 0.0;
  double half_width = 0.0;
  std::optional<double> fitted{};
  std::optional<double> residual{};
};

/// Points over x, or, where all have the same x, over their order.
struct FitMarks {
  std::vector<FitMark> points{};
  std::vector<std::pair<double, double>> law{};
  std::string x_title{};
  bool by_order = false;
};

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Repetitions of one setting whose size follows from Little's law differ a little.
bool same_size(const Fit& fit) {
  return !fit.residuals.empty() && fit.x_high <= 1.1 * fit.x_low;
}

FitMarks fit_marks(const NamedFit& named) {
  FitMarks marks{.x_title = named.x_title, .by_order = same_size(named.fit)};
  if (marks.by_order) marks.x_title = "measurement, in the order of the file";
  double order = 0.0;
  for (const FitResidual& residual : named.fit.residuals) {
    const double x = marks.by_order ? ++order : residual.point.x;
    if (!std::isfinite(x) || !std::isfinite(residual.point.y)) continue;
    marks.points.push_back({.series = residual.outlier ? outlier_series : used_series,
                            .label = without_folder(residual.point.label),
                            .x = x,
                            .y = residual.point.y,
                            .half_width = errors_shown * residual.point.standard_error.value_or(0.0),
                            .fitted = if_finite(residual.fitted),
                            .residual = if_finite(residual.standardised)});
    if (marks.by_order && std::isfinite(residual.fitted)) marks.law.emplace_back(x, residual.fitted);
  }
  for (const auto& [x, y] : named.measured) {
    if (std::isfinite(x) && std::isfinite(y)) marks.points.push_back({.series = used_series, .x = x, .y = y});
  }
  if (marks.by_order) return marks;
  for (const auto& [x, y] : named.curve) {
    if (std::isfinite(x) && std::isfinite(y)) marks.law.emplace_back(x, y);
  }
  return marks;
}

std::vector<double> xs_of(const FitMarks& marks) {
  std::vector<double> xs;
  for (const FitMark& point : marks.points) xs.push_back(point.x);
  for (const auto& [x, y] : marks.law) xs.push_back(x);
  return xs;
}

std::vector<double> ys_of(const FitMarks& marks, double factor) {
  std::vector<double> ys;
  for (const FitMark& point : marks.points) {
    ys.push_back(point.y * factor);
    if (point.y - point.half_width > 0.0 || point.y <= 0.0) ys.push_back((point.y - point.half_width) * factor);
    ys.push_back((point.y + point.half_width) * factor);
  }
  for (const auto& [x, y] : marks.law) ys.push_back(y * factor);
  return ys;
}

FigureRows fit_rows(const FitMarks& marks, double factor, double floor) {
  FigureRows rows({{.name = "series"},
                   {.name = "label"},
                   {.name = "x"},
                   {.name = "y"},
                   {.name = "low"},
                   {.name = "high"},
                   {.name = "fitted"},
                   {.name = "residual"},
                   {.name = "step"}});
  for (const FitMark& point : marks.points) {
    rows.add({{"series", point.series}, {"label", point.label}, {"x", point.x}, {"y", point.y * factor}});
    if (point.half_width > 0.0)
      rows.amend({{"low", std::max(floor, (point.y - point.half_width) * factor)},
                  {"high", (point.y + point.half_width) * factor}});
    rows.amend({{"residual", cell_of(point.residual)}});
    if (point.fitted) rows.amend({{"fitted", *point.fitted * factor}});
  }
  double step = 0.0;
  for (const auto& [x, y] : marks.law)
    rows.add({{"series", law_series}, {"x", x}, {"y", y * factor}, {"step", step++}});
  return rows;
}

void put_series(std::vector<SpecChange>& changes, const FigureRows& rows) {
  std::vector<std::string> series;
  std::vector<std::string> colours;
  std::vector<std::string> shapes;
  const auto add = [&](const std::string& name, const char* colour, const char* shape) {
    if (rows.count(name) == 0) return;
    series.push_back(name);
    colours.emplace_back(colour);
    shapes.emplace_back(shape);
  };
  add(used_series, "#000000", "diamond");
  add(outlier_series, "#D55E00", "cross-out");
  add(law_series, "#0072B2", "stroke");
  std::replace(shapes.begin(), shapes.end(), std::string("cross-out"), std::string("M-1,-1L1,1M-1,1L1,-1"));
  changes.push_back({"/vconcat/0/layer/0/encoding/stroke/scale/domain", series});
  changes.push_back({"/vconcat/0/layer/0/encoding/stroke/scale/range", colours});
  changes.push_back({"/vconcat/0/layer/2/encoding/shape/scale/domain", series});
  changes.push_back({"/vconcat/0/layer/2/encoding/shape/scale/range", shapes});
}

void put_residuals(std::vector<SpecChange>& changes, const FitMarks& marks) {
  double widest = least_residual_range;
  bool any = false;
  for (const FitMark& point : marks.points) {
    if (!point.residual) continue;
    any = true;
    widest = std::max(widest, std::abs(*point.residual) * 1.1);
  }
  if (any) {
    changes.push_back({"/vconcat/1/layer/2/encoding/y/scale/domain", std::vector<double>{-widest, widest}});
    return;
  }
  changes.push_back({"/vconcat/0/encoding/x/axis/title", marks.x_title});
  changes.push_back({"/vconcat/0/encoding/x/axis/labels", true});
  changes.push_back({"/vconcat/1", {}});
}

std::string fit_caption(const NamedFit& named, const FigureRows& rows) {
  std::string text = "Measured points beside the fitted law; strokes are 95 % intervals where errors are known.";
  if (rows.count(outlier_series) > 0) text += " Crosses are outliers, which were left out of the fit.";
  if (named.sources.empty()) return text;
  return text + " From " + joined(texts_of(named.sources, without_folder)) + ".";
}

}  // namespace

Figure fit_figure(const NamedFit& named, const FigureContext& context) {
  Figure figure{.name = "fit",
                .title = (named.about.empty() ? "A fit" : capitalised(named.about)) +
                         (named.fit.law.empty() ? "" : ", fitted law: " + named.fit.law),
                .subtitle = context.scenario};
  const FitMarks marks = fit_marks(named);
  if (named.x_title.empty() || marks.points.empty()) {
    figure.cannot = named.x_title.empty() ? "This fit is a number with its error: it has no curve."
                                          : "This fit kept no measured points.";
    figure.rows = fit_rows(marks, 1.0, 0.0).taken();
    return figure;
  }
  double largest = 0.0;
  for (const FitMark& point : marks.points) largest = std::max(largest, std::abs(point.y));
  const ShownUnit unit = shown_unit(largest, named.y_unit);
  const FigureScale x = scale_of(xs_of(marks), {.pixels = fit_width, .margin = 0.04, .never_log = marks.by_order});
  const FigureScale y = scale_of(ys_of(marks, unit.factor), {.pixels = fit_height, .from_zero = true, .margin = 0.06});
  FigureRows rows = fit_rows(marks, unit.factor, y.low);
  figure.caption = fit_caption(named, rows);
  const std::string y_title = named.y_title + (unit.name.empty() ? "" : " [" + unit.name + "]");
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
                                  {"/vconcat/0/encoding/y/axis/title", y_title},
                                  {"/vconcat/1/layer/2/encoding/x/axis/title", marks.x_title},
                                  {"/vconcat/0/layer/2/encoding/tooltip/2/title", tooltip_title(marks.x_title)},
                                  {"/vconcat/1/layer/2/encoding/tooltip/1/title", tooltip_title(marks.x_title)},
                                  {"/vconcat/0/layer/2/encoding/tooltip/3/title", tooltip_title(y_title)}};
  put_scale(changes, "/vconcat/0/encoding/x", x);
  put_scale(changes, "/vconcat/0/encoding/y", y);
  put_scale(changes, "/vconcat/1/layer/2/encoding/x", x);
  if (marks.by_order) {
    changes.push_back({"/vconcat/0/encoding/x/axis/tickMinStep", 1.0});
    changes.push_back({"/vconcat/1/layer/2/encoding/x/axis/tickMinStep", 1.0});
  }
  put_series(changes, rows);
  put_residuals(changes, marks);
  if (rows.count(law_series) == 0) changes.push_back({"/vconcat/0/layer/0/mark/opacity", 0.0});
  figure.spec = filled_spec("fit", changes);
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
