#include "sim/cli/report_axes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/count_distribution.hpp"
#include "scenarios/numeric_inputs.hpp"
#include "sim/plan/round_trip.hpp"

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
  VariedAxis varied{.axis = {.title = "speed of the devices", .unit = "", .present = 1.0}};
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
  if (largest > 1.0) {
    const double present = std::min(batch, largest);
    const double most = std::min(largest, most_batch_factor * present);
    return axis_of_counts("request batch", "items", busy.pointer + "/request_batch", present, most);
  }
  const auto model = read.scenario.models.find(busy.stage->model);
  if (model != read.scenario.models.end() && model->second.dynamic_batching) {
    const auto present = static_cast<double>(model->second.max_batch_size);
    return axis_of_counts("largest batch", "items", "/models/" + busy.stage->model + "/max_batch_size", present,
                          8.0 * present);
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

}  // namespace saturn
