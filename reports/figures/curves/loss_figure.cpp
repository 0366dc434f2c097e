#include <algorithm>
#include <cmath>

#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/tables/text_plot.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double loss_width = 520.0;
constexpr double loss_height = 300.0;
constexpr double in_percent = 100.0;
const std::string kept_series = "at most the tolerated share is lost";
const std::string broken_series = "more is lost";

/// The axis of lost shares. On a logarithmic one, 0 has a place of its own at the bottom.
struct LossAxis {
  FigureScale scale{};
  std::optional<double> zero{};  ///< where 0 is drawn

  double drawn(double share_percent) const {
    return zero ? std::max(*zero, share_percent) : std::max(0.0, share_percent);
  }
};

std::vector<double> lost_percents(const OpenPlanReport& plan) {
  std::vector<double> values;
  if (plan.plan.tolerated_loss > 0.0) values.push_back(plan.plan.tolerated_loss * in_percent);
  for (const OpenCandidate& row : plan.plan.candidates) {
    if (std::isfinite(row.lost_fraction.mean)) values.push_back(std::max(0.0, row.lost_fraction.mean * in_percent));
    if (std::isfinite(row.lost_fraction.high)) values.push_back(std::max(0.0, row.lost_fraction.high * in_percent));
  }
  return values;
}

LossAxis loss_axis(const OpenPlanReport& plan) {
  const std::vector<double> all = lost_percents(plan);
  std::vector<double> positive;
  std::copy_if(all.begin(), all.end(), std::back_inserter(positive), [](double value) { return value > 0.0; });
  if (!better_logarithmic(positive))
    return {.scale = scale_of(all, {.pixels = loss_height, .from_zero = true, .margin = 0.1, .never_log = true})};
  const auto [low, high] = std::minmax_element(positive.begin(), positive.end());
  const double bottom = std::pow(10.0, std::floor(std::log10(*low)));
  const double top = *high * 1.6;
  const bool has_zero = positive.size() < all.size();
  return {.scale = {.logarithmic = true,
                    .low = has_zero ? bottom / 10 / 1.6 : bottom / 1.6,
                    .high = top,
                    .pixels = loss_height},
          .zero = has_zero ? std::optional(bottom / 10) : std::nullopt};
}

void add_loss(FigureRows& rows, const OpenCandidate& row, const LossAxis& axis) {
  const Estimate& lost = row.lost_fraction;
  if (!std::isfinite(lost.mean)) return;
  const auto end = [&](double value) { return (std::isfinite(value) ? value : lost.mean) * in_percent; };
  // An interval that is not known is none.
  const auto known = [&](double value) {
    return std::isfinite(value) ? RowCell(std::max(0.0, value * in_percent)) : RowCell();
  };
  rows.add({{"series", row.accepted ? kept_series : broken_series},
            {"gpus", static_cast<double>(row.gpus)},
            {"lost_percent", lost.mean * in_percent},
            {"lost_low_percent", known(lost.low)},
            {"lost_high_percent", known(lost.high)},
            {"drawn_percent", axis.drawn(lost.mean * in_percent)},
            {"drawn_low_percent", axis.drawn(end(lost.low))},
            {"drawn_high_percent", axis.drawn(end(lost.high))},
            {"offered_per_s", row.offered_per_s.mean},
            {"capacity_per_s", row.capacity_per_s},
            {"limit", row.limit},
            {"verdict", std::string(name_of(row.verdict))}});
}

void add_rule(FigureRows& rows, const std::string& series, double at, const FigureScale& x) {
  rows.add({{"series", series}, {"drawn_percent", at}, {"gpus_low", x.low}, {"gpus_high", x.high}});
}

void add_tolerated(FigureRows& rows, const OpenPlanReport& plan, const FigureScale& x, const LossAxis& axis) {
  const double tolerated = plan.plan.tolerated_loss * in_percent;
  if (!(tolerated > 0.0) || !std::isfinite(tolerated)) return;
  add_rule(rows, "tolerated", tolerated, x);
  LabelPlaces places(loss_width, loss_height);
  for (const OpenCandidate& row : plan.plan.candidates) {
    if (!std::isfinite(row.lost_fraction.mean)) continue;
    const FigurePlace at{.x = x.place(static_cast<double>(row.gpus)),
                         .y = axis.scale.place(axis.drawn(row.lost_fraction.mean * in_percent))};
    places.block({at.x - 6, at.y - 6, at.x + 6, at.y + 6});
  }
  const std::string text = "tolerated: " + percent_text(plan.plan.tolerated_loss);
  const double half = word_box(text, {}).right;
  const double y = axis.scale.place(tolerated);
  std::vector<FigurePlace> candidates;
  for (const double side : {10.0, -10.0}) {
    candidates.push_back({loss_width - half - 2, y + side});
    candidates.push_back({half + 2, y + side});
    candidates.push_back({loss_width / 2, y + side});
  }
  const auto chosen = places.put_on(text, candidates);
  if (!chosen) return;
  rows.add({{"series", std::string("label")},
            {"gpus", x.value_at(candidates[*chosen].x)},
            {"drawn_percent", axis.scale.value_at(candidates[*chosen].y)},
            {"text", text}});
}

void put_loss_axis(std::vector<SpecChange>& changes, const LossAxis& axis) {
  put_scale(changes, "/encoding/y", axis.scale);
  if (!axis.zero) return;
  FigureScale above = axis.scale;
  above.low = *axis.zero * 9;
  std::vector<double> ticks{*axis.zero};
  for (const double tick : logarithmic_ticks(above)) ticks.push_back(tick);
  changes.push_back({"/encoding/y/axis/values", ticks});
  // Half-way to the lowest tick, since the axis computes with logarithms.
  changes.push_back({"/encoding/y/axis/labelExpr",
                     "datum.value < " + std::to_string(*axis.zero * 3) + " ? '0' : format(datum.value, ',~g')"});
}

void put_verdicts(std::vector<SpecChange>& changes, const FigureRows& rows) {
  std::vector<std::string> series;
  std::vector<std::string> fills;
  if (rows.count(kept_series) > 0) series.push_back(kept_series), fills.emplace_back("#0072B2");
  if (rows.count(broken_series) > 0) series.push_back(broken_series), fills.emplace_back("white");
  changes.push_back({"/layer/4/encoding/fill/scale/domain", series});
  changes.push_back({"/layer/4/encoding/fill/scale/range", fills});
}

// From the last layer to the first, since indices move.
void drop_loss_layers(std::vector<SpecChange>& changes, const FigureRows& rows) {
  if (rows.count("label") == 0) {
    changes.push_back({"/layer/6", {}});
    changes.push_back({"/layer/5", {}});
  }
  if (rows.count("none lost") == 0) changes.push_back({"/layer/1", {}});
  if (rows.count("tolerated") == 0) changes.push_back({"/layer/0", {}});
}

}  // namespace

Figure loss_figure(const OpenPlanReport& plan, const FigureContext& context) {
  const std::string device = plan.facts.device_word;
  Figure figure{.name = "loss",
                .title = counted(static_cast<double>(plan.plan.gpus), device) + " lose at most " +
                         percent_text(plan.plan.tolerated_loss) + " of the events",
                .subtitle = figure_subtitle(context.scenario, context.seed)};
  FigureRows rows({{.name = "series"},
                   {.name = "gpus"},
                   {.name = "lost", .unit = "percent"},
                   {.name = "lost_low", .unit = "percent"},
                   {.name = "lost_high", .unit = "percent"},
                   {.name = "drawn", .unit = "percent"},
                   {.name = "drawn_low", .unit = "percent"},
                   {.name = "drawn_high", .unit = "percent"},
                   {.name = "offered", .unit = "per_s"},
                   {.name = "capacity", .unit = "per_s"},
                   {.name = "limit"},
                   {.name = "verdict"},
                   {.name = "gpus_low"},
                   {.name = "gpus_high"},
                   {.name = "text"}});
  const LossAxis axis = loss_axis(plan);
  std::vector<double> gpus;
  for (const OpenCandidate& row : plan.plan.candidates) {
    add_loss(rows, row, axis);
    gpus.push_back(static_cast<double>(row.gpus));
  }
  if (rows.count(kept_series) + rows.count(broken_series) == 0) {
    figure.cannot = "No number of " + device + "s was simulated.";
    figure.rows = rows.taken();
    return figure;
  }
  const FigureScale x = scale_of(gpus, {.pixels = loss_width, .margin = 0.06});
  if (axis.zero) add_rule(rows, "none lost", *axis.zero, x);
  add_tolerated(rows, plan, x, axis);
  figure.caption = "Share of the arriving events that is lost, simulated, with 95 % intervals.";
  if (axis.zero)
    figure.caption += " Where none was lost in the simulated time, the point stands at 0 below the logarithmic axis.";
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
                                  {"/encoding/x/axis/title", device + "s"},
                                  {"/layer/4/encoding/tooltip/0/title", tooltip_title(device + "s")}};
  put_scale(changes, "/encoding/x", x);
  put_loss_axis(changes, axis);
  put_verdicts(changes, rows);
  drop_loss_layers(changes, rows);
  figure.spec = filled_spec("loss", changes);
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
