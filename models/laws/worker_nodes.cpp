#include "models/laws/worker_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "models/statistics/quantiles.hpp"

namespace saturn {

namespace {

constexpr std::uint64_t most_speeds = 1000;

std::vector<SpeedClass> by_quantiles(const std::function<double(double)>& quantile, std::uint64_t jobs) {
  const std::uint64_t classes = std::min(jobs, most_speeds);
  std::vector<SpeedClass> all;
  for (std::uint64_t c = 0; c < classes; ++c) {
    const double rank = (static_cast<double>(c) + 0.5) / static_cast<double>(classes);
    all.push_back({quantile(rank), (c + 1) * jobs / classes - c * jobs / classes});
  }
  return all;
}

std::vector<SpeedClass> classes_of(const ConstantSpeed& speed, std::uint64_t jobs) {
  return {{speed.value, jobs}};
}

std::vector<SpeedClass> classes_of(const LognormalSpeed& speed, std::uint64_t jobs) {
  if (!(speed.mean > 0.0) || !(speed.cv > 0.0))
    throw std::invalid_argument("speed_classes: a lognormal without spread");
  const double spread = std::log1p(speed.cv * speed.cv);
  const double location = std::log(speed.mean) - 0.5 * spread;
  const double scale = std::sqrt(spread);
  return by_quantiles([&](double rank) { return lognormal_quantile(location, scale, rank); }, jobs);
}

std::vector<SpeedClass> classes_of(const UniformSpeed& speed, std::uint64_t jobs) {
  if (speed.low == speed.high) return {{speed.low, jobs}};
  return by_quantiles([&](double rank) { return speed.low + (speed.high - speed.low) * rank; }, jobs);
}

std::vector<SpeedClass> classes_of(const ListedSpeeds& speed, std::uint64_t jobs) {
  const std::uint64_t kinds = speed.values.size();
  std::vector<SpeedClass> all;
  for (std::uint64_t k = 0; k < std::min(kinds, jobs); ++k)
    all.push_back({speed.values[k], jobs / kinds + (k < jobs % kinds ? 1 : 0)});
  return all;
}

}  // namespace

std::vector<SpeedClass> speed_classes(const WorkerSpeed& speed, std::uint64_t jobs) {
  if (jobs == 0) throw std::invalid_argument("speed_classes: no jobs");
  std::vector<SpeedClass> all = std::visit([&](const auto& law) { return classes_of(law, jobs); }, speed);
  const auto positive = [](const SpeedClass& one) { return one.speed > 0.0 && std::isfinite(one.speed); };
  if (all.empty() || !std::all_of(all.begin(), all.end(), positive))
    throw std::invalid_argument("speed_classes: a speed is a finite number above 0");
  return all;
}

double fastest_speed(const WorkerSpeed& speed, std::uint64_t jobs) {
  double fastest = 0.0;
  for (const SpeedClass& one : speed_classes(speed, jobs)) fastest = std::max(fastest, one.speed);
  return fastest;
}

bool is_constant(const WorkerSpeed& speed) {
  if (std::holds_alternative<ConstantSpeed>(speed)) return true;
  if (const auto* uniform = std::get_if<UniformSpeed>(&speed)) return uniform->low == uniform->high;
  if (const auto* listed = std::get_if<ListedSpeeds>(&speed))
    return std::all_of(listed->values.begin(), listed->values.end(),
                       [&](double value) { return value == listed->values.front(); });
  return false;
}

double enough_nodes_up(std::uint64_t working, std::uint64_t nodes, double node_availability) {
  if (working == 0 || working > nodes) throw std::invalid_argument("enough_nodes_up: 1 to all nodes have to work");
  if (!(node_availability > 0.0) || !(node_availability <= 1.0))
    throw std::invalid_argument("enough_nodes_up: a node's availability is above 0, at most 1");
  return binomial_above(static_cast<double>(nodes), node_availability, static_cast<double>(working - 1));
}

}  // namespace saturn
