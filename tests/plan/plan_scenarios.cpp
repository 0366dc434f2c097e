#include "tests/plan/plan_scenarios.hpp"

#include <cmath>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/mva.hpp"
#include "scenarios/demands/demands.hpp"

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
  Scenario scenario;
  scenario.title = "ProtoDUNE, big batches";
  scenario.jobs = {{.name = "reco",
                    .site = "fnal",
                    .count = jobs,
                    .start = JobStart::random,
                    .event = {CpuStage{"non-ML modules", ConstantTime{Seconds{110}}, {}},
                              CpuStage{"patch preprocessing", ConstantTime{Seconds{7}}, "emtrk"},
                              InferStage{.label = "EmTrkMichelId",
                                         .model = "emtrk",
                                         .items = 55000,
                                         .request_batch = 1719,
                                         .cpu_alternative = Seconds{220}}}}};
  scenario.models["emtrk"] = {
      .input = Bytes{9216},
      .output = Bytes{16},
      .max_batch_size = 65536,
      .instances = 1,
      .service = {{"t4", ServiceLaw{ConstantTime{Seconds{0}}, ConstantTime{Seconds{32.2e-6}}}}}};
  scenario.servers = {{.name = "gke",
                       .site = "iowa",
                       .nic = Bandwidth{4e9},
                       .devices = {.type = "t4", .count = gpus},
                       .models = {"emtrk"}}};
  scenario.devices["t4"] = {.price = UsdPerHour{0.35}, .power = Watts{70}};
  scenario.links = {{.site_a = "fnal",
                     .site_b = "iowa",
                     .bandwidth = Bandwidth{12.5e9},
                     .round_trip_time = Seconds{11.8e-3},
                     .per_flow = Bandwidth{0.25e9}}};
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

double rounded_bound(const Scenario& scenario) {
  const Bounds bounds = asymptotic_bounds(closed_network(scenario));
  return std::pow(1 + std::pow(bounds.clients / bounds.knees.front().clients, 8), 1.0 / 8);
}

}  // namespace saturn
