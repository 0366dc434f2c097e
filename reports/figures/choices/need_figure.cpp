#include "reports/figures/choices/need_figure.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "reports/figures/axes/axis.hpp"
#include "reports/figures/axes/figure_scale.hpp"
#include "reports/figures/figure_rows.hpp"
#include "reports/figures/figures.hpp"
#include "reports/words/number_text.hpp"

namespace saturn {

namespace {

constexpr double need_width = 520.0;
constexpr double need_height = 320.0;
constexpr double free_above = 1.12;
constexpr double same_load = 1e-9;

std::string load_words(const NeedStudy& study) {
  return study.need.open ? "events per second" : study.stream_word + "s";
}

std::string_view load_head(const DeviceNeed& need) {
  return need.open ? "load_per_s" : "load";
}

/// "268 jobs", "7500 events per second".
std::string load_text(const NeedStudy& study, double load) {
  if (study.need.open) return number_text(load, 4) + " events per second";
  return counted(std::floor(load * (1.0 + same_load)), study.stream_word);
}

std::string series_of(const NeedStudy& study, double tolerance) {
  if (study.need.open)
    return tolerance > 0.0 ? percent_text(tolerance) + " of the events may be lost" : "no event has to be lost";
  return "events may take " + percent_text(tolerance) + " longer";
}

/// "4 t4 + 2 a100"; of one type "4 t4".
std::string types_text(const FleetLoad& fleet) {
  return joined(texts_of(fleet.of_types, [](const auto& one) { return std::to_string(one.second) + " " + one.first; }),
                " + ");
}

/// The fewest devices that carry a load; nothing where none of those that are told do.
const FleetLoad* carrying(const DeviceNeed& need, std::size_t tolerance, double load) {
  const auto found = std::find_if(need.fleets.begin(), need.fleets.end(), [&](const FleetLoad& fleet) {
    return fleet.carried[tolerance] * (1.0 + same_load) >= load;
  });
  return found == need.fleets.end() ? nullptr : &*found;
}

/// Rent as a line in the number of devices; nothing where it is none, or has no price.
struct RentLine {
  double at_none = 0.0;
  double per_device = 0.0;
};
std::optional<RentLine> rent_line(const DeviceNeed& need) {
  const FleetLoad& first = need.fleets.front();
  const FleetLoad& last = need.fleets.back();
  if (!first.usd_per_h || !last.usd_per_h) return std::nullopt;
  const auto devices = [](const FleetLoad& fleet) { return static_cast<double>(fleet.devices); };
  if (last.devices == first.devices) return RentLine{.per_device = *first.usd_per_h / devices(first)};
  RentLine line{.per_device = (*last.usd_per_h - *first.usd_per_h) / (devices(last) - devices(first))};
  line.at_none = *first.usd_per_h - line.per_device * devices(first);
  const bool straight = std::all_of(need.fleets.begin(), need.fleets.end(), [&](const FleetLoad& fleet) {
    const double rent = line.at_none + line.per_device * devices(fleet);
    return fleet.usd_per_h && std::abs(*fleet.usd_per_h - rent) <= 1e-6 * std::abs(rent);
  });
  return straight ? std::optional(line) : std::nullopt;
}

/// What the steps cover.
struct NeedScales {
  FigureScale x{};
  FigureScale y{};
};

NeedScales need_scales(const DeviceNeed& need) {
  auto most = static_cast<double>(need.devices);
  for (std::size_t t = 0; t < need.tolerances.size(); ++t) {
    double from = 0.0;
    for (const FleetLoad& fleet : need.fleets) {
      if (!(from < need.most_load) || !(fleet.carried[t] > from * (1.0 + same_load))) continue;
      most = std::max(most, static_cast<double>(fleet.devices));
      from = fleet.carried[t];
    }
  }
  return {.x = {.low = 0.0, .high = need.most_load, .pixels = need_width},
          .y = {.low = 0.0, .high = free_above * most, .pixels = need_height}};
}

/// Fleets that carry no more than a smaller one make no step.
void add_steps(FigureRows& rows, const NeedStudy& study, std::size_t tolerance) {
  const DeviceNeed& need = study.need;
  const std::string series = series_of(study, need.tolerances[tolerance]);
  double from = 0.0;
  double order = 0.0;
  for (const FleetLoad& fleet : need.fleets) {
    const double carried = fleet.carried[tolerance];
    if (!(carried > from * (1.0 + same_load))) continue;
    const auto gpus = static_cast<double>(fleet.devices);
    for (const double load : {from, std::min(carried, need.most_load)})
      rows.add({{"series", series},
                {"kind", std::string("step")},
                {load_head(need), load},
                {"gpus", gpus},
                {"order", ++order}});
    from = carried;
    if (from >= need.most_load) break;
  }
}

void add_simulated_steps(FigureRows& rows, const NeedStudy& study, std::size_t tolerance) {
  double smaller = 0.0;
  for (const FleetLoad& fleet : study.need.fleets) {
    const bool makes_step = fleet.carried[tolerance] > smaller * (1.0 + same_load);
    smaller = std::max(smaller, fleet.carried[tolerance]);
    if (!makes_step || !fleet.simulated[tolerance] || fleet.carried[tolerance] > study.need.most_load) continue;
    rows.add({{"series", series_of(study, study.need.tolerances[tolerance])},
              {"kind", std::string("carried")},
              {load_head(study.need), fleet.carried[tolerance]},
              {"gpus", static_cast<double>(fleet.devices)},
              {"of_types", types_text(fleet)},
              {"usd_per_h", cell_of(fleet.usd_per_h)},
              {"text", std::string("simulation")}});
  }
}

void add_wall(FigureRows& rows, const NeedStudy& study, const NeedScales& scales) {
  const DeviceNeed& need = study.need;
  if (!need.wall || !(need.wall->at < need.most_load)) return;
  rows.add({{"series", std::string("wall")},
            {"kind", std::string("wall")},
            {load_head(need), need.wall->at},
            {"gpus", 0.0},
            {"load_to", scales.x.high},
            {"gpus_to", scales.y.high},
            {"text", need.wall->resource}});
  rows.add({{"series", std::string("label")},
            {"kind", std::string("wall label")},
            {load_head(need), need.wall->at},
            {"gpus", scales.y.high},
            {"text", "limit: " + shortened(need.wall->resource, 24)}});
}

void add_here(FigureRows& rows, const NeedStudy& study) {
  const DeviceNeed& need = study.need;
  const auto own = std::find_if(need.fleets.begin(), need.fleets.end(),
                                [&](const FleetLoad& fleet) { return fleet.devices == need.devices; });
  const auto gpus = static_cast<double>(need.devices);
  rows.add({{"series", std::string("here")},
            {"kind", std::string("here")},
            {load_head(need), need.load},
            {"gpus", gpus},
            {"of_types", own == need.fleets.end() ? std::string() : types_text(*own)},
            {"usd_per_h", own == need.fleets.end() ? RowCell() : cell_of(own->usd_per_h)},
            {"text", "you are here: " + load_text(study, need.load) + ", " + counted(gpus, study.device_word)}});
  rows.add({{"series", std::string("label")},
            {"kind", std::string("label")},
            {load_head(need), need.load},
            {"gpus", gpus},
            {"text", std::string("you are here")}});
}

std::string need_title(const NeedStudy& study, bool any_simulated) {
  const DeviceNeed& need = study.need;
  const std::string loads = load_text(study, need.load);
  const FleetLoad* fleet = carrying(need, 0, need.load);
  if (study.planned && (fleet == nullptr || *study.planned != fleet->devices || study.planned_tolerance != 0.01))
    return loads + (need.load == 1.0 && !need.open ? " needs " : " need ") +
           counted(static_cast<double>(*study.planned), study.device_word);
  if (fleet == nullptr) {
    if (need.wall && need.wall->at < need.load)
      return "No number of " + study.device_word + "s carries " + loads +
             (need.open ? "" : " within " + percent_text(need.tolerances.front())) + ": the limit is " +
             need.wall->resource + ", at " + load_text(study, need.wall->at);
    return "Not even " + counted(static_cast<double>(need.fleets.back().devices), study.device_word) +
           (need.fleets.back().devices == 1 ? " carries " : " carry ") + loads +
           (need.open ? " without loss" : " with events at most " + percent_text(need.tolerances.front()) + " longer");
  }
  const bool at_least = !need.open && !any_simulated;
  std::string text = loads + (need.load == 1.0 && !need.open ? " needs " : " need ") + (at_least ? "at least " : "") +
                     counted(static_cast<double>(fleet->devices), study.device_word);
  if (at_least) return text;
  const double carried = fleet->carried.front();
  if (fleet == &need.fleets.back() || !(carried < need.most_load)) return text;
  // No whole job more.
  if (!need.open && !(std::floor(carried * (1.0 + same_load)) > need.load)) return text;
  return text + ", which carry up to " + load_text(study, carried);
}

std::string need_caption(const NeedStudy& study, bool any_simulated) {
  const DeviceNeed& need = study.need;
  std::string text = "Read upwards from a number of " + load_words(study) + ": the line says how many " +
                     study.device_word + "s carry it. ";
  if (need.open)
    text += "By the bounds: in the long run no system of that size loses less.";
  else
    text += any_simulated
                ? "Points are simulated; steps between them follow the bound, in the proportion of the nearest points."
                : "By the bounds, which no simulation has confirmed here.";
  if (need.fleets.front().of_types.size() > 1)
    text += " " + study.device_word + "s of all types together, in the proportion of the scenario: here " +
            types_text(*std::find_if(need.fleets.begin(), need.fleets.end(),
                                     [&](const FleetLoad& one) { return one.devices == need.devices; })) +
            ".";
  if (need.wall && need.wall->at < need.most_load)
    text += " " + need.wall->resource + " saturates at " + load_text(study, need.wall->at) +
            (need.open ? ": more " + study.device_word + "s do not help past that."
                       : ": past that all events wait for it, and " + study.device_word +
                             "s help only as far as a tolerance leaves room for that.");
  if (need.fleets.front().devices > 1)
    text += " They come " + std::to_string(need.fleets.front().devices) +
            " at a time, so that the servers keep their proportion.";
  if (need.cut) text += " The budget ended before all of it was simulated.";
  return text;
}

/// "4 · 1.4": devices and what they and their hosts cost an hour, on one axis.
void put_rent(std::vector<SpecChange>& changes, const NeedStudy& study) {
  std::string title = study.device_word + "s needed";
  if (const std::optional<RentLine> line = rent_line(study.need)) {
    title += " · rent [USD/h]";
    changes.push_back({"/encoding/y/axis/labelExpr",
                       "datum.label + (datum.value > 0 ? ' · ' + format(" + compact_number(line->at_none, 9) + " + " +
                           compact_number(line->per_device, 9) + " * datum.value, ',.3~r') : '')"});
  }
  changes.push_back({"/encoding/y/axis/title", title});
}

}  // namespace

Figure need_figure(const NeedStudy& study, const FigureContext& context) {
  Figure figure{.name = "need", .subtitle = figure_subtitle(context.scenario, context.seed)};
  const DeviceNeed& need = study.need;
  if (need.fleets.empty() || !std::isfinite(need.most_load) || !(need.most_load > 0.0)) {
    figure.title = study.device_word + "s needed against " + load_words(study);
    figure.cannot = "No number of " + study.device_word + "s is known to be needed.";
    return figure;
  }
  const NeedScales scales = need_scales(need);
  FigureRows rows({{.name = "series"},
                   {.name = "kind"},
                   {.name = "load", .unit = need.open ? "per_s" : ""},
                   {.name = "gpus"},
                   {.name = "order"},
                   {.name = "load_to"},
                   {.name = "gpus_to"},
                   {.name = "of_types"},
                   {.name = "usd_per_h"},
                   {.name = "text"}});
  std::vector<std::string> series;
  for (std::size_t t = 0; t < need.tolerances.size(); ++t) {
    series.push_back(series_of(study, need.tolerances[t]));
    add_steps(rows, study, t);
  }
  bool any_simulated = false;
  for (std::size_t t = 0; t < need.tolerances.size(); ++t) {
    add_simulated_steps(rows, study, t);
    for (const FleetLoad& fleet : need.fleets) any_simulated = any_simulated || fleet.simulated[t];
  }
  figure.title = need_title(study, any_simulated);
  add_wall(rows, study, scales);
  add_here(rows, study);
  figure.caption = need_caption(study, any_simulated);
  std::vector<SpecChange> changes{{"/title/text", wrapped(figure.title, title_letters)},
                                  {"/title/subtitle", std::vector<std::string>{figure.subtitle}},
                                  {"/encoding/x/axis/title", load_words(study)},
                                  {"/layer/3/encoding/color/scale/domain", series},
                                  {"/layer/3/encoding/strokeDash/scale/domain", series}};
  put_scale(changes, "/encoding/x", scales.x);
  put_scale(changes, "/encoding/y", scales.y);
  put_rent(changes, study);
  // Words stand on the side of the point where there is more room.
  if (need.load > need.most_load / 2)
    for (const std::string layer : {"/layer/6", "/layer/7"}) {
      changes.push_back({layer + "/mark/align", "right"});
      changes.push_back({layer + "/mark/dx", -8.0});
    }
  if (need.wall && need.wall->at < need.most_load / 2)
    for (const std::string layer : {"/layer/8", "/layer/9"}) {
      changes.push_back({layer + "/mark/align", "left"});
      changes.push_back({layer + "/mark/dx", 6.0});
    }
  figure.spec = with_words(filled_spec("need", changes), {{"load", need.open ? "load_per_s" : "load"},
                                                          {"jobs", tooltip_title(load_words(study))},
                                                          {"carry jobs", tooltip_title("carry " + load_words(study))},
                                                          {"GPUs", tooltip_title(study.device_word + "s")}});
  figure.rows = rows.taken();
  return figure;
}

}  // namespace saturn
