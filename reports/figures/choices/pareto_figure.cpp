#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/choices/cost_figure.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"

namespace saturn {

namespace {

constexpr double pareto_width = 520.0;
constexpr double pareto_height = 340.0;

/// How a kind of candidate looks.
struct CandidateLook {
  const char* words;
  const char* shape;
  const char* fill;
  const char* stroke;
};
constexpr std::array<CandidateLook, 4> candidate_looks{
    {{"simulated", "circle", "#0072B2", "#0072B2"},
     {"by the bounds alone", "square", "#E69F00", "#8a5f00"},
     {"simulated, misses a requirement", "circle", "white", "#0072B2"},
     {"by the bounds alone, misses a requirement", "square", "white", "#8a5f00"}}};

const char* kind_words(const ParetoPoint& point) {
  return candidate_looks.at((point.feasible ? 0U : 2U) + (point.simulated ? 0U : 1U)).words;
}

bool is_finite(const ParetoPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

bool has_interval(const ParetoPoint& point) {
  return point.y_low && point.y_high && std::isfinite(*point.y_low) && std::isfinite(*point.y_high);
}

// Bounds are better than what a simulation gives: the two make no common front.
std::vector<std::size_t> shown_front(const ParetoStudy& study) {
  const auto counts = [](const ParetoPoint& point, bool simulated) {
    return point.feasible && is_finite(point) && (point.simulated || !simulated);
  };
  const bool simulated = std::any_of(study.points.begin(), study.points.end(),
                                     [&](const ParetoPoint& point) { return counts(point, true); });
  ParetoStudy candidates{.less_x = study.less_x, .less_y = study.less_y};
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < study.points.size(); ++i) {
    if (!counts(study.points[i], simulated)) continue;
    candidates.points.push_back(study.points[i]);
    indices.push_back(i);
  }
  std::vector<std::size_t> front = pareto_front(candidates);
  for (std::size_t& index : front) index = indices[index];
  return front;
}

/// The two axes and their units.
struct ParetoAxes {
  FigureScale x{};
  FigureScale y{};
  ShownUnit x_unit{};
  ShownUnit y_unit{};

  FigurePlace place(const ParetoPoint& point) const {
    return {.x = x.place(point.x * x_unit.factor), .y = y.place(point.y * y_unit.factor)};
  }
};

ParetoAxes pareto_axes(const ParetoStudy& study) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const ParetoPoint& point : study.points) {
    if (!is_finite(point)) continue;
    xs.push_back(point.x);
    ys.push_back(point.y);
    if (!has_interval(point)) continue;
    ys.push_back(*point.y_low);
    ys.push_back(*point.y_high);
  }
  ParetoAxes axes{.x_unit = handiest_unit(xs, study.x_unit, 3), .y_unit = handiest_unit(ys, study.y_unit, 3)};
  for (double& x : xs) x *= axes.x_unit.factor;
  for (double& y : ys) y *= axes.y_unit.factor;
  axes.x = scale_of(xs, {.pixels = pareto_width, .margin = 0.06});
  axes.y = scale_of(ys, {.pixels = pareto_height, .margin = 0.08});
  return axes;
}

void add_candidates(FigureRows& rows, const ParetoStudy& study, const ParetoAxes& axes,
                    const std::vector<std::size_t>& front) {
  std::map<std::size_t, double> steps;
  for (const std::size_t index : front) steps.emplace(index, static_cast<double>(steps.size()));
  for (std::size_t i = 0; i < study.points.size(); ++i) {
    const ParetoPoint& point = study.points[i];
    if (!is_finite(point)) continue;
    const double x = point.x * axes.x_unit.factor;
    rows.add({{"series", std::string(kind_words(point))},
              {"label", point.label.empty() ? study.noun + " " + std::to_string(i + 1) : point.label},
              {"x", x},
              {"y", point.y * axes.y_unit.factor}});
    if (has_interval(point))
      rows.amend({{"y_low", *point.y_low * axes.y_unit.factor}, {"y_high", *point.y_high * axes.y_unit.factor}});
    if (const auto found = steps.find(i); found != steps.end())
      rows.amend({{"front", std::string("yes")}, {"step", found->second}});
  }
}

void add_names(FigureRows& rows, const ParetoStudy& study, const ParetoAxes& axes) {
  LabelPlaces places(pareto_width, pareto_height);
  std::map<std::pair<double, double>, ParetoPoint> named;
  for (const ParetoPoint& point : study.points) {
    if (!is_finite(point)) continue;
    places.avoid(axes.place(point));
    if (point.name.empty()) continue;
    const auto [entry, is_new] = named.emplace(std::pair(point.x, point.y), point);
    if (!is_new && entry->second.name != point.name) entry->second.name += ", " + point.name;
  }
  for (auto& [key, point] : named) point.name = shortened(point.name, 48);
  for (const auto& [key, point] : named) {
    const FigurePlace at = axes.place(point);
    places.block({at.x - 6, at.y - 6, at.x + 6, at.y + 6});
  }
  for (const auto& [key, point] : named) {
    const double x = point.x * axes.x_unit.factor;
    const double y = point.y * axes.y_unit.factor;
    rows.add({{"series", std::string("plan")}, {"x", x}, {"y", y}, {"text", point.name}});
    const auto middle = places.put_beside(point.name, axes.place(point));
    if (!middle) continue;
    const FigurePlace end = nearest_on(word_box(point.name, *middle), axes.place(point));
    rows.add({{"series", std::string("plan label")},
              {"x", axes.x.value_at(middle->x)},
              {"x_low", x},
              {"x_high", axes.x.value_at(end.x)},
              {"y", axes.y.value_at(middle->y)},
              {"y_low", y},
              {"y_high", axes.y.value_at(end.y)},
              {"text", point.name}});
  }
}

void put_looks(std::vector<SpecChange>& changes, const FigureRows& rows) {
  std::vector<std::string> words;
  std::vector<std::string> shapes;
  std::vector<std::string> fills;
  std::vector<std::string> strokes;
  for (const CandidateLook& look : candidate_looks) {
    if (rows.count(look.words) == 0) continue;
    words.emplace_back(look.words);
    shapes.emplace_back(look.shape);
    fills.emplace_back(look.fill);
    strokes.emplace_back(look.stroke);
  }
  const std::string channels = "/layer/1/encoding/";
  for (const std::string channel : {"shape", "fill", "stroke"})
    changes.push_back({channels + channel + "/scale/domain", words});
  changes.push_back({channels + "shape/scale/range", shapes});
  changes.push_back({channels + "fill/scale/range", fills});
  changes.push_back({channels + "stroke/scale/range", strokes});
}

void put_pareto_titles(std::vector<SpecChange>& changes, const ParetoStudy& study, const ParetoAxes& axes) {
  const std::string x = name_with_unit(study.x_title, axes.x_unit.name);
  const std::string y = name_with_unit(study.y_title, axes.y_unit.name);
  changes.push_back({"/encoding/x/axis/title", x + (study.less_x ? ", less is better" : ", more is better")});
  changes.push_back({"/encoding/y/axis/title", y + (study.less_y ? ", less is better" : ", more is better")});
  changes.push_back({"/layer/1/encoding/tooltip/0/title", study.noun});
  for (const std::string layer : {"/layer/1", "/layer/4"}) {
    changes.push_back({layer + "/encoding/tooltip/1/title", tooltip_title(x)});
    changes.push_back({layer + "/encoding/tooltip/2/title", tooltip_title(y)});
  }
}

// From the last layer to the first, since indices move.
void drop_pareto_layers(std::vector<SpecChange>& changes, const ParetoStudy& study, const FigureRows& rows,
                        std::size_t front) {
  if (rows.count("plan label") == 0) {
    changes.push_back({"/layer/6", {}});
    changes.push_back({"/layer/5", {}});
  }
  if (rows.count("plan") == 0) changes.push_back({"/layer/4", {}});
  if (rows.count("plan label") == 0) changes.push_back({"/layer/3", {}});
  if (front < 2) changes.push_back({"/layer/2", {}});
  if (std::none_of(study.points.begin(), study.points.end(), has_interval)) changes.push_back({"/layer/0", {}});
}

/// Candidates that miss a requirement, far from all that meet every one, would press these into a corner: left out.
ParetoStudy near_feasible(const ParetoStudy& study) {
  constexpr double reach = 1.0;  // of the feasible range, on either side
  double x_low = std::numeric_limits<double>::infinity();
  double x_high = -x_low;
  double y_low = x_low;
  double y_high = -x_low;
  for (const ParetoPoint& point : study.points) {
    if (!point.feasible || !is_finite(point)) continue;
    x_low = std::min(x_low, point.x);
    x_high = std::max(x_high, point.x);
    y_low = std::min(y_low, point.y);
    y_high = std::max(y_high, point.y);
  }
  // A single feasible place has no range to go by.
  if (!(x_low < x_high) && !(y_low < y_high)) return study;
  const double dx = reach * (x_high - x_low) + 0.1 * std::abs(x_high);
  const double dy = reach * (y_high - y_low) + 0.1 * std::abs(y_high);
  ParetoStudy near = study;
  std::erase_if(near.points, [&](const ParetoPoint& point) {
    if (point.feasible || !is_finite(point)) return false;
    return point.x < x_low - dx || point.x > x_high + dx || point.y < y_low - dy || point.y > y_high + dy;
  });
  return near;
}

std::string front_words(const ParetoStudy& study, const std::vector<std::size_t>& front) {
  if (front.empty()) return "No " + study.noun + " meets every requirement";
  const std::string of =
      study.points[front.front()].simulated ? "simulated " + study.noun + "s" : study.noun + "s, by the bounds,";
  return std::to_string(front.size()) + " of the " + of +
         (front.size() == 1 ? " is beaten by no other" : " are beaten by no other");
}

}  // namespace

Figure pareto_figure(const ParetoStudy& all, const FigureContext& context) {
  const ParetoStudy study = near_feasible(all);
  const std::vector<std::size_t> front = shown_front(study);
  Figure figure{.name = "pareto",
                .title = front_words(study, front),
                .subtitle = figure_subtitle(context.scenario, context.seed)};
  FigureRows rows({{.name = "series"},
                   {.name = "label"},
                   {.name = "x"},
                   {.name = "x_low"},
                   {.name = "x_high"},
                   {.name = "y"},
                   {.name = "y_low"},
                   {.name = "y_high"},
                   {.name = "front"},
                   {.name = "step"},
                   {.name = "text"}});
  const ParetoAxes axes = pareto_axes(study);
  add_candidates(rows, study, axes, front);
  if (std::none_of(study.points.begin(), study.points.end(), is_finite)) {
    figure.cannot =
        study.points.empty() ? "There are no " + study.noun + "s." : "No " + study.noun + " has both figures.";
    figure.rows = rows.taken();
    return figure;
  }
  add_names(rows, study, axes);
  figure.caption = "Each mark is a " + study.noun +
                   ". The stepped line joins those that meet every requirement and that no other "
                   "beats in one figure while being as good in the other, by their means; where a mean lies within the "
                   "interval of a neighbour on the line, the gain may be chance and is no step.";
  if (const std::size_t far = all.points.size() - study.points.size(); far > 0)
    figure.caption += " Far away, and not drawn: " + std::to_string(far) + " that " + (far == 1 ? "misses" : "miss") +
                      " a requirement.";
  std::vector<SpecChange> changes{
      {"/title/text", wrapped(figure.title, title_letters)},
      {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
      {"/layer/2/mark/interpolate", std::string(study.less_x ? "step-after" : "step-before")}};
  put_scale(changes, "/encoding/x", axes.x);
  put_scale(changes, "/encoding/y", axes.y);
  put_looks(changes, rows);
  put_pareto_titles(changes, study, axes);
  drop_pareto_layers(changes, study, rows, front.size());
  figure.spec = filled_spec("pareto", changes);
  figure.rows = rows.taken();
  return figure;
}

namespace {

/// The two figures of a point as if less were better in both.
struct LessIsBetter {
  double x = 0.0;
  double y = 0.0;
};

LessIsBetter as_less(const ParetoStudy& study, std::size_t i) {
  const ParetoPoint& point = study.points[i];
  return {.x = study.less_x ? point.x : -point.x, .y = study.less_y ? point.y : -point.y};
}

/// -1: a is less than b, 1: more, 0: what differs is rounding.
int order_of(double a, double b) {
  constexpr double rounding = 1e-9;
  if (std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b))) return 0;
  return a < b ? -1 : 1;
}

/// Whether a point is as good as another in both figures, and better in one.
bool beats(const ParetoStudy& study, std::size_t one, std::size_t other) {
  const LessIsBetter a = as_less(study, one);
  const LessIsBetter b = as_less(study, other);
  const int in_x = order_of(a.x, b.x);
  const int in_y = order_of(a.y, b.y);
  return in_x <= 0 && in_y <= 0 && (in_x < 0 || in_y < 0);
}

/// Whether the mean of one lies within the interval of the other: what they differ by may be chance.
bool may_be_chance(const ParetoPoint& a, const ParetoPoint& b) {
  if (!has_interval(a) || !has_interval(b)) return false;
  const auto within = [](const ParetoPoint& one, const ParetoPoint& other) {
    return one.y >= *other.y_low && one.y <= *other.y_high;
  };
  return within(a, b) || within(b, a);
}

}  // namespace

std::vector<std::size_t> pareto_front(const ParetoStudy& study) {
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < study.points.size(); ++i)
    if (is_finite(study.points[i])) finite.push_back(i);
  std::vector<std::size_t> unbeaten;
  for (const std::size_t i : finite)
    if (std::none_of(finite.begin(), finite.end(), [&](std::size_t other) { return beats(study, other, i); }))
      unbeaten.push_back(i);
  std::stable_sort(unbeaten.begin(), unbeaten.end(),
                   [&](std::size_t a, std::size_t b) { return as_less(study, a).x < as_less(study, b).x; });
  // Of what is left each step is better in y than the last one that counts; where that may be chance it is no step.
  std::vector<std::size_t> front;
  for (const std::size_t i : unbeaten) {
    const bool twin = !front.empty() && order_of(study.points[i].x, study.points[front.back()].x) == 0;
    if (front.empty() || twin || !may_be_chance(study.points[i], study.points[front.back()])) front.push_back(i);
  }
  std::stable_sort(front.begin(), front.end(),
                   [&](std::size_t a, std::size_t b) { return study.points[a].x < study.points[b].x; });
  return front;
}

}  // namespace saturn
