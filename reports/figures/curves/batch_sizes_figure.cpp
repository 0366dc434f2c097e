#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/words/escaped_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_histograms = 4;
constexpr std::size_t most_bins = 40;
constexpr double width_of_one_histogram = 560.0;
constexpr std::size_t longest_model = 26;

using Histogram = std::map<std::uint32_t, std::uint64_t>;

struct SizeBin {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t batches = 0;

  std::string label() const {
    return from == to ? std::to_string(from) : std::to_string(from) + "–" + std::to_string(to);
  }
};

double all_batches(const Histogram& histogram) {
  return std::accumulate(histogram.begin(), histogram.end(), 0.0,
                         [](double sum, const auto& entry) { return sum + static_cast<double>(entry.second); });
}

double mean_items(const Histogram& histogram) {
  const double items = std::accumulate(histogram.begin(), histogram.end(), 0.0, [](double sum, const auto& entry) {
    return sum + static_cast<double>(entry.first) * static_cast<double>(entry.second);
  });
  return items / all_batches(histogram);
}

/// Every size by itself where there are few sizes, and equally wide bins, empty ones too, where there are many.
std::vector<SizeBin> size_bins(const Histogram& histogram) {
  std::vector<SizeBin> bins;
  if (histogram.size() <= most_bins) {
    for (const auto& [items, batches] : histogram) bins.push_back({items, items, batches});
    return bins;
  }
  const std::uint64_t first = histogram.begin()->first;
  const std::uint64_t span = histogram.rbegin()->first - first + 1;
  const std::uint64_t width = (span + most_bins - 1) / most_bins;
  for (std::uint64_t from = first; from < first + span; from += width)
    bins.push_back({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(from + width - 1), 0});
  for (const auto& [items, batches] : histogram) bins[(items - first) / width].batches += batches;
  return bins;
}

/// Those with the most batches first.
std::vector<const ModelResults*> models_with_batches(const Results& summary) {
  std::vector<const ModelResults*> models;
  for (const ModelResults& model : summary.models)
    if (all_batches(model.batches) > 0.0) models.push_back(&model);
  std::stable_sort(models.begin(), models.end(), [](const ModelResults* a, const ModelResults* b) {
    return all_batches(a->batches) > all_batches(b->batches);
  });
  return models;
}

/// Of so few sizes a sentence says as much as bars.
bool has_few_sizes(const ModelResults* model) {
  constexpr std::size_t least_sizes_drawn = 3;
  return model->batches.size() < least_sizes_drawn;
}

/// "Batches of emtrk have 1719 items (97 %) or 1711 items (3 %)."
std::string few_sizes_sentence(const ModelResults& model) {
  const double all = all_batches(model.batches);
  const auto size = [&](const auto& entry) {
    const std::string items = counted(entry.first, "item");
    return model.batches.size() == 1 ? items
                                     : items + " (" + percent_text(static_cast<double>(entry.second) / all) + ")";
  };
  std::string text = "Batches of " + terminal_text(model.name, longest_model) + " have " + size(*model.batches.begin());
  if (model.batches.size() > 1) text += " or " + size(*model.batches.rbegin());
  return text + ".";
}

void add_histogram(TidyRows& rows, const ModelResults& model) {
  const double all = all_batches(model.batches);
  const std::string panel =
      terminal_text(model.name, longest_model) + ", mean " + number_text(mean_items(model.batches), 3) + " items";
  for (const SizeBin& bin : size_bins(model.batches)) {
    const auto batches = static_cast<double>(bin.batches);
    rows.rows.push_back({model.name, panel, bin.label(), static_cast<double>(bin.from), static_cast<double>(bin.to),
                         batches, 100.0 * batches / all});
  }
}

}  // namespace

Figure batch_sizes_figure(const SaturationStudy& study) {
  Figure figure{.name = "batch_sizes",
                .title = "How large executed batches are",
                .subtitle = figure_subtitle(study.scenario, study.seed)};
  figure.rows.columns = {{.name = "model"},
                         {.name = "panel"},
                         {.name = "items"},
                         {.name = "items_from"},
                         {.name = "items_to"},
                         {.name = "batches"},
                         {.name = "share", .unit = "percent"}};
  if (study.own >= study.simulated.size()) {
    figure.cannot = "The scenario's own number of jobs was not simulated.";
    return figure;
  }
  const SimulatedLoad& own = study.simulated[study.own];
  std::vector<const ModelResults*> models = models_with_batches(own.summary);
  if (models.empty()) {
    figure.cannot = "No batch was executed.";
    return figure;
  }
  const auto few = std::stable_partition(models.begin(), models.end(),
                                         [](const ModelResults* model) { return !has_few_sizes(model); });
  const std::string said = joined(
      texts_of(std::vector(few, models.end()), [](const ModelResults* model) { return few_sizes_sentence(*model); }),
      " ");
  models.erase(few, models.end());
  if (models.empty()) {
    figure.cannot = said;
    return figure;
  }
  const std::size_t panels = std::min(models.size(), most_histograms);
  for (std::size_t i = 0; i < panels; ++i) add_histogram(figure.rows, *models[i]);
  figure.title += " at " + counted(own.clients, stream_word_of(study.facts));
  figure.caption =
      "All replications of the scenario's own " + counted(own.clients, stream_word_of(study.facts)) + " together.";
  if (panels < models.size())
    figure.caption += " The " + std::to_string(panels) + " of " + std::to_string(models.size()) +
                      " models with the most batches are shown.";
  if (!said.empty()) figure.caption += " " + said;
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  if (panels == 1) changes.push_back({"/spec/width", width_of_one_histogram});
  figure.spec = filled_spec("batch_sizes", changes);
  return figure;
}

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
