#include "reports/page/sweep/sweep_page.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/swept_number.hpp"
#include "reports/figures/metric_words.hpp"
#include "reports/page/page_parts.hpp"
#include "reports/page/report_page.hpp"
#include "reports/page/sweep/sweep_drawing.hpp"
#include "reports/page/sweep/sweep_sentences.hpp"
#include "reports/sweep/sweep_view.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"
#include "sim/sweep/sweep_table.hpp"

namespace saturn {

// Tables of a sweep's page.

/// The axes with their values.
Table axes_table(const SweepTable& table, const ResolvedView& view);

/// The best points by the chosen metric with the other telling ones; where the chosen one is a word, the first points.
Table points_table(const SweepTable& table, const ResolvedView& view, const TellingMetrics& telling);

/// Every number and word of the only point.
Table only_point_table(const SweepTable& table, const ResolvedView& view);

/// Failures of equal kind and reason together, the commonest first; no rows where none failed.
Table failures_table(const ResolvedView& view);

namespace {

PageSection axes_section(const SweepTable& table, const ResolvedView& view) {
  PageSection section{.id = "varied", .heading = "What was varied"};
  section.paragraphs.push_back("At each point: " + table.asked_at_each_point() + ", seed " +
                               std::to_string(table.seed) + ".");
  section.tables.push_back(axes_table(table, view));
  return section;
}

PageSection figures_section(SweepDrawing drawing) {
  return {.id = "figures",
          .heading = "What the points say",
          .paragraphs = std::move(drawing.remarks),
          .figures = std::move(drawing.figures),
          .maps = std::move(drawing.maps)};
}

PageSection points_section(const SweepTable& table, const ResolvedView& view, const TellingMetrics& telling,
                           const std::string& undrawn) {
  PageSection section{.id = "points", .heading = view.rows.size() == 1 ? "The point" : "Points"};
  if (view.rows.size() == 1) {
    section.paragraphs.emplace_back("The sweep has a single point, so that there is nothing to draw over an axis.");
    section.tables.push_back(only_point_table(table, view));
  } else {
    section.tables.push_back(points_table(table, view, telling));
  }
  section.paragraphs.emplace_back("points.csv in the sweep's folder holds every point with every number.");
  if (!undrawn.empty()) section.paragraphs.push_back(undrawn);
  return section;
}

/// Laws are checked where points are simulated: what is left to say is how that ended.
PageSection laws_section(const SweepTable& table, const ResolvedView& view) {
  const auto answered = std::count_if(view.rows.begin(), view.rows.end(),
                                      [](const SweepRow* row) { return ResolvedView::has_answer(*row); });
  const auto broken = std::count_if(view.rows.begin(), view.rows.end(),
                                    [](const SweepRow* row) { return row->result.failure == "broken law"; });
  std::string text =
      "Conservation, Little's law, the utilisation law and the bounds are checked in every run of a point. A point "
      "with a run that breaks one has no answer and stands under Failures. Here ";
  text += (broken == 0 ? std::string("no point") : counted(broken, "point")) + " broke a law, and " +
          counted(answered, "point") + (answered == 1 ? " has" : " have") + " an answer.";
  if (!table.is_simulated())
    text = "Nothing was simulated, so that there is no run to check: the numbers are those of formulas (" +
           table.methods + "). " + counted(answered, "point") + (answered == 1 ? " has" : " have") + " an answer.";
  return {.id = "checks", .heading = "Checks", .paragraphs = {std::move(text)}};
}

}  // namespace

ReportPage sweep_page(const SweepTable& table, const SweepSource& source) {
  const ResolvedView view = resolved_view(table, source.view);
  const TellingMetrics telling = telling_metrics(table, view);
  const std::string title = table.title.empty() ? "a scenario" : table.title;
  const FigureContext context{.scenario = title, .seed = table.seed};
  ReportPage page{.title = "Sweep of " + title,
                  .lead = sweep_lead(table, view),
                  .warnings = sweep_warnings(table, view, source),
                  .provenance = source.provenance,
                  .commands = source.commands};
  const bool any_answer = std::any_of(view.rows.begin(), view.rows.end(),
                                      [](const SweepRow* row) { return ResolvedView::has_answer(*row); });
  if (any_answer) {
    std::string undrawn;
    if (view.rows.size() > 1) {
      SweepDrawing drawing = drawn_sweep(table, source.view, view, telling, context);
      undrawn = drawing.undrawn;
      page.sections.push_back(figures_section(std::move(drawing)));
    }
    SweepDrawing tradeoff = drawn_tradeoff(table, view, context);
    if (!tradeoff.figures.empty()) {
      page.sections.push_back(figures_section(std::move(tradeoff)));
      page.sections.back().id = "tradeoff";
      page.sections.back().heading = "Throughput against latency";
    }
    page.sections.push_back(points_section(table, view, telling, undrawn));
  }
  Table failures = failures_table(view);
  const bool any_result = any_answer || !failures.rows.empty();
  if (!failures.rows.empty())
    page.sections.push_back({.id = "failures", .heading = "Failures", .tables = {std::move(failures)}});
  if (!table.rows.empty()) page.sections.push_back(axes_section(table, view));
  if (any_result) page.sections.push_back(laws_section(table, view));
  return page;
}

namespace {

constexpr std::size_t most_best_points = 10;
constexpr std::size_t most_listed_values = 12;
constexpr std::size_t most_failure_rows = 20;
constexpr std::size_t most_failure_points = 8;

std::string values_text(const ShownAxis& axis) {
  const bool all = axis.values.size() <= most_listed_values;
  return with_unit(all ? joined(axis.labels) : axis.labels.front() + " to " + axis.labels.back(), axis.unit);
}

std::string number_at(const SweepRow& row, const ShownMetric& metric, const SweptNumber& number) {
  const SweepMetric* found = metric_at(row, metric);
  if (found == nullptr) return no_value;
  return estimate_text(found->estimate(), number.factor);
}

std::string remark_at(const SweepRow& row) {
  return row.result.status == PointStatus::imprecise ? "less precise than asked" : "";
}

std::vector<const SweepRow*> listed_rows(const ResolvedView& view) {
  if (view.metric && !view.metric->is_word) return best_rows(view, *view.metric);
  std::vector<const SweepRow*> rows;
  std::copy_if(view.rows.begin(), view.rows.end(), std::back_inserter(rows),
               [](const SweepRow* row) { return ResolvedView::has_answer(*row); });
  return rows;
}

std::string points_caption(const ResolvedView& view, std::size_t shown, std::size_t all) {
  if (!view.metric || view.metric->is_word)
    return shown == all ? "All points with an answer" : "The first " + std::to_string(shown) + " points with an answer";
  const Better better = better_of(view.metric->stem);
  const std::string order = better == Better::less ? "the lowest first" : "the highest first";
  return (shown == all ? "All points" : "The " + std::to_string(shown) + " points") + " by " +
         metric_title(view.metric->stem) + ", " + order;
}

}  // namespace

Table axes_table(const SweepTable& table, const ResolvedView& view) {
  Table axes = page_table("What was varied", {{"axis"}, {"place in the scenario"}, {"values", true}, {"which"}});
  const PlaceWords places(table, view);
  for (std::size_t c = 0; c < table.axes.size(); ++c) {
    const ShownAxis& axis = places.axes()[c];
    axes.rows.push_back(
        {axis_title(axis.name), table.axes[c].pointer, whole_text(axis.values.size()), values_text(axis)});
  }
  return axes;
}

Table points_table(const SweepTable& table, const ResolvedView& view, const TellingMetrics& telling) {
  const std::vector<const SweepRow*> rows = listed_rows(view);
  const std::size_t shown = std::min(rows.size(), most_best_points);
  Table points = page_table(points_caption(view, shown, rows.size()), {{"point", true}});
  const auto add_column = [&](const std::string& head, bool is_number) {
    points.columns.push_back({.title = head, .shown = is_number ? Shown::number : Shown::word});
  };
  const PlaceWords places(table, view);
  for (const ShownAxis& axis : places.axes()) add_column(axis.heading, true);
  std::vector<SweptNumber> numbers;
  for (const ShownMetric& metric : telling.numbers) {
    numbers.push_back(swept_metric(metric, view.rows));
    add_column(numbers.back().title, true);
  }
  for (const ShownMetric& metric : telling.words) add_column(metric_title(metric.stem), false);
  add_column("", false);
  for (std::size_t i = 0; i < shown; ++i) {
    const SweepRow& row = *rows[i];
    std::vector<Cell> cells{std::to_string(row.number)};
    for (std::size_t c = 0; c < table.axes.size(); ++c)
      cells.emplace_back(places.axes()[c].labels[places.axes()[c].place_of(row.cells[c])]);
    for (std::size_t m = 0; m < numbers.size(); ++m) cells.emplace_back(number_at(row, telling.numbers[m], numbers[m]));
    for (const ShownMetric& metric : telling.words) {
      const std::string* word = word_at(row, metric);
      cells.emplace_back(word == nullptr ? no_value : *word);
    }
    cells.emplace_back(remark_at(row));
    points.rows.push_back(std::move(cells));
  }
  return points;
}

Table only_point_table(const SweepTable& table, const ResolvedView& view) {
  Table values = page_table("The only point", {{"what"}, {"value", true}});
  for (const ShownMetric& metric : metrics_of(table)) {
    if (metric.is_word) {
      if (const std::string* word = word_at(*view.rows.front(), metric))
        values.rows.push_back({metric_title(metric.stem), *word});
    } else if (const SweepMetric* number = metric_at(*view.rows.front(), metric)) {
      const SweptNumber shown = swept_metric(metric, view.rows);
      values.rows.push_back({shown.words, shown.text_of(*number)});
    }
  }
  return values;
}

Table failures_table(const ResolvedView& view) {
  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> groups;
  for (const SweepRow* row : view.rows)
    if (row->result.status == PointStatus::failed)
      groups[{row->result.failure, row->result.reason}].push_back(row->number);
  std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::uint64_t>>> sorted(groups.begin(),
                                                                                                 groups.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  Table failures = page_table("Points that gave no answer", {{"failed"}, {"points", true}, {"which"}, {"reason"}});
  if (sorted.size() > most_failure_rows) {
    failures.caption += "; the " + std::to_string(most_failure_rows) + " commonest reasons of " +
                        whole_text(sorted.size()) + ", points.csv holds all";
    sorted.resize(most_failure_rows);
  }
  for (const auto& [what, points] : sorted) {
    std::string which;
    for (std::size_t i = 0; i < std::min(points.size(), most_failure_points); ++i)
      append_part(which, std::to_string(points[i]));
    if (points.size() > most_failure_points) which += ", ...";
    failures.rows.push_back({what.first, whole_text(points.size()), which, what.second});
  }
  return failures;
}

}  // namespace saturn
