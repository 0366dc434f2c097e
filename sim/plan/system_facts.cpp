#include "sim/plan/system_facts.hpp"

#include <algorithm>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "models/queueing/open_capacity.hpp"
#include "models/words/texts.hpp"
#include "scenarios/fields/value_rules.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/plan/instant_answer.hpp"

namespace saturn {

namespace {

// Beyond this, O(N·c) steps of mean value analysis would no longer be instant.
constexpr std::uint64_t most_instant_clients = 20000;
constexpr double most_instant_products = 1e8;

PoolFacts pool_facts(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool) {
  PoolFacts facts{.name = pool.name, .clients = static_cast<double>(stream_count(pool))};
  facts.parts = ideal_event_parts(scenario, routed, pool);
  for (const EventPart& part : facts.parts) facts.ideal_event_time_s += part.seconds;
  const CpuOnly cpu = cpu_only(scenario, routed, pool);
  if (cpu.known && cpu.offloaded_s > 0.0) facts.cpu_only = cpu;
  return facts;
}

ReferencePoint formula_point(const Scenario& scenario) {
  const PublishedFormula published = published_formula(scenario);
  ReferencePoint point{.method = "published formula", .remark = published.why_not};
  if (published.why_not.empty()) {
    point.event_time_s = published.formula.event_time_s();
    point.events_per_s = published.formula.clients / *point.event_time_s;
  }
  return point;
}

ReferencePoint mva_point(const Scenario& scenario, const ClosedNetwork& network, double clients) {
  const bool exact = network.product_form_violations.empty();
  ReferencePoint point{.method = exact ? "exact MVA" : "approximate MVA"};
  if (network.classes.size() != 1) {
    point.remark = "does not apply: several pools of jobs";
    return point;
  }
  if (const std::string why_not = why_no_mva(scenario); !why_not.empty()) {
    point.remark = why_not;
    return point;
  }
  if (clients > static_cast<double>(most_instant_clients)) {
    point.remark = "not computed above " + with_commas(most_instant_clients) + " jobs";
    return point;
  }
  const std::vector<MvaStation> stations = mva_stations(network);
  if (mva_products(stations, clients) * static_cast<double>(stations.size()) > most_instant_products) {
    point.remark = "not computed for so many jobs and units";
    return point;
  }
  const MvaPoint mva = exact_mva(stations, network.classes.front().think_time.value, static_cast<std::size_t>(clients));
  point.event_time_s = mva.event_time_s - network.classes.front().set_up.value;
  point.events_per_s = mva.events_per_s;
  if (exact) {
    point.remark = "one kind of blocking jobs and exponential service: the expectation of what is simulated";
  } else {
    point.remark = "exact for exponential service; here ";
    point.remark += joined(network.product_form_violations, "; ");
  }
  return point;
}

/// What the bound says of events that arrive: they take t_ideal at least, and no more come out than arrive or fit.
ReferencePoint arrivals_bound(const ClosedNetwork& network, const Bounds& bounds) {
  double served = 0.0;
  for (std::size_t p = 0; p < network.classes.size(); ++p) {
    const OpenCapacity capacity = open_capacity(network, p);
    served += std::min(capacity.offered_per_s, capacity.capacity_per_s);
  }
  return {.method = "bound",
          .event_time_s = bounds.least_event_time_s,
          .events_per_s = served,
          .remark =
              "no event takes less than t_ideal on average, and no more end than arrive or than the first "
              "resource, or the streams, can serve"};
}

std::string what_bound_says(const ClosedNetwork& network) {
  std::string text = "no event can be faster on average: max(t_ideal, N·D)";
  if (!network.free_calls.empty())
    text = "no event can be faster on average, to whichever servers the balancer sends its requests";
  if (network.classes.size() > 1) text += ", in whatever mix the pools' events end";
  return text;
}

ReferencePoint open_network_point(const ClosedNetwork& network) {
  ReferencePoint point{.method = "open network"};
  point.event_time_s = open_event_time_s(network);
  if (!point.event_time_s) {
    point.remark = network.classes.size() > 1 ? "not computed for several pools"
                                              : "does not apply: a resource would be busy more than all the time";
    return point;
  }
  point.events_per_s = network.classes.front().arrivals->value;
  point.remark = "exact for Poisson arrivals, exponential service and streams that are never short; here ";
  point.remark += joined(network.product_form_violations, "; ");
  return point;
}

}  // namespace

SystemFacts gather_facts(const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  SystemFacts facts{.title = scenario.title,
                    .jobs = job_count(scenario),
                    .clients = stream_count(scenario),
                    .devices = static_cast<double>(device_count(scenario)),
                    .device_word = device_word_of(scenario),
                    .ideal_event_time_s = bounds.ideal_event_time_s,
                    .all_open = all_open(scenario),
                    .own_event_time_s = bounds.own_event_time_s,
                    .bound_event_time_s = bounds.event_time_s,
                    .bound_caveat = bound_caveat(scenario),
                    .pools = {},
                    .knees = {},
                    .product_form_violations = network.product_form_violations};
  facts.mixed_event_time_s = bounds.mixed_event_time_s;
  constexpr double rounding = 1e-12;
  if (bounds.least_event_time_s < bounds.ideal_event_time_s * (1.0 - rounding))
    facts.least_event_time_s = bounds.least_event_time_s;
  const RoutedResources routed = routed_resources(scenario);
  for (const JobPool& pool : scenario.jobs) facts.pools.push_back(pool_facts(scenario, routed, pool));
  const double jobs_per_client = facts.jobs / facts.clients;
  for (const Knee& knee : bounds.knees) {
    const Resource& resource = network.resources.at(knee.resource);
    facts.knees.push_back({.resource = resource.name,
                           .kind = resource.kind,
                           .demand_s_per_event = knee.demand_s,
                           .jobs = knee.clients * jobs_per_client});
  }
  return facts;
}

std::vector<ReferencePoint> reference_points(const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  if (all_open(scenario))
    return {arrivals_bound(network, bounds), formula_point(scenario), open_network_point(network)};
  const std::string caveat = bound_caveat(scenario);
  return {{.method = caveat.empty() ? "bound" : "bound of the average",
           .event_time_s = bounds.event_time_s,
           .events_per_s = bounds.events_per_s,
           .remark = caveat.empty() ? what_bound_says(network) : caveat},
          formula_point(scenario),
          mva_point(scenario, network, bounds.clients)};
}

}  // namespace saturn
