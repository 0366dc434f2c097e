#include "models/bounds.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace saturn {

namespace {

double clients_of(const ClosedNetwork& network) {
  double clients = 0.0;
  for (const JobClass& c : network.classes) clients += c.clients;
  return clients;
}

}  // namespace

Bounds asymptotic_bounds(const ClosedNetwork& network) {
  if (network.classes.empty()) throw std::invalid_argument("asymptotic_bounds: a network without job classes");
  Bounds bounds;
  bounds.clients = clients_of(network);
  if (!(bounds.clients > 0.0)) throw std::invalid_argument("asymptotic_bounds: a network without clients");

  const Eigen::MatrixXd demand = demands(network);
  Eigen::RowVectorXd demand_rate = Eigen::RowVectorXd::Zero(demand.cols());
  double unhindered_rate = 0.0;
  double set_up_rate = 0.0;
  for (std::size_t j = 0; j < network.classes.size(); ++j) {
    const JobClass& c = network.classes[j];
    if (!(c.ideal_event_time.value > 0.0)) {
      throw std::invalid_argument("asymptotic_bounds: the events of job class " + c.name + " take no time");
    }
    const double rate = c.clients / (c.ideal_event_time + c.set_up).value;
    unhindered_rate += rate;
    set_up_rate += rate * c.set_up.value;
    demand_rate += rate * demand.row(static_cast<Eigen::Index>(j));
  }
  const double ideal_cycle_s = bounds.clients / unhindered_rate;
  bounds.set_up_s = set_up_rate / unhindered_rate;
  bounds.ideal_event_time_s = ideal_cycle_s - bounds.set_up_s;

  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    const double mixed = demand_rate(static_cast<Eigen::Index>(r)) / unhindered_rate;
    if (network.resources[r].grows_with_clients) {
      bounds.own_event_time_s = std::max(bounds.own_event_time_s, bounds.clients * mixed - bounds.set_up_s);
    } else if (mixed > 0.0) {
      bounds.knees.push_back({.resource = r, .demand_s = mixed});
    }
  }
  std::stable_sort(bounds.knees.begin(), bounds.knees.end(),
                   [](const Knee& a, const Knee& b) { return a.demand_s > b.demand_s; });

  bounds.event_time_s = std::max(bounds.ideal_event_time_s, bounds.own_event_time_s);
  for (Knee& knee : bounds.knees) knee.clients = (bounds.event_time_s + bounds.set_up_s) / knee.demand_s;
  if (!bounds.knees.empty()) {
    bounds.event_time_s =
        std::max(bounds.event_time_s, bounds.clients * bounds.knees.front().demand_s - bounds.set_up_s);
  }
  bounds.events_per_s = bounds.clients / (bounds.event_time_s + bounds.set_up_s);
  return bounds;
}

ClosedNetwork with_clients(ClosedNetwork network, double clients) {
  const double present = clients_of(network);
  if (!(present > 0.0)) throw std::invalid_argument("with_clients: a network without clients");
  for (JobClass& c : network.classes) c.clients *= clients / present;
  for (Resource& resource : network.resources)
    if (resource.grows_with_clients) resource.units *= clients / present;
  return network;
}

double clients_within(const Bounds& bounds, double slowdown) {
  if (!(slowdown >= 0.0)) throw std::invalid_argument("clients_within: a slowdown is at least 0");
  if (bounds.own_event_time_s > (1.0 + slowdown) * bounds.ideal_event_time_s) return 0.0;
  if (bounds.knees.empty()) return std::numeric_limits<double>::infinity();
  return ((1.0 + slowdown) * bounds.ideal_event_time_s + bounds.set_up_s) / bounds.knees.front().demand_s;
}

}  // namespace saturn
