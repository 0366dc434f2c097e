#include "reports/figures/axes/axis.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double outer_share = 0.3;
constexpr double same_within = 1e-9;
constexpr double smallest_whole = 10.0;
constexpr double free_share = 0.04;

/// "gpu": as a part of a head.
std::string in_heads(const std::string& word) {
  std::string head;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      head += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return head.empty() ? "device" : head;
}

}  // namespace

LoadAxis load_axis(const SystemFacts& facts) {
  LoadAxis axis{.word = stream_word_of(facts), .title = stream_word_of(facts) + "s", .head = "streams"};
  if (facts.devices > 0.0 && std::isfinite(facts.devices)) {
    axis.devices = facts.devices;
    axis.title += " per " + facts.device_word;
    axis.head += "_per_" + in_heads(facts.device_word);
  }
  if (facts.jobs > 0.0 && facts.clients > 0.0) axis.per_job = facts.clients / facts.jobs;
  axis.low_head = axis.head + "_low";
  axis.high_head = axis.head + "_high";
  return axis;
}

std::string plan_number(double streams) {
  // A hair below a whole number is that number: rounding errors must not take a stream away.
  return streams >= smallest_whole ? whole_text(std::floor(streams * (1.0 + 1e-12))) : compact_number(streams, 3);
}

std::string counted_load(const std::string& number, const LoadAxis& axis) {
  std::string words = axis.title;
  if (number == "1") words.erase(axis.word.size(), 1);
  return number + " " + words;
}

std::vector<double> ends_from_zero(const std::vector<double>& values) {
  double low = 0.0;
  double high = 0.0;
  for (const double value : values) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(high > low)) high = low + 1.0;
  // Half of it first, since the largest doubles have no room above them.
  return {low, high < std::numeric_limits<double>::max() / 2 ? high + free_share * (high - low) : high};
}

std::string plan_label(const SaturationStudy& study, const LoadAxis& axis) {
  if (!study.knee || !std::isfinite(study.knee->mean)) return "";
  const bool whole = study.knee->mean >= smallest_whole;
  const auto end = [&](double value) { return whole ? whole_text(value) : compact_number(value, 3); };
  const std::string low = end(study.knee->low);
  const std::string high = end(study.knee->high);
  const std::string interval = low == high ? "" : " (" + low + " to " + high + ")";
  return "plan: " + counted_load(plan_number(study.knee->mean) + interval, axis);
}

std::string text_alignment(double place, double low, double high) {
  if (!(high > low)) return "center";
  const double share = (place - low) / (high - low);
  if (share < outer_share) return "left";
  return share > 1.0 - outer_share ? "right" : "center";
}

std::vector<double> ends_of_constant(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*high - *low > same_within * std::max(std::abs(*low), std::abs(*high))) return {};
  if (*low == 0.0) return {-1.0, 1.0};
  return *low > 0.0 ? std::vector<double>{0.0, 2.0 * *low} : std::vector<double>{2.0 * *low, 0.0};
}

RowCell number_cell(double value) {
  return std::isfinite(value) ? RowCell(value) : RowCell();
}

RowCell number_cell(const std::optional<double>& value) {
  return value ? number_cell(*value) : RowCell();
}

bool has_times(const SimulatedLoad& load) {
  return !load.summary.all_jobs.times_grow && std::isfinite(load.summary.all_jobs["event_time_s"].mean);
}

std::string simulation_words(const SaturationStudy& study) {
  const double confidence =
      study.simulated.empty() ? 0.95 : study.simulated.front().summary.all_jobs["event_time_s"].confidence;
  return "simulation, " + percent_text(confidence) + " interval";
}

namespace {

constexpr int shown_digits = 6;
constexpr int digits_in_words = 4;
constexpr double letter_pixels = 7.0;
constexpr std::size_t most_ticked = 12;  // values that are ticks themselves
constexpr std::size_t longest_word = 24;

bool ascending(const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]) || (i > 0 && values[i] <= values[i - 1])) return false;
  }
  return true;
}

std::vector<double> scaled(const std::vector<double>& values, double factor) {
  std::vector<double> exact;
  std::vector<double> shown;
  for (const double value : values) {
    exact.push_back(value * factor);
    shown.push_back(rounded_to(value * factor, shown_digits));
  }
  return ascending(shown) ? shown : exact;
}

double between(double a, double b, bool logarithmic) {
  return logarithmic ? std::sqrt(a) * std::sqrt(b) : a / 2 + b / 2;
}

/// Values that grow by the same factor, as an axis of a sweep with "log" does: they mean a logarithmic axis.
bool is_geometric(const std::vector<double>& values) {
  constexpr std::size_t fewest = 4;
  constexpr double least_factor = 1.1;
  constexpr double same = 0.02;
  if (values.size() < fewest || values.front() <= 0.0) return false;
  const double factor = values[1] / values[0];
  if (factor < least_factor) return false;
  for (std::size_t i = 1; i < values.size(); ++i)
    if (std::abs(values[i] / values[i - 1] / factor - 1.0) > same) return false;
  return true;
}

std::vector<double> edges_of(const std::vector<double>& centres, bool logarithmic) {
  const std::size_t n = centres.size();
  if (n == 1) {
    const double half = centres[0] == 0.0 ? 0.5 : std::abs(centres[0]) / 2;
    return {centres[0] - half, centres[0] + half};
  }
  std::vector<double> exact{0.0};
  for (std::size_t i = 0; i + 1 < n; ++i) exact.push_back(between(centres[i], centres[i + 1], logarithmic));
  // The outermost cells reach as far outwards as inwards.
  const auto mirrored = [&](double centre, double edge) {
    return logarithmic ? centre / edge * centre : centre + (centre - edge);
  };
  exact[0] = mirrored(centres[0], exact[1]);
  exact.push_back(mirrored(centres[n - 1], exact[n - 1]));
  std::vector<double> shown = scaled(exact, 1.0);
  for (std::size_t i = 0; i < n; ++i) {
    if (shown[i] >= centres[i] || shown[i + 1] <= centres[i]) return exact;
  }
  return shown;
}

PlacedAxis of_words(const MapAxis& axis, std::vector<std::string> words, double pixels) {
  PlacedAxis placed{.title = axis.title, .name = axis.title, .words = true, .texts = std::move(words)};
  for (std::size_t i = 0; i < placed.texts.size(); ++i) placed.centres.push_back(static_cast<double>(i));
  for (std::size_t i = 0; i <= placed.texts.size(); ++i) placed.edges.push_back(static_cast<double>(i) - 0.5);
  placed.scale = {.low = placed.edges.front(), .high = placed.edges.back(), .pixels = pixels};
  return placed;
}

std::vector<std::string> words_of(const std::vector<double>& values) {
  std::vector<std::string> words;
  for (const double value : values) words.push_back(compact_number(value, shown_digits));
  return words;
}

std::string label_with_unit(double value, const std::string& unit) {
  return with_unit(label_number(value, digits_in_words), unit);
}

// An expression of Vega that gives each tick its word.
std::string label_expression(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) append_part(list, vega_literal(shortened(word, longest_word)));
  return "[" + list + "][datum.value]";
}

// Every so many words where all of them would cover each other.
std::vector<double> word_ticks(const PlacedAxis& axis, double room) {
  const auto most = static_cast<std::size_t>(std::max(1.0, axis.scale.pixels / room));
  const std::size_t every = (axis.centres.size() + most - 1) / most;
  std::vector<double> ticks;
  for (std::size_t i = 0; i < axis.centres.size(); i += every) ticks.push_back(axis.centres[i]);
  return ticks;
}

}  // namespace

NamedCells placed_cell(const PlacedAxis& x, std::size_t ix, const PlacedAxis& y, std::size_t iy) {
  return {{"cell", static_cast<double>(iy * x.centres.size() + ix)},
          {"x", x.centres[ix]},
          {"x_low", x.edges[ix]},
          {"x_high", x.edges[ix + 1]},
          {"x_text", x.texts[ix]},
          {"y", y.centres[iy]},
          {"y_low", y.edges[iy]},
          {"y_high", y.edges[iy + 1]},
          {"y_text", y.texts[iy]}};
}

PlacedAxis placed_axis(const MapAxis& axis, double pixels) {
  if (!axis.words.empty()) return of_words(axis, axis.words, pixels);
  if (!ascending(axis.values)) return of_words(axis, words_of(axis.values), pixels);
  const ShownUnit unit = handiest_unit(std::vector<double>{axis.values.front(), axis.values.back()}, axis.unit, 3);
  const std::vector<double> centres = scaled(axis.values, unit.factor);
  const bool logarithmic = scale_of(centres, {.pixels = pixels}).logarithmic || is_geometric(centres);
  PlacedAxis placed{.title = name_with_unit(axis.title, unit.name),
                    .name = axis.title,
                    .centres = centres,
                    .edges = edges_of(centres, logarithmic)};
  if (!ascending(placed.edges)) return of_words(axis, words_of(axis.values), pixels);
  for (const double value : centres) placed.texts.push_back(label_with_unit(value, unit.name));
  placed.scale = {
      .logarithmic = logarithmic, .low = placed.edges.front(), .high = placed.edges.back(), .pixels = pixels};
  if (axis.present) {
    const double present = *axis.present * unit.factor;
    if (present >= placed.edges.front() && present <= placed.edges.back()) placed.present = present;
    placed.present_text = label_with_unit(present, unit.name);
  }
  return placed;
}

void put_axis(std::vector<SpecChange>& changes, const std::string& channel, const PlacedAxis& axis) {
  changes.push_back({channel + "/axis/title", axis.title});
  put_scale(changes, channel, axis.scale);
  // Of whole numbers a logarithmic axis would show what lies between and below them.
  if (!axis.words && axis.centres.size() <= most_ticked && (!axis.scale.logarithmic || all_whole(axis.centres))) {
    changes.push_back({channel + "/axis/values", axis.centres});
    // An axis would round these to its own idea of a step: 1.23 and 1.52 to 1 and 2.
    changes.push_back({channel + "/axis/labelExpr", std::string("format(datum.value, ',.4~r')")});
  }
  if (!axis.words) return;
  std::size_t longest = 1;
  for (const std::string& word : axis.texts) longest = std::max(longest, std::min(width_of(word), longest_word));
  const bool across = channel.ends_with("x");
  const double room = axis.scale.pixels / static_cast<double>(axis.centres.size());
  const bool tilted = across && static_cast<double>(longest) * letter_pixels > room;
  changes.push_back({channel + "/axis/values", word_ticks(axis, across && !tilted ? 1.0 : 14.0)});
  changes.push_back({channel + "/axis/labelExpr", label_expression(axis.texts)});
  changes.push_back({channel + "/axis/labelLimit", 400.0});
  changes.push_back({channel + "/axis/labelOverlap", false});
  if (!tilted) return;
  changes.push_back({channel + "/axis/labelAngle", -40.0});
  changes.push_back({channel + "/axis/labelAlign", std::string("right")});
}

}  // namespace saturn
