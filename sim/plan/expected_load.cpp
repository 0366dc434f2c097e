#include "sim/plan/expected_load.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/bounds.hpp"
#include "models/mva.hpp"
#include "models/open_capacity.hpp"
#include "scenarios/demands.hpp"

namespace saturn {

namespace {

// Beyond these terms mean value analysis costs more than the rest of the formulas together.
constexpr double most_terms = 10000.0;
constexpr double knee_sharpness = 8.0;

bool mva_is_cheap(const ClosedNetwork& network) {
  if (network.classes.size() != 1 || !network.product_form_violations.empty()) return false;
  const double clients = network.classes.front().clients;
  double stations = 0.0;
  double units = 1.0;
  for (const Resource& resource : network.resources) {
    if (!resource.in_product_form) continue;
    stations += 1.0;
    units = std::max(units, std::min(resource.units, clients));
  }
  return clients >= 1.0 && stations * stations * clients * units <= most_terms;
}

double slowdown_by_mva(const ClosedNetwork& network) {
  const JobClass& jobs = network.classes.front();
  const auto clients = static_cast<std::size_t>(std::llround(jobs.clients));
  const MvaPoint point = exact_mva(mva_stations(network), jobs.think_time.value, clients);
  return (point.event_time_s - jobs.set_up.value) / jobs.ideal_event_time.value;
}

ExpectedLoad open_load(const Scenario& scenario, const ClosedNetwork& network) {
  ExpectedLoad load{.slowdown = 0.0};
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    if (!network.classes[j].arrivals) continue;
    const OpenCapacity capacity = open_capacity(network, j);
    const double present = capacity.capacity_per_s > 0.0 ? capacity.load() : std::numeric_limits<double>::infinity();
    if (!load.binding.empty() && present <= load.slowdown) continue;
    load.slowdown = present;
    load.binding = capacity.limit;
  }
  if (any_open(scenario) && !all_open(scenario)) {
    // Closed pools take what is left, so that the bounds of the whole still say something.
    const Bounds bounds = asymptotic_bounds(network);
    if (!bounds.knees.empty()) load.slowdown = std::max(load.slowdown, bounds.clients / bounds.knees.front().clients);
  }
  return load;
}

}  // namespace

ExpectedLoad expected_load(const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  if (any_open(scenario)) return open_load(scenario, network);
  const Bounds bounds = asymptotic_bounds(network);
  const double jobs_per_client = job_count(scenario) / bounds.clients;
  ExpectedLoad load;
  if (!bounds.knees.empty()) {
    load.binding = network.resources[bounds.knees[0].resource].name;
    load.saturates_at_jobs = bounds.knees[0].clients * jobs_per_client;
    load.slowdown =
        std::pow(1.0 + std::pow(bounds.clients / bounds.knees[0].clients, knee_sharpness), 1.0 / knee_sharpness);
  }
  if (bounds.knees.size() > 1) {
    load.next = network.resources[bounds.knees[1].resource].name;
    load.next_at_jobs = bounds.knees[1].clients * jobs_per_client;
  }
  if (mva_is_cheap(network)) {
    load.slowdown = slowdown_by_mva(network);
    load.by_mva = true;
  }
  return load;
}

}  // namespace saturn
