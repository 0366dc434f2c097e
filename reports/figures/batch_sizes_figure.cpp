#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/words/texts.hpp"
#include "reports/figures/figures.hpp"
#include "reports/figures/load_axis.hpp"
#include "reports/figures/spec_template.hpp"
#include "reports/number_text.hpp"
#include "reports/terminal_text.hpp"

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
    figure.cannot = "The scenario's own number of clients was not simulated.";
    return figure;
  }
  const SimulatedLoad& own = study.simulated[study.own];
  const std::vector<const ModelResults*> models = models_with_batches(own.summary);
  if (models.empty()) {
    figure.cannot = "No batch was executed.";
    return figure;
  }
  const std::size_t panels = std::min(models.size(), most_histograms);
  for (std::size_t i = 0; i < panels; ++i) add_histogram(figure.rows, *models[i]);
  figure.title += " at " + counted(own.clients, "client");
  figure.caption = "All replications of the scenario's own " + counted(own.clients, "client") + " together.";
  if (panels < models.size())
    figure.caption += " The " + std::to_string(panels) + " of " + std::to_string(models.size()) +
                      " models with the most batches are shown.";
  std::vector<SpecChange> changes{{"/title/text", figure.title},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}}};
  if (panels == 1) changes.push_back({"/spec/width", width_of_one_histogram});
  figure.spec = filled_spec("batch_sizes", changes);
  return figure;
}

}  // namespace saturn
