#include <algorithm>
#include <cmath>

#include "models/words/quantities.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/load_axis.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/figures/spec_words.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_series = 8;

double largest_value(const TimelineSeries& series) {
  double most = 0.0;
  for (const double value : series.values)
    if (std::isfinite(value)) most = std::max(most, value);
  return most;
}

/// Those that reach the highest values first.
std::vector<const TimelineSeries*> highest_series(const RunTrace& trace, bool queues) {
  std::vector<const TimelineSeries*> series;
  for (const TimelineSeries& one : trace.series)
    if (one.is_queue == queues && !one.values.empty()) series.push_back(&one);
  std::stable_sort(series.begin(), series.end(), [](const TimelineSeries* a, const TimelineSeries* b) {
    return largest_value(*a) > largest_value(*b);
  });
  return series;
}

struct TimelinePanel {
  std::vector<std::string> names{};
  std::size_t left_out = 0;
};

TimelinePanel add_timeline_panel(TidyRows& rows, const RunTrace& trace, bool queues, double factor) {
  TimelinePanel panel;
  for (const TimelineSeries* series : highest_series(trace, queues)) {
    if (panel.names.size() == most_series) {
      ++panel.left_out;
      continue;
    }
    panel.names.push_back(series->name);
    const std::size_t samples = std::min(series->values.size(), trace.sample_ends_s.size());
    for (std::size_t i = 0; i < samples; ++i) {
      const double value = series->values[i] * (queues ? 1.0 : 100.0);
      if (!std::isfinite(value) || !std::isfinite(trace.sample_ends_s[i])) continue;
      rows.rows.push_back({queues ? "queue" : "use", series->name, trace.sample_ends_s[i] * factor, value});
    }
  }
  return panel;
}

std::string left_out_series(const TimelinePanel& use, const TimelinePanel& queues) {
  std::string text;
  if (use.left_out > 0) text += " " + std::to_string(use.left_out) + " less used resources are left out.";
  if (queues.left_out > 0) text += " " + std::to_string(queues.left_out) + " shorter queues are left out.";
  return text;
}

}  // namespace

Figure timeline_figure(const RunTrace& trace, const FigureContext& context) {
  const ShownUnit unit = shown_unit(trace.sample_ends_s.empty() ? 0.0 : trace.sample_ends_s.back(), "s");
  Figure figure{.name = "timeline", .subtitle = figure_subtitle(context.scenario, context.seed)};
  figure.rows.columns = {{.name = "kind"}, {.name = "series"}, {.name = "time", .unit = unit.name}, {.name = "value"}};
  const TimelinePanel use = add_timeline_panel(figure.rows, trace, false, unit.factor);
  const TimelinePanel queues = add_timeline_panel(figure.rows, trace, true, unit.factor);
  if (figure.rows.rows.empty()) {
    figure.title = "Use of resources and waiting requests over time";
    figure.cannot = "The run was recorded without samples over time.";
    return figure;
  }
  figure.title = queues.names.empty() ? "Use of resources over time"
                 : use.names.empty()  ? "Waiting requests over time"
                                      : "Use of resources and waiting requests over time";
  figure.caption = "One run; each step is the mean over its interval." +
                   (use.names.empty() || queues.names.empty()
                        ? std::string()
                        : " Above, how busy each resource is; below, how many requests wait in each queue.") +
                   left_out_series(use, queues);
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  const std::vector<const TimelinePanel*> panels{&use, &queues};
  std::vector<std::size_t> empty;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::string place = "/vconcat/" + std::to_string(i) + "/encoding/";
    for (const char* channel : {"color", "strokeDash"})
      changes.push_back({place + channel + "/scale/domain", panels[i]->names});
    if (panels[i]->names.empty()) empty.push_back(i);
  }
  take_away(changes, {"/vconcat"}, empty);
  figure.spec = with_words(filled_spec("timeline", changes),
                           {{"time", "time_" + unit.name}, {"time words", "simulated time [" + unit.name + "]"}});
  return figure;
}

}  // namespace saturn
