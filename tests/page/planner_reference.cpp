#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "models/bounds.hpp"
#include "tests/page/page_samples.hpp"

// What models/bounds.hpp says at many settings of the planner's sample, as JSON: the page's own formulas must say the
// same. Usage: planner_reference FILE
namespace {

using Json = nlohmann::json;
using namespace saturn;

/// Values of the sliders; the rest is the sample's.
struct Setting {
  double cpu_s = 117.0;
  double device_s = 1.771;
  double round_trip_s = 0.0118;
  double bandwidth_bytes_per_s = 0.25e9;
  double clients = 268;
  double devices = 4;
  double device_usd_per_hour = 0.35;
  double core_usd_per_hour = 0.03;
};

// The system behind the sample, from its parts: GPUs, a link that does not change, and a network card as fast as the
// flows' bandwidth has it.
ClosedNetwork network_of(const Setting& set) {
  const PlannerModel sample = sample_planner();
  ClosedNetwork network;
  network.resources = {{.name = "gke/t4", .kind = ResourceKind::gpu, .units = set.devices},
                       {.name = "fnal-iowa send", .kind = ResourceKind::link, .units = 50},
                       {.name = "gke node 0 receive", .kind = ResourceKind::network_card, .units = 16}};
  const double ideal_s = set.cpu_s + set.device_s + sample.round_trips * set.round_trip_s +
                         sample.transferred_bytes / set.bandwidth_bytes_per_s + sample.other_s;
  network.classes = {{.name = "reco",
                      .clients = set.clients,
                      .ideal_event_time = {ideal_s},
                      .think_time = {0.0},
                      .set_up = {},
                      .arrivals = {}}};
  network.work.resize(1, 3);
  network.work << set.device_s, 507e6 / 0.25e9, 507e6 / set.bandwidth_bytes_per_s;
  return network;
}

Json case_of(const Setting& set) {
  const PlannerModel sample = sample_planner();
  const ClosedNetwork network = network_of(set);
  const Bounds bounds = asymptotic_bounds(network);
  const double usd_per_hour =
      set.devices * set.device_usd_per_hour + set.clients * set.core_usd_per_hour + sample.other_usd_per_hour;
  const bool binds = bounds.event_time_s > bounds.ideal_event_time_s;
  Json limits = Json::array();
  for (const Knee& knee : bounds.knees)
    limits.push_back({{"name", network.resources[knee.resource].name},
                      {"demand_s", knee.demand_s},
                      {"knee_clients", knee.clients},
                      {"use", bounds.events_per_s * knee.demand_s}});
  return {{"settings",
           {{"cpu_s", set.cpu_s},
            {"device_s", set.device_s},
            {"round_trip_s", set.round_trip_s},
            {"bandwidth_bytes_per_s", set.bandwidth_bytes_per_s},
            {"clients", set.clients},
            {"devices", set.devices},
            {"device_usd_per_hour", set.device_usd_per_hour},
            {"core_usd_per_hour", set.core_usd_per_hour}}},
          {"expected",
           {{"ideal_event_time_s", bounds.ideal_event_time_s},
            {"event_time_s", bounds.event_time_s},
            {"events_per_s", bounds.events_per_s},
            {"knee_clients", bounds.knees.front().clients},
            {"knee_per_device", bounds.knees.front().clients / set.devices},
            {"clients_within", clients_within(bounds, sample.tolerated_slowdown)},
            {"usd_per_million", usd_per_hour / seconds_per_hour / bounds.events_per_s * million}}},
          {"binds", binds ? Json(network.resources[bounds.knees.front().resource].name) : Json(nullptr)},
          {"limits", limits}};
}

std::vector<Setting> settings() {
  return {{},
          {.clients = 400},
          {.device_s = 0.1, .clients = 3000},
          {.cpu_s = 3.5, .devices = 1},
          {.cpu_s = 0.0, .round_trip_s = 0.25, .clients = 17},
          {.bandwidth_bytes_per_s = 0.01e9, .clients = 100},
          {.device_s = 40.0, .clients = 1, .devices = 64},
          {.device_s = 0.02, .bandwidth_bytes_per_s = 4e9, .clients = 20000},
          {.clients = 274, .device_usd_per_hour = 2.5, .core_usd_per_hour = 0.0}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: planner_reference FILE\n");
    return 64;
  }
  const std::string path = argv[1];
  Json cases = Json::array();
  for (const Setting& set : settings()) cases.push_back(case_of(set));
  std::ofstream file(path, std::ios::binary);
  file << cases.dump(1) << "\n";
  file.close();
  if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
  return file ? 0 : 1;
}
