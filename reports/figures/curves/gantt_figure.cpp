#include <algorithm>
#include <cmath>
#include <map>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/words/escaped_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_instances = 24;
constexpr std::size_t most_batches = 120;
constexpr std::size_t longest_group = 50;
constexpr std::size_t model_colours = 8;
constexpr double least_bar = 0.004;  ///< of the figure's width

bool is_shown_batch(const RunTrace& trace, const TraceSpan& span) {
  return span.kind == SpanKind::batch && span.track < trace.tracks.size() && span.label < trace.labels.size() &&
         std::isfinite(span.begin_s) && std::isfinite(span.end_s) && span.end_s >= span.begin_s;
}

/// Batches of the first instances that have some, from the window's begin on, so many that they can be told apart.
std::vector<const TraceSpan*> first_batches(const RunTrace& trace) {
  std::map<std::uint32_t, bool> instances;
  for (const TraceSpan& span : trace.spans)
    if (is_shown_batch(trace, span)) instances.emplace(span.track, true);
  std::vector<const TraceSpan*> batches;
  if (instances.empty()) return batches;
  auto last = instances.begin();
  std::advance(last, static_cast<std::ptrdiff_t>(std::min(instances.size(), most_instances)) - 1);
  for (const TraceSpan& span : trace.spans)
    if (is_shown_batch(trace, span) && span.track <= last->first) batches.push_back(&span);
  std::stable_sort(batches.begin(), batches.end(),
                   [](const TraceSpan* a, const TraceSpan* b) { return a->begin_s < b->begin_s; });
  if (batches.size() > most_batches) batches.resize(most_batches);
  return batches;
}

struct GanttWindow {
  double from_s = 0.0;
  double to_s = 0.0;
};

GanttWindow gantt_window(const RunTrace& trace, const std::vector<const TraceSpan*>& batches) {
  GanttWindow window{.from_s = batches.front()->begin_s, .to_s = batches.front()->end_s};
  // What began before the recording is shown from there on.
  if (std::isfinite(trace.begin_s)) window.from_s = std::max(window.from_s, trace.begin_s);
  for (const TraceSpan* batch : batches) window.to_s = std::max(window.to_s, batch->end_s);
  // All batches that ran at a moment are there only until the first one that is left out begins.
  if (batches.size() == most_batches) window.to_s = std::max(batches.back()->begin_s, batches.front()->end_s);
  if (!(window.to_s > window.from_s)) window.to_s = window.from_s + 1.0;
  return window;
}

/// The group where all instances are of one; empty otherwise.
std::string common_group(const RunTrace& trace, const std::vector<const TraceSpan*>& batches) {
  const std::string& group = trace.tracks[batches.front()->track].group;
  const bool common = std::all_of(batches.begin(), batches.end(), [&](const TraceSpan* batch) {
    return trace.tracks[batch->track].group == group && !trace.tracks[batch->track].name.empty();
  });
  return common ? group : "";
}

std::string instance_name(const TraceTrack& track, const std::string& common) {
  if (track.group.empty() || track.group == common) return track.name;
  return track.name.empty() ? track.group : track.group + ", " + track.name;
}

/// Rows stand in the order of the instances, not of their first batches.
std::vector<std::string> instances_in_order(const RunTrace& trace, const std::vector<const TraceSpan*>& batches,
                                            const std::string& group) {
  std::map<std::uint32_t, std::string> names;
  for (const TraceSpan* batch : batches) names.emplace(batch->track, instance_name(trace.tracks[batch->track], group));
  std::vector<std::string> ordered;
  for (auto& [track, name] : names)
    if (std::find(ordered.begin(), ordered.end(), name) == ordered.end()) ordered.push_back(name);
  return ordered;
}

std::vector<std::string> models_in_order(const RunTrace& trace, const std::vector<const TraceSpan*>& batches) {
  std::vector<std::string> models;
  for (const TraceSpan* batch : batches) {
    const std::string& model = trace.labels[batch->label];
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
  }
  std::sort(models.begin(), models.end());
  return models;
}

bool sizes_differ(const std::vector<const TraceSpan*>& batches) {
  return std::any_of(batches.begin(), batches.end(),
                     [&](const TraceSpan* batch) { return batch->items != batches.front()->items; });
}

/// One model needs no colour to be known by: shades tell full batches from small ones.
void shade_by_items(std::vector<SpecChange>& changes) {
  const std::string colour = "/encoding/color/";
  changes.push_back({colour + "field", "items"});
  changes.push_back({colour + "type", "quantitative"});
  changes.push_back({colour + "title", "items in the batch"});
  for (const char* place :
       {"scale/domain", "scale/range", "legend/columns", "legend/symbolType", "legend/symbolOpacity"})
    changes.push_back({colour + place});
  changes.push_back({colour + "scale/scheme", "viridis"});
  // Full batches are the many and the expected ones: they are the dark bars.
  changes.push_back({colour + "scale/reverse", true});
  changes.push_back({colour + "legend/gradientLength", 240.0});
}

/// Batches that take no time are seen as well: an expression for the end of a bar that is wide enough.
std::string least_end(const std::string& begin, const std::string& end, double least) {
  return "max(datum." + end + ", datum." + begin + " + " + exact_text(least) + ")";
}

}  // namespace

Figure gantt_figure(const RunTrace& trace, const FigureContext& context) {
  Figure figure{
      .name = "gantt", .title = "Batches on devices", .subtitle = figure_subtitle(context.scenario, context.seed)};
  const std::vector<const TraceSpan*> batches = first_batches(trace);
  const GanttWindow window = batches.empty() ? GanttWindow{} : gantt_window(trace, batches);
  const ShownUnit unit = shown_unit(window.to_s - window.from_s, "s");
  figure.rows.columns = {{.name = "instance"},
                         {.name = "model"},
                         {.name = "items"},
                         {.name = "begin", .unit = unit.name},
                         {.name = "end", .unit = unit.name}};
  if (batches.empty()) {
    figure.cannot = "No batch ran on a device from " + compact_number(trace.begin_s, 7) + " s to " +
                    compact_number(trace.end_s, 7) + " s of the traced run.";
    return figure;
  }
  const std::string group = common_group(trace, batches);
  if (!group.empty()) figure.title = "Batches on the instances of " + terminal_text(group, longest_group);
  const auto shown = [&](double at_s) {
    return (std::clamp(at_s, window.from_s, window.to_s) - window.from_s) * unit.factor;
  };
  for (const TraceSpan* batch : batches)
    figure.rows.rows.push_back({instance_name(trace.tracks[batch->track], group), trace.labels[batch->label],
                                static_cast<double>(batch->items), shown(batch->begin_s), shown(batch->end_s)});
  const std::string since = "time since " + compact_number(window.from_s, 7) + " s [" + unit.name + "]";
  figure.caption = "One run. Each bar is a batch on an instance; gaps are idle. Times count from " +
                   compact_number(window.from_s, 7) + " s of simulated time.";
  const std::vector<std::string> models = models_in_order(trace, batches);
  if (models.size() > model_colours) figure.caption += " There are more models than colours: colours repeat.";
  std::vector<SpecChange> changes{
      {"/title/text", figure.title},
      {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
      {"/encoding/y/sort", instances_in_order(trace, batches, group)},
      {"/transform/0/calculate",
       least_end("begin_" + unit.name, "end_" + unit.name, least_bar * (window.to_s - window.from_s) * unit.factor)},
      {"/encoding/x/scale/domain", std::vector<double>{0.0, (window.to_s - window.from_s) * unit.factor}},
      {"/encoding/color/scale/domain", models}};
  if (models.size() == 1 && sizes_differ(batches)) shade_by_items(changes);
  figure.spec = with_words(filled_spec("gantt", changes), {{"begin", "begin_" + unit.name},
                                                           {"end", "end_" + unit.name},
                                                           {"time words", since},
                                                           {"from", "from [" + unit.name + "]"},
                                                           {"to", "to [" + unit.name + "]"}});
  return figure;
}

}  // namespace saturn
