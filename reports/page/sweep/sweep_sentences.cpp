#include "reports/page/sweep/sweep_sentences.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "models/words/texts.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/choices/cost_figure.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/figures/swept/sweep_lines.hpp"
#include "reports/page/sweep/sweep_drawing.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

/// "7 of 40 points (17.5 %)"
std::string share_of_points(std::size_t part, std::size_t all) {
  double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  // What is not all is not 100 %, and what is something is not 0 %.
  if (part < all) percent = std::min(percent, 99.9);
  percent = std::max(percent, 0.1);
  return whole_text(part) + " of " + counted(all, "point") + " (" + decimal_text(percent, 1) + " %)";
}

std::string held_text(const SweepTable& table, const ResolvedView& view) {
  std::string text;
  for (const auto& [column, value] : view.held) append_part(text, axis_title(table.axes[column].name) + " " + value);
  return text.empty() ? "" : " at " + text;
}

std::string swept_text(const SweepTable& table, const ResolvedView& view) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const bool held = std::any_of(view.held.begin(), view.held.end(), [&](const auto& one) { return one.first == c; });
    if (!held) names.push_back(axis_title(table.axes[c].name));
  }
  return counted(view.rows.size(), "point") + (names.empty() ? "" : " over " + joined_and(names)) +
         held_text(table, view);
}

/// Values that differ by rounding alone are the same.
bool is_same(double a, double b) {
  return MetricRange{.least = std::min(a, b), .most = std::max(a, b)}.is_constant();
}

bool reaches(const SweepMetric& lower, const SweepMetric& upper) {
  const double high = lower.high.value_or(lower.mean);
  const double low = upper.low.value_or(upper.mean);
  return low <= high || is_same(low, high);
}

bool overlap(const SweepMetric& a, const SweepMetric& b) {
  return reaches(a, b) && reaches(b, a);
}

/// "One other point", "3 other points"
std::string other_points(std::size_t n) {
  return n == 1 ? "One other point" : whole_text(n) + " other points";
}

/// How many points are as good as the best one, as far as the intervals tell.
std::string rivals_text(const std::vector<const SweepRow*>& rows, const ShownMetric& metric) {
  const SweepMetric& best = *metric_at(*rows.front(), metric);
  std::size_t twins = 0;
  std::size_t rivals = 0;
  for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
    const SweepMetric& other = *metric_at(**row, metric);
    if (is_same(best.mean, other.mean)) {
      ++twins;
    } else if (overlap(best, other)) {
      ++rivals;
    }
  }
  std::string text;
  if (twins > 0)
    text = " " + other_points(twins) + (twins == 1 ? " has" : " have") + " the same value; the first one is named.";
  if (rivals > 0) text += " " + other_points(rivals) + " cannot be told apart from it: the intervals overlap.";
  return text;
}

std::string best_sentence(const SweepTable& table, const ResolvedView& view, const ShownMetric& metric) {
  const std::vector<const SweepRow*> rows = best_rows(view, metric);
  const SweptNumber number = swept_metric(metric, view.rows);
  const SweepMetric& best = *metric_at(*rows.front(), metric);
  if (view.rows.size() == 1) return capitalised(number.words) + " is " + number.text_of(best) + ".";
  if (rows.size() > 1 && range_of(view, metric)->is_constant())
    return capitalised(number.words) + " is " + number.text_of(best) + " at all " +
           (rows.size() == view.rows.size() ? "points." : counted(rows.size(), "point") + " that have it.");
  const std::string which = better_of(metric.stem) == Better::less ? "lowest " : "highest ";
  return "The " + which + number.words + " is " + number.text_of(best) + " at " +
         PlaceWords(table, view).text(*rows.front()) + " (point " + std::to_string(rows.front()->number) + ")." +
         rivals_text(rows, metric);
}

std::string word_sentence(const ResolvedView& view, const ShownMetric& metric) {
  std::map<std::string, std::size_t> counts;
  std::size_t known = 0;
  for (const SweepRow* row : view.rows) {
    const std::string* word = word_at(*row, metric);
    if (word == nullptr) continue;
    ++counts[*word];
    ++known;
  }
  const auto commonest =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return capitalised(metric_title(metric.stem)) + ": " + commonest->first + " at " + whole_text(commonest->second) +
         " of " + counted(known, "point") + ".";
}

bool any_has(const ResolvedView& view, const ShownMetric& metric) {
  return std::any_of(view.rows.begin(), view.rows.end(), [&](const SweepRow* row) {
    return metric.is_word ? word_at(*row, metric) != nullptr : metric_at(*row, metric) != nullptr;
  });
}

std::string kinds_text(const ResolvedView& view) {
  std::map<std::string, std::size_t> kinds;
  for (const SweepRow* row : view.rows)
    if (row->result.status == PointStatus::failed)
      ++kinds[row->result.failure.empty() ? "for an unknown reason" : row->result.failure];
  std::vector<std::string> parts;
  for (const auto& [kind, count] : kinds) parts.push_back(whole_text(count) + " " + kind);
  return joined_and(parts);
}

std::string missing_warning(std::size_t missing, std::size_t all, const SweepSource& source) {
  return share_of_points(missing, all) + (missing == 1 ? " is" : " are") +
         " missing: the sweep is unfinished. The sweep's command computes " + (missing == 1 ? "it" : "them") +
         (source.sweep_command.empty() ? "; provenance.json, which would name it, is not in the folder."
                                       : ": " + source.sweep_command);
}

}  // namespace

std::vector<const SweepRow*> best_rows(const ResolvedView& view, const ShownMetric& metric) {
  std::vector<std::pair<double, const SweepRow*>> found;
  const double sign = better_of(metric.stem) == Better::less ? 1.0 : -1.0;
  for (const SweepRow* row : view.rows)
    if (const SweepMetric* value = metric_at(*row, metric)) found.emplace_back(sign * value->mean, row);
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto first = found.begin(); first != found.end();) {
    const auto next =
        std::find_if(first, found.end(), [&](const auto& one) { return !is_same(first->first, one.first); });
    std::sort(first, next, [](const auto& a, const auto& b) { return a.second->number < b.second->number; });
    first = next;
  }
  std::vector<const SweepRow*> rows;
  rows.reserve(found.size());
  for (const auto& [value, row] : found) rows.push_back(row);
  return rows;
}

PlaceWords::PlaceWords(const SweepTable& table, const ResolvedView& view) {
  for (std::size_t c = 0; c < table.axes.size(); ++c) axes_.push_back(shown_axis(table, view.rows, c));
}

std::string PlaceWords::text(const SweepRow& row) const {
  std::string text;
  for (std::size_t c = 0; c < axes_.size(); ++c)
    text += (c > 0 ? ", " : "") + place_words(axes_[c], axes_[c].place_of(row.cells.at(c)));
  return text;
}

std::size_t points_with(const ResolvedView& view, PointStatus status) {
  return static_cast<std::size_t>(std::count_if(view.rows.begin(), view.rows.end(),
                                                [&](const SweepRow* row) { return row->result.status == status; }));
}

std::string sweep_lead(const SweepTable& table, const ResolvedView& view) {
  if (view.rows.empty()) return "The sweep has no points.";
  const std::string swept = "A sweep of " + swept_text(table, view);
  const std::size_t answered = points_with(view, PointStatus::answered) + points_with(view, PointStatus::imprecise);
  if (answered == 0) return swept + ", none of which has an answer.";
  const std::string begin = swept + ", " + whole_text(answered) + " of them answered.";
  std::string all = answered == view.rows.size() ? swept + "." : begin;
  if (!view.metric || !any_has(view, *view.metric)) return all;
  return all + " " +
         (view.metric->is_word ? word_sentence(view, *view.metric) : best_sentence(table, view, *view.metric));
}

std::vector<std::string> sweep_warnings(const SweepTable& table, const ResolvedView& view, const SweepSource& source) {
  std::vector<std::string> warnings;
  const std::size_t all = view.rows.size();
  const auto add = [&](std::size_t n, const std::string& text) {
    if (n > 0) warnings.push_back(text);
  };
  const std::size_t missing = points_with(view, PointStatus::missing);
  const std::size_t failed = points_with(view, PointStatus::failed);
  const std::size_t imprecise = points_with(view, PointStatus::imprecise);
  if (table.rows.empty()) warnings.emplace_back("The plan of the sweep has no points.");
  if (!table.rows.empty() && all == 0) warnings.emplace_back("No point of the sweep has the values of --at together.");
  if (missing > 0) warnings.push_back(missing_warning(missing, all, source));
  if (failed > 0)
    warnings.push_back(share_of_points(failed, all) + " failed: " + kinds_text(view) +
                       ". The reasons are among the failures below.");
  if (imprecise > 0)
    warnings.push_back(share_of_points(imprecise, all) + (imprecise == 1 ? " is" : " are") +
                       " less precise than asked; the intervals say how precise.");
  add(source.torn, whole_text(source.torn) +
                       (source.torn == 1 ? " line of the result files did not read whole and counts as missing."
                                         : " lines of the result files did not read whole and count as missing."));
  if (view.metric && !view.metric->is_word) {
    const std::optional<MetricRange> range = range_of(view, *view.metric);
    add(range && range->is_constant() && best_rows(view, *view.metric).size() > 1 ? 1 : 0,
        capitalised(metric_title(view.metric->stem)) +
            " is the same at all points, so that it tells none from another; --metric chooses another one.");
  }
  return warnings;
}

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
                            .simulated = table.is_simulated()});
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
