#include "tests/plan/plan_scenarios.hpp"

#include <cmath>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/read_scenario.hpp"

namespace saturn {

Scenario closed_loop(std::uint64_t jobs, std::uint64_t devices, TimeDistribution cpu, TimeDistribution service) {
  Scenario scenario;
  scenario.title = "a closed loop";
  scenario.jobs = {{.name = "job",
                    .site = "here",
                    .count = jobs,
                    .event = {CpuStage{.label = "think", .time = cpu, .part_of = {}},
                              InferStage{.label = "call", .model = "model", .cpu_alternative = {}}}}};
  Model& model = scenario.models["model"];
  model.service["gpu"] = ServiceLaw{.per_batch = service, .per_item = ConstantTime{}};
  scenario.servers = {
      {.name = "server", .site = "here", .nic = {}, .devices = {.type = "gpu", .count = devices}, .models = {"model"}}};
  scenario.devices["gpu"] = {};
  return scenario;
}

Scenario protodune(std::uint64_t jobs, std::uint64_t gpus) {
  static const Scenario shipped = read_scenario_file("protodune-big-batch", {}).scenario;
  Scenario scenario = shipped;
  scenario.jobs[0].count = jobs;
  scenario.jobs[0].start = JobStart::random;
  scenario.servers[0].devices.count = gpus;
  scenario.servers[0].host_price.reset();
  scenario.costs = {};
  scenario.sites.clear();
  return scenario;
}

Scenario on_platform(Scenario scenario) {
  const Link link = scenario.links.front();
  const Seconds latency = 0.5 * link.round_trip_time;
  scenario.links.clear();
  scenario.platform_file = "site.xml";
  scenario.platform = PlatformNetwork{
      .hosts = {link.site_a, link.site_b},
      .links = {{.name = "wan_UP", .bandwidth = link.bandwidth, .sharing = LinkSharing::one_direction},
                {.name = "window", .bandwidth = *link.per_flow, .sharing = LinkSharing::fatpipe},
                {.name = "wan_DOWN", .bandwidth = link.bandwidth, .sharing = LinkSharing::one_direction}},
      .routes = {{.from = link.site_a, .to = link.site_b, .links = {0, 1}, .latency = latency},
                 {.from = link.site_b, .to = link.site_a, .links = {2, 1}, .latency = latency}}};
  return scenario;
}

Evaluate evaluate_by(ClosedForm form) {
  return [form](std::span<const Scenario> scenarios) {
    if (form.calls) form.calls->push_back(scenarios.size());
    std::vector<Results> summaries;
    for (const Scenario& scenario : scenarios) {
      const double slowdown = form.slowdown(scenario);
      const double ideal_s = asymptotic_bounds(closed_network(scenario)).ideal_event_time_s;
      const auto estimate = [&](double mean, double half_width) {
        const auto replications = static_cast<std::uint32_t>(scenario.run.min_replications);
        return Estimate{mean, mean - half_width, mean + half_width, 0.95, replications};
      };
      Results summary;
      summary.all_jobs.set("slowdown", estimate(slowdown, form.half_width));
      summary.all_jobs.set("event_time_s", estimate(slowdown * ideal_s, form.half_width * ideal_s));
      summary.all_jobs.set("events_per_s", estimate(stream_count(scenario) / (slowdown * ideal_s), 0));
      summaries.push_back(summary);
    }
    return summaries;
  };
}

double mva_slowdown(const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  const JobClass& jobs = network.classes.front();
  const auto clients = static_cast<std::size_t>(std::llround(jobs.clients));
  return exact_mva(mva_stations(network), jobs.think_time.value, clients).event_time_s / jobs.ideal_event_time.value;
}

double bound_slowdown(const Scenario& scenario) {
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  return bounds.event_time_s / bounds.ideal_event_time_s;
}

double rounded_bound(const Scenario& scenario) {
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  return std::pow(1 + std::pow(bounds.clients / bounds.knees.front().clients, 8), 1.0 / 8);
}

}  // namespace saturn
