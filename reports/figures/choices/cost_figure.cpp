#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/words/facts_text.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double cost_width = 520.0;
constexpr double cost_height = 320.0;
const std::string bound_series = "least, by the bounds";
const std::string simulated_series = "simulation, 95 % interval";

bool drawable(const std::optional<double>& usd) {
  return usd && std::isfinite(*usd) && *usd >= 0.0;
}

bool drawable(const std::optional<Estimate>& usd) {
  return usd && std::isfinite(usd->mean) && usd->mean >= 0.0;
}

double or_mean(double end, const Estimate& estimate) {
  return std::isfinite(end) ? std::max(end, 0.0) : estimate.mean;
}

/// Plans that are the same purchase.
struct PlanMark {
  std::vector<std::string> names{};
  std::string remarks{};
  double gpus = 0.0;
  double usd = 0.0;
};

std::vector<PlanMark> plan_marks(const CostStudy& study) {
  std::map<std::pair<std::uint64_t, double>, PlanMark> marks;
  for (const CostMark& mark : study.marks) {
    if (!std::isfinite(mark.usd) || mark.usd < 0.0) continue;
    PlanMark& joined = marks[{mark.gpus, mark.usd}];
    joined.names.push_back(mark.name);
    if (!mark.remark.empty()) append_part(joined.remarks, mark.remark, "; ");
    joined.gpus = static_cast<double>(mark.gpus);
    joined.usd = mark.usd;
  }
  std::vector<PlanMark> found;
  for (auto& [key, mark] : marks) found.push_back(std::move(mark));
  return found;
}

/// The axes of the figure.
struct CostScales {
  FigureScale x{};
  FigureScale y{};
};

CostScales cost_scales(const CostStudy& study, const std::vector<PlanMark>& marks) {
  std::vector<double> gpus;
  std::vector<double> usd;
  for (const CostPoint& point : study.points) {
    if (!drawable(point.bound_usd) && !drawable(point.simulated_usd)) continue;
    gpus.push_back(static_cast<double>(point.gpus));
    if (drawable(point.bound_usd)) usd.push_back(*point.bound_usd);
    if (!drawable(point.simulated_usd)) continue;
    usd.push_back(or_mean(point.simulated_usd->low, *point.simulated_usd));
    usd.push_back(or_mean(point.simulated_usd->high, *point.simulated_usd));
  }
  for (const PlanMark& mark : marks) {
    gpus.push_back(mark.gpus);
    usd.push_back(mark.usd);
  }
  if (drawable(study.cpu_only_usd)) usd.push_back(*study.cpu_only_usd);
  return {.x = scale_of(gpus, {.pixels = cost_width, .margin = 0.06}),
          .y = scale_of(usd, {.pixels = cost_height, .from_zero = true, .margin = 0.12})};
}

void add_points(FigureRows& rows, const CostStudy& study, LabelPlaces& places, const CostScales& scales) {
  for (const CostPoint& point : study.points) {
    const auto gpus = static_cast<double>(point.gpus);
    const auto keep_clear = [&](double usd) { places.avoid({.x = scales.x.place(gpus), .y = scales.y.place(usd)}); };
    if (drawable(point.bound_usd)) {
      rows.add({{"series", bound_series}, {"gpus", gpus}, {"cost_usd", *point.bound_usd}, {"binding", point.binding}});
      keep_clear(*point.bound_usd);
    }
    if (!drawable(point.simulated_usd)) continue;
    rows.add({{"series", simulated_series},
              {"gpus", gpus},
              {"cost_usd", point.simulated_usd->mean},
              {"cost_low_usd", or_mean(point.simulated_usd->low, *point.simulated_usd)},
              {"cost_high_usd", or_mean(point.simulated_usd->high, *point.simulated_usd)},
              {"binding", point.binding}});
    keep_clear(point.simulated_usd->mean);
  }
}

void add_cpu_only(FigureRows& rows, double usd, LabelPlaces& places, const CostScales& scales) {
  rows.add({{"series", std::string("CPU only")},
            {"cost_usd", usd},
            {"gpus_low", scales.x.low},
            {"gpus_high", scales.x.high}});
  const std::string text = "CPU only: " + number_text(usd, 3) + " USD";
  const double half = word_box(text, {}).right;
  const double y = scales.y.place(usd);
  const std::vector<FigurePlace> ends{
      {cost_width - half - 2, y + 10}, {half + 2, y + 10}, {cost_width - half - 2, y - 10}, {half + 2, y - 10}};
  const auto chosen = places.put_on(text, ends);
  places.block({0.0, y - 2, cost_width, y + 2});
  if (!chosen) return;
  rows.add({{"series", std::string("CPU only label")},
            {"gpus", scales.x.value_at(ends[*chosen].x)},
            {"cost_usd", scales.y.value_at(ends[*chosen].y)},
            {"text", text}});
}

void add_plans(FigureRows& rows, const std::vector<PlanMark>& marks, const std::string& device, LabelPlaces& places,
               const CostScales& scales) {
  const std::size_t all =
      std::accumulate(marks.begin(), marks.end(), std::size_t{0},
                      [](std::size_t sum, const PlanMark& mark) { return sum + mark.names.size(); });
  for (const PlanMark& mark : marks) {
    const FigurePlace at{.x = scales.x.place(mark.gpus), .y = scales.y.place(mark.usd)};
    places.block({at.x - 6, at.y - 6, at.x + 6, at.y + 6});
  }
  for (const PlanMark& mark : marks) {
    rows.add({{"series", std::string("plan")},
              {"gpus", mark.gpus},
              {"cost_usd", mark.usd},
              {"text", joined_plans(mark.names, all)},
              {"remark", mark.remarks}});
    const std::string text = shortened(joined_plans(mark.names, all), 34) + ": " +
                             counted(mark.gpus, shortened(device, 12)) + ", " + number_text(mark.usd, 3) + " USD";
    const FigurePlace at{.x = scales.x.place(mark.gpus), .y = scales.y.place(mark.usd)};
    const auto middle = places.put_beside(text, at);
    if (!middle) continue;
    const FigurePlace end = nearest_on(word_box(text, *middle), at);
    rows.add({{"series", std::string("plan label")},
              {"gpus", scales.x.value_at(middle->x)},
              {"cost_usd", scales.y.value_at(middle->y)},
              {"gpus_low", mark.gpus},
              {"gpus_high", scales.x.value_at(end.x)},
              {"cost_low_usd", mark.usd},
              {"cost_high_usd", scales.y.value_at(end.y)},
              {"text", text}});
  }
}

std::string cost_caption(const CostStudy& study, bool any_simulated) {
  std::string text = "What a million events cost";
  if (!study.priced.empty()) text += ", with " + study.priced;
  if (study.clients > 0.0) text += ", for " + counted(study.clients, study.stream_word);
  text += ". By the bounds it is the least that it can be.";
  if (any_simulated) text += " Lines between points guide the eye.";
  for (const QuotedPrice& price : study.prices)
    text += " " + price.of + ": " + price.value + (price.date.empty() ? "" : ", " + price.date) +
            (price.source.empty() ? "" : " (" + price.source + ")") + ".";
  return text;
}

std::string cost_title(const CostStudy& study, const std::vector<PlanMark>& marks) {
  if (marks.empty()) return "What a million events cost with more or fewer " + study.device_word + "s";
  const auto least =
      std::min_element(marks.begin(), marks.end(), [](const PlanMark& a, const PlanMark& b) { return a.usd < b.usd; });
  return counted(least->gpus, study.device_word) + (least->gpus == 1.0 ? " is" : " are") +
         " the cheapest of the named plans: " + number_text(least->usd, 3) + " USD per million events";
}

// From the last layer to the first, since indices move.
void drop_cost_layers(std::vector<SpecChange>& changes, const FigureRows& rows) {
  const bool labels = rows.count("plan label") + rows.count("CPU only label") > 0;
  if (!labels) changes.push_back({"/layer/7", {}});
  if (!labels) changes.push_back({"/layer/6", {}});
  if (rows.count("plan") == 0) changes.push_back({"/layer/5", {}});
  if (rows.count("plan label") == 0) changes.push_back({"/layer/4", {}});
  if (rows.count("CPU only") == 0) changes.push_back({"/layer/3", {}});
  if (rows.count(simulated_series) == 0) changes.push_back({"/layer/1", {}});
}

}  // namespace

std::string joined_plans(const std::vector<std::string>& names, std::size_t all) {
  if (names.size() == all && all > 2) return "all " + std::to_string(all) + " named plans";
  return joined(names);
}

Figure cost_figure(const CostStudy& study, const FigureContext& context) {
  const std::vector<PlanMark> marks = plan_marks(study);
  Figure figure{
      .name = "cost", .title = cost_title(study, marks), .subtitle = figure_subtitle(context.scenario, context.seed)};
  const CostScales scales = cost_scales(study, marks);
  LabelPlaces places(cost_width, cost_height);
  FigureRows rows({{.name = "series"},
                   {.name = "gpus"},
                   {.name = "cost", .unit = "usd"},
                   {.name = "cost_low", .unit = "usd"},
                   {.name = "cost_high", .unit = "usd"},
                   {.name = "gpus_low"},
                   {.name = "gpus_high"},
                   {.name = "binding"},
                   {.name = "text"},
                   {.name = "remark"}});
  add_points(rows, study, places, scales);
  std::vector<std::string> series;
  std::vector<std::string> colours;
  if (rows.count(bound_series) > 0) series.push_back(bound_series), colours.emplace_back("#0072B2");
  if (rows.count(simulated_series) > 0) series.push_back(simulated_series), colours.emplace_back("#D55E00");
  if (series.empty()) {
    figure.cannot = "No number of " + study.device_word + "s has a cost: nothing has a price, or nothing was served.";
    figure.rows = rows.taken();
    return figure;
  }
  if (drawable(study.cpu_only_usd)) add_cpu_only(rows, *study.cpu_only_usd, places, scales);
  add_plans(rows, marks, study.device_word, places, scales);
  figure.caption = cost_caption(study, rows.count(simulated_series) > 0);
  std::vector<SpecChange> changes{
      {"/title/text", wrapped(figure.title, title_letters)},
      {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
      {"/encoding/x/axis/title", study.device_word + "s"},
      {"/layer/2/encoding/tooltip/1/title", tooltip_title(study.device_word + "s")},
      {"/layer/5/encoding/tooltip/1/title", tooltip_title(study.device_word + "s")},
      {"/layer/0/encoding/color/scale/domain", series},
      {"/layer/0/encoding/color/scale/range", colours},
  };
  put_scale(changes, "/encoding/x", scales.x);
  put_scale(changes, "/encoding/y", scales.y);
  drop_cost_layers(changes, rows);
  figure.spec = filled_spec("cost", changes);
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
