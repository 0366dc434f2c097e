#include "models/queueing/open_capacity.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "models/queueing/best_split.hpp"
#include "models/statistics/intervals.hpp"

namespace saturn {

namespace {

double arrivals_per_s(const JobClass& job_class) {
  return job_class.arrivals ? job_class.arrivals->value : 0.0;
}

/// Mean number at a station that serves n customers at the rate min(n, units), in units of its offered load.
double crowding(double load, double units) {
  double weight = 1.0;
  double sum = 1.0;
  double customers = 0.0;
  double n = 0.0;
  while (n < units) {
    n += 1.0;
    weight *= load / std::min(n, units);
    sum += weight;
    customers += n * weight;
  }
  // From here on every further customer is as much less likely: a geometric tail.
  const double ratio = load / units;
  const double tail = weight * ratio / (1.0 - ratio);
  sum += tail;
  customers += tail * (n + 1.0 / (1.0 - ratio));
  return customers / sum / load;
}

bool has_free_calls(const ClosedNetwork& network, std::size_t job_class) {
  return std::any_of(network.free_calls.begin(), network.free_calls.end(),
                     [&](const FreeCalls& calls) { return calls.job_class == job_class; });
}

/// Demands without those of free calls, which may go elsewhere.
Matrix certain_demands(const ClosedNetwork& network) {
  return demands(network, network.free_calls.empty() ? network.work : network.fixed_work);
}

/// Lowers the capacity to what the best split of the class's free calls can carry.
void take_best_split(const ClosedNetwork& network, std::size_t job_class, OpenCapacity& capacity) {
  const Matrix demand = certain_demands(network);
  std::vector<double> left(network.resources.size(), 1.0);
  for (std::size_t r = 0; r < left.size(); ++r)
    for (std::size_t j = 0; j < network.classes.size(); ++j)
      if (j != job_class) left[r] -= arrivals_per_s(network.classes[j]) * demand(j, r);
  for (double& share : left) share = std::max(0.0, share);
  std::vector<double> worth(network.classes.size(), 0.0);
  std::vector<double> most(network.classes.size(), 0.0);
  worth[job_class] = 1.0;
  most[job_class] = capacity.capacity_per_s;
  const double split = most_events(network, worth, most, left).worth;
  if (!(split < capacity.capacity_per_s)) return;
  capacity.capacity_per_s = split;
  double busiest = 0.0;
  for (std::size_t r = 0; r < left.size(); ++r) {
    const double own = network.work(job_class, r);
    const double busy = own / network.resources[r].units / std::max(left[r], 1e-300);
    if (busy <= busiest || network.resources[r].grows_with_clients) continue;
    busiest = busy;
    capacity.limit = network.resources[r].name;
  }
}

}  // namespace

OpenCapacity open_capacity(const ClosedNetwork& network, std::size_t job_class) {
  const JobClass& pool = network.classes.at(job_class);
  if (!pool.arrivals) throw std::invalid_argument("open_capacity: no events arrive at " + pool.name);
  OpenCapacity capacity{.offered_per_s = pool.arrivals->value,
                        .capacity_per_s = pool.clients / least_event_time(pool).value,
                        .limit = "streams"};
  if (has_free_calls(network, job_class)) {
    take_best_split(network, job_class, capacity);
    return capacity;
  }
  const Matrix demand = certain_demands(network);
  for (std::size_t r = 0; r < demand.columns(); ++r) {
    const double own = demand(job_class, r);
    if (!(own > 0.0)) continue;
    double others = 0.0;
    for (std::size_t j = 0; j < network.classes.size(); ++j)
      if (j != job_class) others += arrivals_per_s(network.classes[j]) * demand(j, r);
    const double most = std::max(0.0, 1.0 - others) / own;
    if (most >= capacity.capacity_per_s) continue;
    capacity.capacity_per_s = most;
    capacity.limit = network.resources[r].name;
  }
  return capacity;
}

double own_capacity_per_s(const ClosedNetwork& network, std::size_t job_class) {
  ClosedNetwork alone = network;
  for (std::size_t j = 0; j < alone.classes.size(); ++j)
    if (j != job_class) alone.classes[j].arrivals.reset();
  return open_capacity(alone, job_class).capacity_per_s;
}

std::optional<double> open_event_time_s(const ClosedNetwork& network) {
  if (network.classes.size() != 1 || !network.classes.front().arrivals) return std::nullopt;
  if (!(open_capacity(network, 0).load() < 1.0)) return std::nullopt;
  const JobClass& pool = network.classes.front();
  double event_time_s = pool.think_time.value;
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    const Resource& resource = network.resources[r];
    const double work = network.work(0, r);
    if (!resource.in_product_form || !(work > 0.0)) continue;
    const double load = pool.arrivals->value * work;
    if (!(load < resource.units)) return std::nullopt;
    event_time_s += work * crowding(load, resource.units);
  }
  return event_time_s;
}

namespace {

constexpr double growth_confidence = 0.999;
constexpr double chance_deviations = 3.0;
constexpr double least_unserved_share = 0.01;
constexpr double rounding_of_capacity = 1e-9;

}  // namespace

const char* name_of(OpenVerdict verdict) {
  switch (verdict) {
    case OpenVerdict::stable:
      return "stable";
    case OpenVerdict::backlogged:
      return "backlogged";
    case OpenVerdict::overloaded:
      return "overloaded";
  }
  throw std::logic_error("name_of: a verdict without a name");
}

BacklogGrowth backlog_growth(const OpenEvidence& evidence) {
  const Estimate slope = slope_interval(
      evidence.present, evidence.window_s / static_cast<double>(evidence.present.size()), growth_confidence);
  const double chance = chance_deviations * std::sqrt((1.0 + evidence.dispersion) * evidence.arrivals);
  return {.per_s = slope.mean,
          .low = slope.low,
          .high = slope.high,
          .beyond_chance = slope.low > 0.0 && slope.mean * evidence.window_s > chance};
}

OpenVerdict verdict_of(const OpenEvidence& evidence) {
  if (evidence.offered_per_s > evidence.capacity_per_s * (1.0 + rounding_of_capacity)) return OpenVerdict::overloaded;
  const BacklogGrowth growth = backlog_growth(evidence);
  const bool full = evidence.buffer && evidence.lost > 0.0 && evidence.waiting_mean > *evidence.buffer / 2.0;
  const bool too_much = growth.beyond_chance && growth.low >= least_unserved_share * evidence.offered_per_s;
  if (!evidence.varies && (too_much || full)) return OpenVerdict::overloaded;
  return growth.beyond_chance || full ? OpenVerdict::backlogged : OpenVerdict::stable;
}

}  // namespace saturn
