#include "reports/page/sweep_page.hpp"

#include <algorithm>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/page/sweep_drawing.hpp"
#include "reports/page/sweep_sentences.hpp"
#include "reports/page/sweep_tables.hpp"
#include "reports/page/telling_metrics.hpp"
#include "reports/facts_text.hpp"

namespace saturn {

namespace {

PageSection axes_section(const SweepTable& table, const ResolvedView& view) {
  PageSection section{.id = "varied", .heading = "What was varied"};
  section.paragraphs.push_back("At each point: saturn " + table.answer + ", seed " + std::to_string(table.seed) + ".");
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
PageSection laws_section(const ResolvedView& view) {
  const auto answered = std::count_if(view.rows.begin(), view.rows.end(),
                                      [](const SweepRow* row) { return ResolvedView::has_answer(*row); });
  const auto broken = std::count_if(view.rows.begin(), view.rows.end(),
                                    [](const SweepRow* row) { return row->result.failure == "broken law"; });
  std::string text =
      "Conservation, Little's law, the utilisation law and the bounds are checked in every run of a point. A point "
      "with a run that breaks one has no answer and stands under Failures. Here ";
  text += (broken == 0 ? std::string("no point") : counted(broken, "point")) + " broke a law, and " +
          counted(answered, "point") + (answered == 1 ? " has" : " have") + " an answer.";
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
  PageTable failures = failures_table(view);
  const bool any_result = any_answer || !failures.rows.empty();
  if (!failures.rows.empty())
    page.sections.push_back({.id = "failures", .heading = "Failures", .tables = {std::move(failures)}});
  if (!table.rows.empty()) page.sections.push_back(axes_section(table, view));
  if (any_result) page.sections.push_back(laws_section(view));
  return page;
}

}  // namespace saturn
