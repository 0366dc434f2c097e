#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "models/laws/distribution.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "scenarios/inputs/numeric_inputs.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/formula/formulas.hpp"
#include "sim/formula/system_facts.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/study/report/report_parts.hpp"

namespace saturn {

namespace {

constexpr double most_batch_factor = 32.0;
constexpr double longest_axis_round_trip_s = 0.2;
// Where jobs and servers are linked without any distance.
constexpr double typical_round_trip_s = 0.01;

/// The stage whose calls carry most items, and where it stands.
struct BusyStage {
  std::string pointer{};
  const InferStage* stage = nullptr;
  double items = 0.0;
};

BusyStage busiest_stage(const Scenario& scenario) {
  BusyStage busiest;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    for (std::size_t k = 0; k < scenario.jobs[j].event.size(); ++k) {
      const auto* infer = std::get_if<InferStage>(&scenario.jobs[j].event[k]);
      if (infer == nullptr) continue;
      const double items = infer->items.mean() * static_cast<double>(scenario.jobs[j].count);
      if (busiest.stage != nullptr && items <= busiest.items) continue;
      busiest = {
          .pointer = "/jobs/" + std::to_string(j) + "/event/" + std::to_string(k), .stage = infer, .items = items};
    }
  }
  return busiest;
}

// Requests cut finer than this part of what they are nobody would send, and their map would show little else.
constexpr double least_batch_factor = 8.0;

VariedAxis axis_of_counts(const std::string& title, const std::string& unit, const std::string& pointer, double present,
                          double most) {
  VariedAxis varied{.axis = {.title = title, .unit = unit, .present = present}};
  for (const double value : geometric_values(present, std::max(1.0, present / least_batch_factor), most, 2.0)) {
    const double whole = std::round(value);
    if (!varied.axis.values.empty() && whole <= varied.axis.values.back()) continue;
    varied.axis.values.push_back(whole);
    varied.settings.push_back({{.pointer = pointer, .value = std::to_string(std::llround(whole))}});
  }
  return varied;
}

/// Every service law scaled together.
VariedAxis axis_of_speed(const ReadScenario& read) {
  const auto& models = read.scenario.models;
  const std::string of = models.size() == 1 ? models.begin()->first : "all models";
  VariedAxis varied{.axis = {.title = "speed of the devices for " + of, .unit = "", .present = 1.0}};
  const std::vector<NumericInput> inputs = numeric_inputs(read.resolved);
  for (const double speed : geometric_values(1.0, 0.25, 4.0, std::sqrt(2.0))) {
    std::vector<Override> settings;
    for (const NumericInput& input : inputs) {
      const bool of_service = input.pointer.starts_with("/models/") &&
                              input.pointer.find("/service/") != std::string::npos &&
                              input.type.kind == PlaceKind::quantity;
      if (!of_service) continue;
      if (const auto change = scaled(input, 1.0 / speed)) settings.push_back(change->change);
    }
    if (settings.empty()) return {.why_not = "No service law is there to be varied."};
    varied.axis.values.push_back(speed);
    varied.settings.push_back(speed == 1.0 ? std::vector<Override>{} : std::move(settings));
  }
  return varied;
}

}  // namespace

std::vector<double> geometric_values(double present, double least, double most, double factor) {
  std::vector<double> values{present};
  // A value within a few per cent of the end is taken for the end.
  constexpr double near = 1.05;
  for (double value = present / factor; value * near >= least; value /= factor)
    values.push_back(std::max(value, least));
  std::reverse(values.begin(), values.end());
  for (double value = present * factor; value <= most * near; value *= factor) values.push_back(std::min(value, most));
  return values;
}

VariedAxis batch_axis(const ReadScenario& read) {
  const BusyStage busy = busiest_stage(read.scenario);
  if (busy.stage == nullptr || read.scenario.servers.empty()) return {.why_not = "No event calls a server."};
  const auto largest = static_cast<double>(busy.stage->items.largest());
  const auto batch = static_cast<double>(busy.stage->request_batch);
  // The requests of a sequence have one item.
  if (largest > 1.0 && !keeps_state(read.scenario, busy.stage->model)) {
    const double present = std::min(batch, largest);
    const double most = std::min(largest, most_batch_factor * present);
    return axis_of_counts("request batch of " + busy.stage->model, "items", busy.pointer + "/request_batch", present,
                          most);
  }
  const Model& model = read.scenario.models.at(busy.stage->model);
  if (model.dynamic_batching) {
    const auto present = static_cast<double>(model.max_batch_size);
    return axis_of_counts("largest batch of " + busy.stage->model, "items",
                          "/models/" + busy.stage->model + "/max_batch_size", present, 8.0 * present);
  }
  return axis_of_speed(read);
}

MapAxis round_trip_axis(const Scenario& scenario) {
  MapAxis axis{.title = "round-trip time", .unit = "s"};
  const std::optional<double> present = round_trip_of(scenario);
  if (!present) return axis;
  if (*present > 0.0) axis.present = *present;
  const double middle = *present > 0.0 ? std::min(*present, longest_axis_round_trip_s) : typical_round_trip_s;
  axis.values = geometric_values(middle, middle / 32.0, std::min(longest_axis_round_trip_s, 32.0 * middle), 2.0);
  if (axis.present && *axis.present > longest_axis_round_trip_s) axis.values.back() = *axis.present;
  return axis;
}

namespace {

constexpr std::size_t curve_samples = 24;
// How far beyond the knee a cell's curve goes, in knees.
constexpr double curve_end = 2.0;

/// Inputs that are varied, and how a cell's scenario is made.
class FieldPlane {
 public:
  explicit FieldPlane(const StudyContext& context)
      : context_(context), x_(batch_axis(context.read)), y_(round_trip_axis(context.scenario())) {
    if (!x_.why_not.empty()) return;
    far_ = !y_.values.empty();
    if (!far_) vary_devices();
  }

  const std::string& why_not() const { return x_.why_not; }
  const MapAxis& x() const { return x_.axis; }
  const MapAxis& y() const { return y_; }

  /// @throws InputError  the reader refuses it
  Scenario scenario(std::size_t iy, std::size_t ix) const {
    Scenario one = context_.read.again(x_.settings[ix]);
    if (far_) return with_round_trip(one, y_.values[iy]);
    return DeviceFleet(std::move(one)).with_steps(steps_[iy]);
  }

 private:
  /// Where jobs and servers share a site, distance is nothing: what the devices of a node share is looked at instead.
  void vary_devices() {
    const DeviceFleet fleet(context_.scenario());
    const auto present = static_cast<double>(fleet.present_steps());
    y_ = {.title = "devices", .unit = "", .present = static_cast<double>(device_count(context_.scenario()))};
    for (const double steps : geometric_values(present, std::max(1.0, present / 8.0), 8.0 * present, 2.0)) {
      const auto whole = static_cast<std::uint64_t>(std::llround(steps));
      const auto devices = static_cast<double>(device_count(fleet.with_steps(whole)));
      if (!y_.values.empty() && devices <= y_.values.back()) continue;
      steps_.push_back(whole);
      y_.values.push_back(devices);
    }
  }

  const StudyContext& context_;
  VariedAxis x_;
  MapAxis y_;
  bool far_ = true;
  std::vector<std::uint64_t> steps_{};
};

/// The first sentence of the first complaint: enough for a cell.
std::string shortened(const InputError& error) {
  constexpr std::size_t longest = 140;
  std::string text = error.complaints().front().text;
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  // Never within a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + " ...";
}

/// The event time by the bounds against the streams per device, to twice what saturates the first resource.
std::vector<CurveSample> curve_of(const System& system) {
  std::vector<CurveSample> curve;
  const auto devices = static_cast<double>(device_count(system.scenario));
  const double knee = std::isfinite(system.knee_streams()) ? system.knee_streams() : system.bounds.clients;
  const double most = curve_end * std::max(knee / devices, 1.0);
  for (std::size_t i = 1; i <= curve_samples; ++i) {
    const double x = most * static_cast<double>(i) / curve_samples;
    curve.push_back({.x = x, .y = asymptotic_bounds(with_clients(system.network, x * devices)).event_time_s});
  }
  return curve;
}

std::vector<NamedTime> breakdown_of(const System& system) {
  std::vector<NamedTime> parts;
  const SystemFacts facts = gather_facts(system);
  for (const PoolFacts& pool : facts.pools) {
    for (const EventPart& part : pool.parts) {
      const std::string name =
          (facts.pools.size() > 1 ? pool.name + ", " : "") + part.label + ", " + name_of(part.part);
      if (part.seconds > 0.0) parts.push_back({.name = name, .seconds = part.seconds});
    }
  }
  return parts;
}

MapCell cell_of(const FieldPlane& plane, std::size_t iy, std::size_t ix) {
  MapCell cell;
  try {
    const System system(plane.scenario(iy, ix));
    cell.breakdown = breakdown_of(system);
    cell.value = system.bounds.event_time_s;
    cell.curve = curve_of(system);
  } catch (const InputError& error) {
    cell.why_not = shortened(error);
  }
  return cell;
}

std::size_t index_of(const MapAxis& axis) {
  if (!axis.present) return axis.values.size() / 2;
  const auto near = std::min_element(axis.values.begin(), axis.values.end(), [&](double a, double b) {
    return std::abs(a - *axis.present) < std::abs(b - *axis.present);
  });
  return static_cast<std::size_t>(near - axis.values.begin());
}

std::string value_words(const MapAxis& axis, std::size_t i) {
  const ShownUnit unit = shown_unit(axis.values[i], axis.unit);
  return with_unit(compact_number(axis.values[i] * unit.factor, 4), unit.name);
}

bool is_present(const FieldMap& map, std::size_t iy, std::size_t ix) {
  return map.x.present == map.x.values[ix] && map.y.present == map.y.values[iy];
}

/// @param own  the scenario as it stands, which is one of the cells
FieldCheck checked(const StudyContext& context, const FieldPlane& plane, const FieldMap& map, std::size_t iy,
                   std::size_t ix, const Results& own) {
  const MapCell& cell = map.at(iy, ix);
  FieldCheck check{
      .x = value_words(map.x, ix), .y = value_words(map.y, iy), .formula = cell.value, .why_not = cell.why_not};
  if (!cell.value) return check;
  try {
    const Scenario scenario = plane.scenario(iy, ix);
    const JobsResults jobs = is_present(map, iy, ix) ? own.all_jobs : context.simulate({&scenario, 1})[0].all_jobs;
    if (jobs.times_grow)
      check.why_not = "event times grow as long as one simulates";
    else
      check.simulated = jobs["event_time_s"];
  } catch (...) {
    check.why_not = why_not_studied(context);
  }
  return check;
}

/// "Event time with 268 jobs: 121 to 240 s over request batch of emtrk and round-trip time"
std::string ranged_title(const FieldMap& map, const std::string& load) {
  std::vector<double> values;
  for (const MapCell& cell : map.cells)
    if (cell.value) values.push_back(*cell.value);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const ShownUnit unit = shown_unit(*most, map.value_unit);
  const std::string low = compact_number(*least * unit.factor, 3);
  const std::string high = compact_number(*most * unit.factor, 3);
  return capitalised(map.value_title) + " with " + load + ": " + (low == high ? "" : low + " to ") +
         with_unit(high, unit.name) + " over " + map.x.title + " and " + map.y.title;
}

/// The present cell, one nearby with smaller batches and one far away with the largest, of those that have a value. Far
/// smaller batches mean so many more requests that their simulation would take as long as all else together.
std::vector<std::pair<std::size_t, std::size_t>> cells_to_check(const FieldMap& map) {
  using Cell = std::pair<std::size_t, std::size_t>;
  const std::size_t own_x = index_of(map.x);
  std::vector<Cell> cells{{index_of(map.y), own_x}};
  const auto add = [&](const std::vector<Cell>& wanted) {
    const auto found = std::find_if(wanted.begin(), wanted.end(),
                                    [&](const Cell& cell) { return map.at(cell.first, cell.second).value; });
    if (found != wanted.end() && std::find(cells.begin(), cells.end(), *found) == cells.end()) cells.push_back(*found);
  };
  add({{0, own_x - std::min<std::size_t>(own_x, 1)}});
  std::vector<Cell> far_first;
  for (std::size_t ix = map.x.size(); ix-- > 0;)
    for (std::size_t iy = map.y.size(); iy-- > 0;) far_first.emplace_back(iy, ix);
  add(far_first);
  return cells;
}

void add_checks(FieldStudy& study, const StudyContext& context, const FieldPlane& plane, const Results& own) {
  for (const auto& [iy, ix] : cells_to_check(study.map)) {
    if (context.is_over()) {
      study.unchecked = "The budget was spent before all cells that were to be checked were simulated.";
      return;
    }
    study.checks.push_back(checked(context, plane, study.map, iy, ix, own));
  }
}

}  // namespace

Studied<FieldStudy> field_study(const StudyContext& context, const Results& own) {
  if (any_open(context.scenario())) return {};
  const FieldPlane plane(context);
  if (!plane.why_not().empty()) return {.study = {}, .why_not = plane.why_not()};
  const std::string word = stream_word_of(context.scenario());
  const std::string load = counted(stream_count(context.scenario()), word);
  FieldStudy study;
  FieldMap& map = study.map;
  map.value_title = "event time";
  map.value_unit = "s";
  map.method = "by the bounds, with the scenario's own " + load;
  map.x = plane.x();
  map.y = plane.y();
  for (std::size_t iy = 0; iy < map.y.size(); ++iy)
    for (std::size_t ix = 0; ix < map.x.size(); ++ix) {
      // Half a map would hold nothing that a reader could look up.
      if (context.is_over()) throw OutOfBudget();
      map.cells.push_back(cell_of(plane, iy, ix));
    }
  map.curve_x_title = word + "s per " + device_word_of(context.scenario());
  map.curve_y_title = "event time, bound";
  map.curve_y_unit = "s";
  const bool any =
      std::any_of(map.cells.begin(), map.cells.end(), [](const MapCell& cell) { return cell.value.has_value(); });
  if (!any) return {.study = {}, .why_not = "No cell of the map has an event time: " + map.cells.front().why_not + "."};
  map.title = ranged_title(map, load);
  add_checks(study, context, plane, own);
  return {.study = std::move(study), .why_not = ""};
}

}  // namespace saturn
