#include <algorithm>
#include <cmath>

#include "scenarios/demands.hpp"
#include "scenarios/routes.hpp"

namespace saturn {

double relative_scatter(const Scenario& scenario, const JobPool& pool) {
  double event_mean_s = 0.0;
  double event_variance = 0.0;
  double service_only = 0.0;
  for (const Stage& stage : pool.event) {
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) {
      event_mean_s += mean(cpu->time).value;
      event_variance += variance(cpu->time);
      continue;
    }
    const auto& infer = std::get<InferStage>(stage);
    const RequestSplit split = split_requests(infer);
    const auto requests = static_cast<double>(split.requests);
    const auto items = static_cast<double>(infer.request_batch);
    for (const std::size_t server : servers_of(scenario, infer.model)) {
      const ServiceLaw& law = scenario.models.at(infer.model).service.at(scenario.servers[server].devices.type);
      const double stage_mean_s = requests * mean(law, items).value;
      const double stage_variance = requests * variance(law, items);
      event_mean_s += stage_mean_s;
      event_variance += stage_variance;
      if (stage_mean_s > 0.0) service_only = std::max(service_only, std::sqrt(stage_variance) / stage_mean_s);
    }
  }
  const double whole = event_mean_s > 0.0 ? std::sqrt(event_variance) / event_mean_s : 0.0;
  return std::max(whole, service_only);
}

std::string bound_caveat(const Scenario& scenario) {
  if (scenario.jobs.size() > 1)
    return "for the mix of jobs that nothing hinders; under load the mix shifts to those that wait least";
  for (const auto& [name, model] : scenario.models) {
    if (servers_of(scenario, name).size() > 1)
      return "for requests split over the servers by their nodes; a balancer may do better";
  }
  return "";
}

}  // namespace saturn
