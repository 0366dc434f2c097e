#include "sim/formula/system_facts.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"

namespace saturn {

namespace {

PoolFacts pool_facts(const Scenario& scenario, const RoutedResources& routed, const JobPool& pool) {
  PoolFacts facts{.name = pool.name, .clients = static_cast<double>(stream_count(pool))};
  facts.parts = ideal_event_parts(scenario, routed, pool);
  for (const EventPart& part : facts.parts) facts.ideal_event_time_s += part.seconds;
  const CpuOnly cpu = cpu_only(scenario, routed, pool);
  if (cpu.known && cpu.offloaded_s > 0.0) facts.cpu_only = cpu;
  return facts;
}

std::vector<LawFact> law_facts(const Scenario& scenario) {
  std::vector<LawFact> laws;
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::string& called : called_models(scenario))
    for (const std::size_t s : servers_of(scenario, called))
      for (const std::string& model : model_steps(scenario.models, called)) {
        const std::string& type = scenario.servers[s].devices.type;
        const ServiceLaw& law = scenario.models.at(model).service.at(type);
        if (law.rests_on && seen.emplace(model, type).second) laws.push_back({model, type, *law.rests_on});
      }
  return laws;
}

}  // namespace

SystemFacts gather_facts(const System& system) {
  const auto& [scenario, network, bounds] = system;
  SystemFacts facts{
      .title = scenario.title,
      .jobs = job_count(scenario),
      .clients = stream_count(scenario),
      .devices = static_cast<double>(device_count(scenario)),
      .device_word = device_word_of(scenario),
      .scales =
          std::ranges::any_of(scenario.servers, [](const Server& server) { return server.autoscaler.has_value(); }),
      .ideal_event_time_s = bounds.ideal_event_time_s,
      .all_open = all_open(scenario),
      .own_event_time_s = bounds.own_event_time_s,
      .bound_event_time_s = bounds.event_time_s,
      .bound_caveat = bound_caveat(scenario),
      .pools = {},
      .knees = {},
      .product_form_violations = network.product_form_violations,
      .starving = starving_queues(system),
      .spoiling = models_that_spoil(scenario, scenario.jobs),
      .only_waits = !may_refuse(scenario) && !may_give_up(scenario),
      .jobs_leave = std::ranges::any_of(scenario.jobs, [](const JobPool& pool) { return !pool.replaced; }),
      .laws = law_facts(scenario)};
  constexpr double rounding = 1e-12;
  if (bounds.least_event_time_s < bounds.ideal_event_time_s * (1.0 - rounding))
    facts.least_event_time_s = bounds.least_event_time_s;
  const RoutedResources routed = routed_resources(scenario);
  for (const JobPool& pool : scenario.jobs) facts.pools.push_back(pool_facts(scenario, routed, pool));
  const double jobs_per_client = facts.jobs / facts.clients;
  const std::vector<double> busy = most_busy(network, bounds);
  for (const Knee& knee : bounds.knees) {
    const Resource& resource = network.resources.at(knee.resource);
    facts.knees.push_back({.resource = resource.name,
                           .kind = resource.kind,
                           .demand_s_per_event = knee.demand_s,
                           .jobs = knee.clients * jobs_per_client,
                           .bound_busy = busy[facts.knees.size()]});
  }
  return facts;
}

}  // namespace saturn
