#include <algorithm>
#include <cmath>

#include "scenarios/demands.hpp"
#include "scenarios/routes.hpp"

namespace saturn {

namespace {

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
};

/// Of the time of one full request that is executed alone, over the lengths that it may have.
Moments request_moments(const ServiceLaw& law, const InferStage& stage) {
  const auto items = static_cast<double>(stage.request_batch);
  const std::vector<double> lengths = stage.item_lengths.empty() ? std::vector<double>{1.0} : stage.item_lengths;
  double mean_sum = 0.0;
  double square_sum = 0.0;
  for (const double length : lengths) {
    const double mean_s = mean(law, items * length).value;
    mean_sum += mean_s;
    square_sum += variance(law, items * length) + mean_s * mean_s;
  }
  const auto kinds = static_cast<double>(lengths.size());
  const double mean_s = mean_sum / kinds;
  return {mean_s, std::max(0.0, square_sum / kinds - mean_s * mean_s)};
}

}  // namespace

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
    for (const std::size_t server : servers_of(scenario, infer.model)) {
      if (const auto& host = scenario.servers[server].host) {
        const double work_s = host->per_request.value + static_cast<double>(infer.request_batch) * host->per_item.value;
        event_mean_s += requests * work_s;
        event_variance += requests * work_s * work_s * host->scatter * host->scatter;
        service_only = std::max(service_only, host->scatter / std::sqrt(requests));
      }
      for (const std::string& step : model_steps(scenario.models, infer.model)) {
        const ServiceLaw& law = scenario.models.at(step).service.at(scenario.servers[server].devices.type);
        const Moments request = request_moments(law, infer);
        const double stage_mean_s = requests * request.mean;
        const double stage_variance = requests * request.variance;
        event_mean_s += stage_mean_s;
        event_variance += stage_variance;
        if (stage_mean_s > 0.0) service_only = std::max(service_only, std::sqrt(stage_variance) / stage_mean_s);
      }
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
