#include <algorithm>
#include <cmath>
#include <map>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/number_text.hpp"
#include "reports/text_plot.hpp"

namespace saturn {

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
  return name_with_unit(std::string(quantity.heading), std::string(quantity.unit));
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
