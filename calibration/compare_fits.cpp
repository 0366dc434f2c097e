#include "calibration/compare_fits.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "calibration/calibrate.hpp"
#include "calibration/fit/estimates.hpp"
#include "calibration/fitted_law.hpp"
#include "models/laws/parameter_spread.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "models/words/numbers.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

namespace {

constexpr double compared_confidence = 0.95;
// Sizes that follow from Little's law differ a little.
constexpr double common_size = 1.05;

/// T(b) with the error that the parameters' covariance gives it, by differences.
SourcedEstimate time_at(const Fit& fit, double items) {
  const FittedParameters& parameters = fit.parameters;
  const std::size_t n = parameters.values.size();
  const auto time = [&](const std::vector<double>& values) { return mean(service_law_of(fit, values), items).value; };
  std::vector<double> slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double step = 1e-3 * std::max(standard_error(parameters, i), 1e-6 * std::abs(parameters.values[i]));
    if (!(step > 0.0)) continue;
    std::vector<double> moved = parameters.values;
    moved[i] += step;
    slope[i] = (time(moved) - time(parameters.values)) / step;
  }
  double variance = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) variance += slope[i] * slope[j] * parameters.covariance[i * n + j];
  return {.value = time(parameters.values),
          .standard_error = std::sqrt(std::max(variance, 0.0)),
          .degrees_of_freedom = parameters.degrees_of_freedom};
}

Estimate estimate_of(const SourcedEstimate& one) {
  const FittedParameters as_parameter{.names = {"value"},
                                      .values = {one.value},
                                      .covariance = {one.standard_error * one.standard_error},
                                      .degrees_of_freedom = one.degrees_of_freedom};
  const ParameterInterval found = interval(as_parameter, 0, compared_confidence);
  return {.mean = one.value, .low = found.low, .high = found.high, .confidence = compared_confidence};
}

std::optional<SourceComparison> compared(const std::string& quantity, const std::string& first,
                                         const SourcedEstimate& a, const std::string& second,
                                         const SourcedEstimate& b) {
  const auto usable = [](const SourcedEstimate& one) { return one.value > 0.0 && one.standard_error > 0.0; };
  if (!usable(a) || !usable(b)) return std::nullopt;
  const EstimateComparison comparison = compare_estimates(b, a);
  return SourceComparison{.quantity = quantity,
                          .first = first,
                          .second = second,
                          .first_value = estimate_of(a),
                          .second_value = estimate_of(b),
                          .factor = {.mean = comparison.factor,
                                     .low = comparison.factor_95.low,
                                     .high = comparison.factor_95.high,
                                     .confidence = compared_confidence},
                          .p = comparison.p,
                          .contradict = comparison.contradict};
}

SourcedEstimate first_parameter(const Fit& fit) {
  return {.value = fit.parameters.values.at(0),
          .standard_error = standard_error(fit.parameters, 0),
          .degrees_of_freedom = fit.parameters.degrees_of_freedom};
}

}  // namespace

std::optional<SourceComparison> compare_laws(const std::string& model, const SourcedFit& first,
                                             const SourcedFit& second) {
  const double low = std::max(first.fit.x_low, second.fit.x_low);
  const double high = std::min(first.fit.x_high, second.fit.x_high);
  // Where no size was measured by both, one of them would have to be extrapolated.
  if (low > common_size * high) return std::nullopt;
  const double items = std::max(1.0, std::round(std::sqrt(low * high)));
  return compared("time of a batch of " + significant(items, 3) + " items of " + model + " [s]", first.source,
                  time_at(first.fit, items), second.source, time_at(second.fit, items));
}

std::optional<SourceComparison> compare_means(const std::string& quantity, const SourcedFit& first,
                                              const SourcedFit& second) {
  return compared(quantity, first.source, first_parameter(first.fit), second.source, first_parameter(second.fit));
}

namespace {

constexpr std::size_t most_rows = 4;
constexpr double share_of_most = 0.5;

double largest_time(const Fit& fit, double items) {
  return mean(service_law_of(fit, fit.parameters.values), items).value;
}

std::vector<std::string> shortened(std::vector<std::string> rows) {
  if (rows.size() <= most_rows) return rows;
  const std::size_t more = rows.size() - most_rows;
  rows.resize(most_rows);
  rows.push_back("and " + std::to_string(more) + " more");
  return rows;
}

}  // namespace

std::vector<std::string> deciding_rows(const NamedFit& named) {
  if (named.saturation) return shortened(named.saturation->demand_rows);
  std::vector<FitPoint> used;
  for (const FitResidual& residual : named.fit.residuals)
    if (!residual.outlier) used.push_back(residual.point);
  const bool rates = named.fit.parameters.names.front() == "items_per_s";
  const double whole = largest_time(named.fit, named.fit.x_high);
  std::vector<std::pair<double, std::string>> moves;
  for (std::size_t i = 0; i < used.size(); ++i) {
    std::vector<FitPoint> others = used;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    try {
      const Fit without =
          fit_batches(others, rates ? BatchTimeFrom::throughput : BatchTimeFrom::server_times, named.name);
      moves.emplace_back(std::abs(largest_time(without, named.fit.x_high) / whole - 1.0), used[i].label);
    } catch (const InputError&) {
      // Without this row there would be no fit at all.
      moves.emplace_back(HUGE_VAL, used[i].label);
    }
  }
  std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> rows;
  for (const auto& [move, label] : moves)
    if (move >= share_of_most * moves.front().first) rows.push_back(label);
  return shortened(std::move(rows));
}

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
            .jobs = knee.clients * job_count(scenario) / stream_count(scenario)};
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
  const double jobs = (bounds.ideal_event_time_s + bounds.set_up_s) * job_count(scenario) / stream_count(scenario);
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
  const std::set<std::string> called = called_models(scenario);
  return called.size() == 1 ? *called.begin() : "";
}

}  // namespace saturn
