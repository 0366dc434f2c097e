#include <set>

#include "models/words/texts.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/money_study.hpp"
#include "reports/figures/sweep_scatter.hpp"
#include "reports/number_text.hpp"
#include "reports/page/sweep_drawing.hpp"
#include "reports/page/sweep_sentences.hpp"

namespace saturn {

namespace {

constexpr std::size_t least_points_of_tradeoff = 3;

const SweepMetric* metric_with_stem(const SweepRow& row, const std::string& stem) {
  if (!ResolvedView::has_answer(row)) return nullptr;
  for (const SweepMetric& metric : row.result.answer.metrics)
    if (metric.stem == stem) return &metric;
  return nullptr;
}

/// Every point, or with more of them than a plot can show every so many-th and the front, which must not lose any.
ParetoStudy thinned(ParetoStudy study) {
  if (study.points.size() <= most_scattered) return study;
  const std::vector<std::size_t> front = pareto_front(study);
  const std::vector<std::size_t> every = thinned_places(study.points.size(), most_scattered);
  std::set<std::size_t> kept(front.begin(), front.end());
  kept.insert(every.begin(), every.end());
  std::vector<ParetoPoint> points;
  for (const std::size_t place : kept) points.push_back(std::move(study.points[place]));
  study.points = std::move(points);
  return study;
}

}  // namespace

SweepDrawing drawn_tradeoff(const SweepTable& table, const ResolvedView& resolved, const FigureContext& context) {
  const std::string latency = busiest_latency(resolved);
  const std::string less = latency.empty() ? "event_time" : latency;
  const auto is_flat = [&](const std::string& stem, const std::string& unit) {
    const std::string name = stem + "_" + unit;
    const std::optional<MetricRange> range = range_of(resolved, {.name = name, .stem = stem, .unit = unit});
    return !range || range->is_constant();
  };
  if (is_flat(less, "s") || is_flat("events", "per_s")) return {};
  ParetoStudy study{.x_title = metric_title(less),
                    .x_unit = "s",
                    .less_x = true,
                    .y_title = metric_title("events"),
                    .y_unit = "per_s",
                    .less_y = false,
                    .noun = "point"};
  const PlaceWords places(table, resolved);
  for (const SweepRow* row : resolved.rows) {
    const SweepMetric* x = metric_with_stem(*row, less);
    const SweepMetric* y = metric_with_stem(*row, "events");
    if (x == nullptr || y == nullptr) continue;
    study.points.push_back({.label = "point " + std::to_string(row->number) + ": " + places.text(*row),
                            .x = x->mean,
                            .y = y->mean,
                            .y_low = y->low,
                            .y_high = y->high,
                            .simulated = true});
  }
  const std::size_t all = study.points.size();
  if (all < least_points_of_tradeoff) return {};
  study = thinned(std::move(study));
  SweepDrawing drawing;
  drawing.figures.push_back(pareto_figure(study, context));
  drawing.figures.back().name = "throughput_latency";
  if (study.points.size() < all)
    drawing.remarks.push_back(whole_text(study.points.size()) + " of " + counted(all, "point") +
                              " are drawn, among them all that no other point beats; points.csv holds all.");
  return drawing;
}

}  // namespace saturn
