#include "calibration/source_knee.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "calibration/fitted_law.hpp"
#include "models/bounds.hpp"
#include "models/parameter_draws.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

namespace {

constexpr std::uint32_t draws = 4000;
constexpr std::uint64_t seed = 1;
constexpr double knee_confidence = 0.95;

struct Point {
  double device_time_s = 0.0;
  double jobs = 0.0;
};

/// Of the servers that hold the model, the one whose devices saturate first.
Point point_with(Scenario scenario, const std::string& model, const ServiceLaw& law) {
  for (auto& [type, present] : scenario.models.at(model).service) present = law;
  std::set<std::string> holders;
  for (const Server& server : scenario.servers)
    if (std::find(server.models.begin(), server.models.end(), model) != server.models.end())
      holders.insert(server.name + "/" + server.devices.type);
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  for (const Knee& knee : bounds.knees) {
    const Resource& resource = network.resources[knee.resource];
    if (!is_device(resource.kind) || !holders.contains(resource.name)) continue;
    return {.device_time_s = knee.demand_s * resource.units,
            .jobs = knee.clients * job_count(scenario) / client_count(scenario)};
  }
  throw std::invalid_argument("point_with: no device works on the model " + model);
}

Estimate between(double value, double a, double b) {
  return {
      .mean = value, .low = std::min(a, b), .high = std::max(a, b), .confidence = knee_confidence, .replications = 0};
}

Estimate quantiles(double value, std::vector<double>& drawn) {
  std::sort(drawn.begin(), drawn.end());
  const auto at = [&](double q) { return drawn[static_cast<std::size_t>(q * static_cast<double>(drawn.size() - 1))]; };
  return between(value, at((1.0 - knee_confidence) / 2.0), at((1.0 + knee_confidence) / 2.0));
}

}  // namespace

DeviceSaturation saturation_with(const Scenario& scenario, const std::string& model, const Fit& law) {
  const FittedParameters& parameters = law.parameters;
  const Point best = point_with(scenario, model, service_law_of(law, parameters.values));
  if (parameters.values.size() == 1) {
    const ParameterInterval ends = interval(parameters, 0, knee_confidence);
    const double least = 1e-3 * parameters.values[0];
    const Point low = point_with(scenario, model, service_law_of(law, std::vector{std::max(ends.low, least)}));
    const Point high = point_with(scenario, model, service_law_of(law, std::vector{ends.high}));
    return {.device_time_s = between(best.device_time_s, low.device_time_s, high.device_time_s),
            .jobs = between(best.jobs, low.jobs, high.jobs)};
  }
  std::vector<double> times;
  std::vector<double> jobs;
  for (std::uint32_t draw = 0; draw < draws; ++draw) {
    RandomStream stream(seed, draw, 0, Purpose::parameters);
    const Point one = point_with(scenario, model, service_law_of(law, draw_parameters(parameters, stream)));
    times.push_back(one.device_time_s);
    jobs.push_back(one.jobs);
  }
  return {.device_time_s = quantiles(best.device_time_s, times), .jobs = quantiles(best.jobs, jobs)};
}

std::optional<DeviceSaturation> saturation_of_loop(const Scenario& scenario, const SaturationFit& loop) {
  if (!loop.knee) return std::nullopt;
  const double demand = loop.fit.parameters.values.at(1);
  const ParameterInterval ends = interval(loop.fit.parameters, 1, knee_confidence);
  const auto devices = static_cast<double>(device_count(scenario));
  // The rows' own knee is that of their own jobs; the scenario's has the scenario's unhindered event time.
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  const double jobs = (bounds.ideal_event_time_s + bounds.set_up_s) * job_count(scenario) / client_count(scenario);
  return DeviceSaturation{.device_time_s = between(demand * devices, ends.low * devices, ends.high * devices),
                          .jobs = between(jobs / demand, jobs / ends.high, jobs / std::max(ends.low, 1e-3 * demand))};
}

double ideal_event_time(const Scenario& scenario) {
  return asymptotic_bounds(closed_network(scenario)).ideal_event_time_s;
}

RequestSizes request_sizes(const Scenario& scenario, const std::string& model) {
  RequestSizes sizes{.least = HUGE_VAL, .most = 0.0};
  for (const JobPool& pool : scenario.jobs) {
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || infer->model != model) continue;
      sizes.least = std::min(sizes.least, static_cast<double>(infer->request_batch));
      sizes.most = std::max(sizes.most, static_cast<double>(infer->request_batch));
    }
  }
  return sizes;
}

std::string model_meant(const Scenario& scenario, const std::string& fitted_model) {
  if (scenario.models.contains(fitted_model)) return fitted_model;
  std::set<std::string> called;
  for (const JobPool& pool : scenario.jobs)
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage)) called.insert(infer->model);
  return called.size() == 1 ? *called.begin() : "";
}

}  // namespace saturn
