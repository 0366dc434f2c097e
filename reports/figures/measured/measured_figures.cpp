#include <algorithm>
#include <cmath>
#include <map>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/calibration/fit_section.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/number_text.hpp"

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

FitMarks fit_marks(const NamedFit& named) {
  FitMarks marks{.x_title = named.x_title, .by_order = named.fit.of_one_size()};
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
  const std::string y_title = name_with_unit(named.y_title, unit.name);
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

namespace {

// Less is rounding.
constexpr double negligible_error = 0.0005;

constexpr double band = 0.1;
constexpr double normal_95 = 1.96;

/// A value as it is drawn, in the table's unit.
struct Compared {
  const ValidationRow* row = nullptr;
  std::size_t index = 0;
  double measured = 0.0;
  double predicted = 0.0;
  double low = 0.0;
  double high = 0.0;
  double half_width = 0.0;  ///< of the measured value's interval; 0: not known
};

/// One panel: a quantity with its values.
struct QuantityPanel {
  const MeasuredQuantity* quantity = nullptr;
  std::vector<Compared> values{};
};

std::optional<Compared> compared_value(const ValidationRow& row, std::size_t index) {
  const MeasuredValue& value = row.measured.values[index];
  if (value.quantity == nullptr || index >= row.simulated.size()) return std::nullopt;
  const Estimate& simulated = row.simulated[index];
  if (!std::isfinite(value.value) || !std::isfinite(simulated.mean)) return std::nullopt;
  const double factor = value.quantity->shown_factor;
  const auto end = [&](double of) { return (std::isfinite(of) ? of : simulated.mean) * factor; };
  return Compared{.row = &row,
                  .index = index,
                  .measured = value.value * factor,
                  .predicted = simulated.mean * factor,
                  .low = end(simulated.low),
                  .high = end(simulated.high),
                  .half_width = value.sem && std::isfinite(*value.sem) ? normal_95 * *value.sem * factor : 0.0};
}

std::vector<QuantityPanel> quantity_panels(const ValidationCase& validation) {
  std::vector<QuantityPanel> panels;
  for (const MeasuredQuantity& quantity : measured_quantities()) {
    QuantityPanel panel{.quantity = &quantity};
    for (const ValidationRow& row : validation.rows) {
      for (std::size_t i = 0; i < row.measured.values.size(); ++i) {
        if (row.measured.values[i].quantity != &quantity) continue;
        if (const auto value = compared_value(row, i)) panel.values.push_back(*value);
      }
    }
    if (!panel.values.empty()) panels.push_back(std::move(panel));
  }
  return panels;
}

// One kind of scale for all panels: a facet has no other.
bool all_logarithmic(const std::vector<QuantityPanel>& panels) {
  bool wide = false;
  for (const QuantityPanel& panel : panels) {
    std::vector<double> values;
    for (const Compared& value : panel.values) {
      values.push_back(value.measured);
      values.push_back(value.predicted);
    }
    if (*std::min_element(values.begin(), values.end()) <= 0.0) return false;
    wide = wide || better_logarithmic(values);
  }
  return wide;
}

// An interval that reaches below 0 has no place on a logarithmic axis: it ends at a tenth of the value.
double floor_of(double end, double value, bool logarithmic) {
  return logarithmic ? std::max(end, value / 10.0) : end;
}

std::string panel_name(const MeasuredQuantity& quantity) {
  return name_with_unit(quantity.heading, quantity.unit);
}

void add_band(FigureRows& rows, const QuantityPanel& panel, bool logarithmic) {
  double low = panel.values.front().measured;
  double high = low;
  for (const Compared& value : panel.values) {
    low = std::min({low, value.measured, value.predicted});
    high = std::max({high, value.measured, value.predicted});
  }
  const double margin = (high - low) * 0.05;
  const double from = logarithmic ? low / 1.15 : low - std::max(margin, std::abs(low) * 0.02);
  const double to = logarithmic ? high * 1.15 : high + std::max(margin, std::abs(high) * 0.02);
  for (const double at : {from, to})
    rows.add({{"series", std::string("band")},
              {"quantity", panel_name(*panel.quantity)},
              {"measured", at},
              {"predicted", at},
              {"low", at * (1.0 - band)},
              {"high", at * (1.0 + band)}});
}

std::string remark_of(const Compared& value) {
  const std::string mark = value.row->mark();
  const std::string& remark = value.row->measured.remark;
  if (mark.empty()) return remark;
  return remark.empty() ? mark : mark + ": " + remark;
}

void add_panel(FigureRows& rows, const QuantityPanel& panel, bool logarithmic) {
  add_band(rows, panel, logarithmic);
  for (const Compared& value : panel.values)
    rows.add({{"series", std::string(value.row->scored(value.index) ? "counts" : "does not count")},
              {"quantity", panel_name(*panel.quantity)},
              {"point", value.row->measured.label},
              {"measured", value.measured},
              {"measured_low", floor_of(value.measured - value.half_width, value.measured, logarithmic)},
              {"measured_high", value.measured + value.half_width},
              {"predicted", value.predicted},
              {"low", floor_of(value.low, value.predicted, logarithmic)},
              {"high", value.high},
              {"error_percent", value.row->error(value.index) * 100.0},
              {"remark", remark_of(value)}});
}

std::string validation_caption(const ValidationCase& validation, bool excluded) {
  std::string text =
      "Points on the dashed line are predicted as measured; the band is ± 10 %. Strokes are 95 % "
      "intervals where they are known.";
  if (excluded) text += " Hollow points do not count: they gave parameters, or were measured badly.";
  if (!validation.about.source.empty()) text += " Measured: " + validation.about.source + ".";
  return text;
}

std::string validation_title(const ValidationCase& validation) {
  const std::vector<Score> all = scores(validation);
  const auto worst = std::max_element(all.begin(), all.end(), [](const Score& a, const Score& b) {
    return a.rows > 0 && b.rows > 0 ? a.median_absolute_error < b.median_absolute_error : a.rows < b.rows;
  });
  std::string about = validation.about.title.empty() ? validation.about.id : validation.about.title;
  if (worst == all.end() || worst->rows == 0 || !std::isfinite(worst->median_absolute_error)) return about;
  const std::string error = worst->median_absolute_error < negligible_error
                                ? "below " + percent_text(negligible_error)
                                : percent_text(worst->median_absolute_error);
  const bool one = all.size() == 1;
  return about + (one ? ": median error " : ": largest median error ") + error +
         (one || worst->median_absolute_error < negligible_error ? ""
                                                                 : ", of " + std::string(worst->quantity->heading));
}

}  // namespace

Figure validation_figure(const ValidationCase& validation, const FigureContext& context) {
  Figure figure{.name = "validation", .subtitle = figure_subtitle(context.scenario, context.seed)};
  figure.title = validation.about.title.empty() ? validation.about.id : validation.about.title;
  if (figure.title.empty()) figure.title = "Predicted against measured";
  FigureRows rows({{.name = "series"},
                   {.name = "quantity"},
                   {.name = "point"},
                   {.name = "measured"},
                   {.name = "measured_low"},
                   {.name = "measured_high"},
                   {.name = "predicted"},
                   {.name = "low"},
                   {.name = "high"},
                   {.name = "error", .unit = "percent"},
                   {.name = "remark"}});
  const std::vector<QuantityPanel> panels = quantity_panels(validation);
  if (panels.empty()) {
    figure.cannot = "No measured value has a simulated one beside it.";
    figure.rows = rows.taken();
    return figure;
  }
  const bool logarithmic = all_logarithmic(panels);
  for (const QuantityPanel& panel : panels) add_panel(rows, panel, logarithmic);
  figure.title = validation_title(validation);
  figure.caption = validation_caption(validation, rows.count("does not count") > 0);
  std::vector<SpecChange> changes{
      {"/title/text", wrapped(figure.title, title_letters)},
      {"/title/subtitle", std::vector<std::string>{figure.subtitle, "Dashed: predicted as measured; band: ± 10 %"}}};
  const std::string kind = logarithmic ? "log" : "linear";
  for (const std::string scale : {"/spec/encoding/x/scale", "/spec/encoding/y/scale"}) {
    changes.push_back({scale + "/type", kind});
    if (logarithmic) changes.push_back({scale + "/zero", {}});
  }
  figure.spec = filled_spec("validation", changes);
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
