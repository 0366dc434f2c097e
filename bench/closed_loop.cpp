#include "bench/closed_loop.hpp"

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#include "models/laws/random_stream.hpp"

namespace saturn::bench {

Scenario scenario_of(const ClosedLoop& loop) {
  Scenario scenario;
  scenario.title = "closed loop";
  InferStage infer;
  infer.label = "inference";
  infer.model = "model";
  scenario.jobs.push_back({.name = "clients",
                           .site = "farm",
                           .count = loop.clients,
                           .threads = 1,
                           .start = JobStart::random,
                           .event = {CpuStage{"compute", ExponentialTime{Seconds{ClosedLoop::think_s}}, {}}, infer}});
  Model model;
  model.input = Bytes{ClosedLoop::request_bytes};
  model.output = Bytes{ClosedLoop::answer_bytes};
  model.service["device"].per_batch = ConstantTime{Seconds{loop.service_s()}};
  model.max_batch_size = loop.batching == Batching::off ? 1 : 8;
  model.dynamic_batching = loop.batching != Batching::off;
  if (loop.batching == Batching::delay) {
    model.max_queue_delay = Seconds{0.01 * ClosedLoop::think_s};
    model.preferred_batch_size = {4, 8};
  }
  scenario.models["model"] = model;
  Server server;
  server.name = "server";
  server.site = "centre";
  server.devices.type = "device";
  server.devices.count = ClosedLoop::devices;
  server.models = {"model"};
  scenario.servers.push_back(server);
  scenario.devices["device"] = {};
  scenario.links.push_back({.site_a = "farm",
                            .site_b = "centre",
                            .bandwidth = Bandwidth{loop.bandwidth()},
                            .round_trip_time = Seconds{ClosedLoop::round_trip_s},
                            .per_flow = Bandwidth{ClosedLoop::flow_bytes_per_s}});
  return scenario;
}

Scenario scenario_of(const SharedLoop& shared) {
  Scenario scenario = scenario_of(ClosedLoop{.clients = shared.clients});
  const JobPool pool = scenario.jobs.front();
  Link link = scenario.links.front();
  link.bandwidth = Bandwidth{100.0 * static_cast<double>(shared.clients) * ClosedLoop::request_bytes};
  scenario.jobs.clear();
  scenario.links.clear();
  for (std::uint64_t site = 0; site < shared.sites; ++site) {
    JobPool& own = scenario.jobs.emplace_back(pool);
    own.name += "-" + std::to_string(site);
    own.site += "-" + std::to_string(site);
    own.count = shared.clients / shared.sites + (site < shared.clients % shared.sites ? 1 : 0);
    link.site_a = own.site;
    scenario.links.push_back(link);
  }
  scenario.servers.front().nic =
      Bandwidth{0.1 * static_cast<double>(shared.clients) * ClosedLoop::request_bytes / ClosedLoop::think_s};
  return scenario;
}

double ClosedLoop::start_s(std::uint32_t client) const {
  const double flow = std::min(flow_bytes_per_s, bandwidth());
  const double ideal = think_s + round_trip_s + (request_bytes + answer_bytes) / flow + service_s();
  return RandomStream(1, 0, client, Purpose::start).uniform() * ideal;
}

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total = 0.0;
  double resident = 0.0;
  statm >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0;
}

}  // namespace saturn::bench
