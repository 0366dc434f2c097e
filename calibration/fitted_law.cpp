#include "calibration/fitted_law.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "models/words/numbers.hpp"
#include "models/words/quantities.hpp"

namespace saturn {

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int curve_points = 200;

bool has(const Fit& fit, const char* name) {
  const std::vector<std::string>& names = fit.parameters.names;
  return std::find(names.begin(), names.end(), name) != names.end();
}

OrderedJson points_json(const ServiceLaw& law) {
  OrderedJson points = OrderedJson::array();
  for (const MeasuredPoint& point : law.points) {
    points.push_back({{"items", point.items}, {"time", exact_seconds(point.time.value)}});
    if (point.device) points.back()["device"] = exact_seconds(point.device->value);
  }
  return {{"points", std::move(points)}};
}

/// A split law has the device's parts behind its times; a drawn one is no longer than its time.
std::optional<Seconds> device_part(const Fit& fit, std::span<const double> values, std::size_t knot, double time) {
  const std::size_t knots = fit.knots.size();
  if (values.size() != 2 * knots) return std::nullopt;
  return Seconds{std::min(values[knots + knot], time)};
}

/// Where a parameter of a law of points stands.
std::string place_of_point(const Fit& fit, std::size_t parameter) {
  const std::size_t knots = fit.knots.size();
  return "/points/" + std::to_string(parameter % knots) + (parameter < knots ? "/time" : "/device");
}

OrderedJson line_json(const ServiceLaw& law) {
  return {{"per_batch", exact_seconds(mean(law.per_batch).value)},
          {"per_item", exact_seconds(mean(law.per_item).value)}};
}

}  // namespace

ServiceLaw service_law_of(const Fit& fit, std::span<const double> values) {
  const auto line = [](double per_batch, double per_item) {
    return ServiceLaw{.per_batch = ConstantTime{Seconds{per_batch}}, .per_item = ConstantTime{Seconds{per_item}}};
  };
  if (has(fit, "items_per_s")) return line(0.0, 1.0 / values[0]);
  if (values.size() == 1) return line(0.0, values[0]);
  if (fit.knots.empty()) return line(values[0], values[1]);
  ServiceLaw law = line(0.0, 0.0);
  double least = 0.0;
  for (std::size_t i = 0; i < fit.knots.size(); ++i) {
    // Drawn times may cross where the fitted ones are close; a larger batch takes no less time.
    least = std::max(least, values[i]);
    law.points.push_back({.items = fit.knots[i], .time = Seconds{least}, .device = device_part(fit, values, i, least)});
  }
  return law;
}

void describe_service_law(NamedFit& named) {
  const Fit& fit = named.fit;
  const std::vector<double>& values = fit.parameters.values;
  const ServiceLaw law = service_law_of(fit, values);
  named.kind = FitKind::service_law;
  named.value = (law.points.empty() ? line_json(law) : points_json(law)).dump();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool rate = fit.parameters.names[i] == "items_per_s";
    named.units.emplace_back(rate ? "1/s" : "s");
    named.at.push_back(!law.points.empty()                             ? place_of_point(fit, i)
                       : rate || fit.parameters.names[i] == "per_item" ? "/per_item"
                                                                       : "/per_batch");
  }
  named.x_title = "batch [items]";
  named.y_title = "time of a batch";
  named.y_unit = "s";
  const bool logarithmic = fit.x_low > 0.0 && fit.x_high > 30.0 * fit.x_low;
  for (int i = 0; i <= curve_points; ++i) {
    const double share = static_cast<double>(i) / curve_points;
    const double x = logarithmic ? fit.x_low * std::pow(fit.x_high / fit.x_low, share)
                                 : fit.x_low + share * (fit.x_high - fit.x_low);
    named.curve.emplace_back(x, mean(law, x).value);
  }
}

void rest_on_synthetic(NamedFit& named) {
  OrderedJson value = OrderedJson::parse(named.value);
  value["rests_on"] = "synthetic";
  named.value = value.dump();
  named.notes.emplace_back(
      "its rows are a load generator's, which is not what production gets: of four measured models 34, 46, 69 and 108 "
      "% of it. One row of production with the device busy decides; check and plan say so of scenarios with this law");
}

void rest_on_lone_rows(NamedFit& named) {
  named.expected_rates = rates_by_lone_rows;
  named.notes.push_back(
      "no loaded row stands beside it. Of sixteen Triton servers that were predicted so, " +
      shortest(100.0 * rates_by_lone_rows.share) + " % of the rates measured under load are within " +
      significant(rates_by_lone_rows.low, 2) + " to " + significant(rates_by_lone_rows.high, 3) +
      " times the predicted ones: how instances share the device and what the host does for a request is not in a "
      "lone client's rows. Two or three rows with more clients decide, by saturn calibrate --fit");
}

namespace {

constexpr std::size_t most_groups = 500;

FitPoint mean_of(std::span<const FitPoint> group) {
  if (group.size() == 1) return group.front();
  const auto n = static_cast<double>(group.size());
  FitPoint mean{.label = group.front().label + " and " + std::to_string(group.size() - 1) + " more"};
  for (const FitPoint& point : group) {
    mean.x += point.x / n;
    mean.y += point.y / n;
  }
  double sum = 0.0;
  for (const FitPoint& point : group) sum += (point.y - mean.y) * (point.y - mean.y);
  if (sum > 0.0) mean.standard_error = std::sqrt(sum / (n - 1.0) / n);
  return mean;
}

/// How many points of the sorted list the group has that begins there.
std::size_t same_size(std::span<const FitPoint> sorted, std::size_t from) {
  std::size_t to = from;
  while (to < sorted.size() && sorted[to].x == sorted[from].x) ++to;
  return to - from;
}

}  // namespace

std::vector<FitPoint> grouped_points(std::span<const FitPoint> points) {
  std::vector<FitPoint> sorted(points.begin(), points.end());
  if (points.size() <= most_fitted_points) return sorted;
  std::stable_sort(sorted.begin(), sorted.end(), [](const FitPoint& a, const FitPoint& b) { return a.x < b.x; });
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < sorted.size(); i += same_size(sorted, i)) ++sizes;
  const std::size_t least = sizes <= most_groups ? 1 : (sorted.size() + most_groups - 1) / most_groups;
  std::vector<FitPoint> grouped;
  for (std::size_t from = 0; from < sorted.size();) {
    std::size_t count = same_size(sorted, from);
    while (count < least && from + count < sorted.size()) count += same_size(sorted, from + count);
    grouped.push_back(mean_of(std::span(sorted).subspan(from, count)));
    from += count;
  }
  return grouped;
}

}  // namespace saturn
