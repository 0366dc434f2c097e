#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/queueing/open_capacity.hpp"
#include "reports/page/page_data.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/read_scenario.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/study/report/report_parts.hpp"
#include "tests/page/page_samples.hpp"

// What models/queueing/closed_formulas.hpp and models/queueing/open_capacity.hpp say at many settings of the planner's
// samples, and of shipped scenarios with several pools, servers or asynchronous calls, as JSON: the page's own formulas
// must say the same. Usage: planner_reference FILE
namespace {

using Json = nlohmann::json;
using namespace saturn;

/// Values of the sliders; the rest is the sample's.
struct Setting {
  std::optional<double> arrivals_per_s{};
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
  if (set.arrivals_per_s) network.classes.front().arrivals = Rate{*set.arrivals_per_s};
  network.work = {{set.device_s, 507e6 / 0.25e9, 507e6 / set.bandwidth_bytes_per_s}};
  return network;
}

Json settings_json(const Setting& set) {
  return {{"arrivals_per_s", set.arrivals_per_s ? Json(*set.arrivals_per_s) : Json(nullptr)},
          {"cpu_s", set.cpu_s},
          {"device_s", set.device_s},
          {"round_trip_s", set.round_trip_s},
          {"bandwidth_bytes_per_s", set.bandwidth_bytes_per_s},
          {"streams", set.clients},
          {"devices", set.devices},
          {"device_usd_per_hour", set.device_usd_per_hour},
          {"core_usd_per_hour", set.core_usd_per_hour}};
}

double usd_per_hour(const Setting& set) {
  return set.devices * set.device_usd_per_hour + set.clients * set.core_usd_per_hour +
         sample_planner().other_usd_per_hour;
}

Json closed_case(const Setting& set) {
  const PlannerModel sample = sample_planner();
  const ClosedNetwork network = network_of(set);
  const Bounds bounds = asymptotic_bounds(network);
  const bool binds = bounds.event_time_s > bounds.ideal_event_time_s;
  Json limits = Json::array();
  for (const Knee& knee : bounds.knees)
    limits.push_back({{"name", network.resources[knee.resource].name},
                      {"demand_s", knee.demand_s},
                      {"knee_streams", knee.clients},
                      {"use", bounds.events_per_s * knee.demand_s}});
  return {{"settings", settings_json(set)},
          {"expected",
           {{"ideal_event_time_s", bounds.ideal_event_time_s},
            {"event_time_s", bounds.event_time_s},
            {"slowdown", bounds.event_time_s / bounds.ideal_event_time_s},
            {"events_per_s", bounds.events_per_s},
            {"knee_streams", bounds.knees.front().clients},
            {"knee_per_device", bounds.knees.front().clients / set.devices},
            {"whole_per_device", std::floor(bounds.knees.front().clients / set.devices)},
            {"within_per_device", clients_within(network, sample.tolerated_slowdown) / set.devices},
            {"usd_per_million", usd_per_hour(set) / seconds_per_hour / bounds.events_per_s * million}}},
          {"binds", binds ? Json(network.resources[bounds.knees.front().resource].name) : Json(nullptr)},
          {"limits", limits}};
}

/// The fewest devices whose capacity is not below the arrivals, one after the other, or what no number of them lifts.
Json needed_json(Setting set) {
  constexpr double rounding = 1e-9;
  constexpr double very_many = 1e12;
  const double enough = *set.arrivals_per_s / (1.0 + rounding);
  set.devices = very_many;
  const OpenCapacity without_devices = open_capacity(network_of(set), 0);
  if (without_devices.capacity_per_s < enough)
    return {
        {"devices", nullptr}, {"hindered_by", without_devices.limit}, {"most_per_s", without_devices.capacity_per_s}};
  for (set.devices = 1; open_capacity(network_of(set), 0).capacity_per_s < enough;) set.devices += 1;
  return {{"devices", set.devices}, {"hindered_by", nullptr}};
}

Json open_case(const Setting& set) {
  const ClosedNetwork network = network_of(set);
  const OpenCapacity capacity = open_capacity(network, 0);
  const double served_per_s = std::min(capacity.offered_per_s, capacity.capacity_per_s);
  const Matrix demand = demands(network);
  const JobClass& pool = network.classes.front();
  Json uses = {{"streams", served_per_s * pool.ideal_event_time.value / pool.clients}};
  for (std::size_t r = 0; r < network.resources.size(); ++r)
    uses[network.resources[r].name] = served_per_s * demand(0, r);
  return {{"settings", settings_json(set)},
          {"expected",
           {{"ideal_event_time_s", pool.ideal_event_time.value},
            {"capacity_per_s", capacity.capacity_per_s},
            {"served_per_s", served_per_s},
            {"usd_per_million", usd_per_hour(set) / seconds_per_hour / served_per_s * million}}},
          {"lost_share", std::max(0.0, 1.0 - 1.0 / capacity.load())},
          {"limit", capacity.limit},
          {"needed", needed_json(set)},
          {"uses", uses}};
}

std::vector<Setting> open_settings() {
  return {{.arrivals_per_s = 3.0, .clients = 600},
          {.arrivals_per_s = 3.0, .clients = 600, .devices = 6},
          {.arrivals_per_s = 3.0, .clients = 100, .devices = 6},
          {.arrivals_per_s = 0.01, .clients = 600},
          // Just enough: 2 events/s of 2 s each on 4 devices.
          {.arrivals_per_s = 2.0, .device_s = 2.0, .clients = 600},
          // The network card, then the link, and last the streams are what no device lifts.
          {.arrivals_per_s = 9.0, .clients = 1e4, .devices = 32},
          {.arrivals_per_s = 40.0, .bandwidth_bytes_per_s = 4e9, .clients = 1e5, .devices = 90},
          {.arrivals_per_s = 5.0, .clients = 600, .devices = 3},
          {.arrivals_per_s = 0.2, .bandwidth_bytes_per_s = 0.01e9, .clients = 100},
          {.arrivals_per_s = 4.0, .cpu_s = 0.0, .round_trip_s = 0.25, .clients = 50},
          {.arrivals_per_s = 20.0, .cpu_s = 3.5, .device_s = 0.0, .bandwidth_bytes_per_s = 4e9, .clients = 300},
          {.arrivals_per_s = 3.0, .clients = 600, .device_usd_per_hour = 2.5, .core_usd_per_hour = 0.0}};
}

std::vector<Setting> closed_settings() {
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

/// A slider moved, and the same said to the scenario.
struct NetworkSetting {
  std::vector<Override> set{};
  Json settings = Json::object();
};

/// A scenario at several settings: the model that its page computes with, and the bounds of the scenario itself.
Json network_cases(const std::string& name, const std::vector<Override>& priced,
                   const std::vector<NetworkSetting>& settings) {
  constexpr double tolerated_slowdown = 0.01;
  const System present(read_scenario_file(name, priced).scenario);
  const PlannerModel model = planner_model(present, tolerated_slowdown);
  if (!model.network) throw std::logic_error(name + " has no network: " + model.why_not);
  Json cases = Json::array();
  for (const NetworkSetting& one : settings) {
    std::vector<Override> overrides = priced;
    overrides.insert(overrides.end(), one.set.begin(), one.set.end());
    const System system(read_scenario_file(name, overrides).scenario);
    const Bounds& bounds = system.bounds;
    Json limits = Json::array();
    for (const Knee& knee : bounds.knees)
      limits.push_back({{"name", system.network.resources[knee.resource].name},
                        {"demand_s", knee.demand_s},
                        {"knee_streams", knee.clients}});
    cases.push_back({{"settings", one.settings},
                     {"expected",
                      {{"ideal_event_time_s", bounds.ideal_event_time_s},
                       {"event_time_s", bounds.event_time_s},
                       {"slowdown", bounds.event_time_s / bounds.ideal_event_time_s},
                       {"events_per_s", bounds.events_per_s},
                       {"knee_streams", bounds.knees.front().clients},
                       {"within_streams", clients_within(system.network, tolerated_slowdown)},
                       {"usd_per_million", compute_expenses(system, {}).usd_per_million(bounds.events_per_s).value()}}},
                     {"limits", limits}});
  }
  return {{"scenario", name}, {"model", Json::parse(planner_data(model))}, {"cases", cases}};
}

/// Two pools of jobs, two servers, three links.
Json two_sites() {
  const ClosedNetwork network = closed_network(read_scenario_file("two-sites", {}).scenario);
  const auto bandwidth_of = [&](const std::string& resource) {
    const auto found = std::ranges::find(network.resources, resource, &Resource::name);
    return "bandwidth_bytes_per_s_" + std::to_string(found - network.resources.begin());
  };
  return network_cases("two-sites",
                       {{"/devices/gpu/price", "1.5 USD/h"},
                        {"/costs", R"({"core": "0.02 USD/h"})"},
                        {"/servers/0/host_price", "0.5 USD/h"},
                        {"/servers/1/host_price", "0.7 USD/h"},
                        {"/network/sites/university/cores", "90000"},
                        {"/network/sites/laboratory/cores", "90000"}},
                       {{},
                        {{{"/jobs/0/count", "20"}, {"/jobs/1/count", "30"}}, {{"streams_0", 20}, {"streams_1", 30}}},
                        {{{"/jobs/0/count", "900"}}, {{"streams_0", 900}}},
                        {{{"/jobs/1/count", "5000"}, {"/servers/0/nodes", "2"}}, {{"streams_1", 5000}, {"count_0", 2}}},
                        {{{"/jobs/1/count", "5000"}, {"/servers/0/nodes", "9"}}, {{"streams_1", 5000}, {"count_0", 9}}},
                        {{{"/servers/1/devices/count", "1"}}, {{"count_1", 1}}},
                        {{{"/network/links/2/rtt", "200 ms"}, {"/network/links/0/rtt", "0 ms"}},
                         {{"round_trip_s_2", 0.2}, {"round_trip_s_0", 0}}},
                        // Both directions of the uplink that binds, and one of a link; so narrow that flows are slower.
                        {{{"/network/sites/university/uplink", "40 Gbps"}},
                         {{bandwidth_of("university uplink out"), 5e9}, {bandwidth_of("university uplink in"), 5e9}}},
                        {{{"/network/sites/university/uplink", "1 Gbps"}, {"/network/links/2/bandwidth", "3 Gbps"}},
                         {{bandwidth_of("university uplink out"), 0.125e9},
                          {bandwidth_of("university uplink in"), 0.125e9},
                          {bandwidth_of("exchange to cloud"), 0.375e9}}},
                        {{{"/devices/gpu/price", "4 USD/h"}, {"/costs/core", "0 USD/h"}},
                         {{"device_usd_per_hour_0", 4}, {"device_usd_per_hour_1", 4}, {"core_usd_per_hour", 0}}}});
}

/// One pool, asynchronous calls to four servers of several nodes.
Json scale_out() {
  return network_cases("cms-scale-out", {{"/costs", R"({"core": "0.0475 USD/h"})"}},
                       {{},
                        {{{"/jobs/0/count", "300"}}, {{"streams_0", 1200}}},
                        {{{"/servers/2/nodes", "3"}}, {{"count_2", 3}}},
                        {{{"/servers/0/nodes", "60"}, {"/servers/1/nodes", "50"}, {"/servers/2/nodes", "99"}},
                         {{"count_0", 60}, {"count_1", 50}, {"count_2", 99}}},
                        // So far away that the last module does not hide the calls.
                        {{{"/network/links/0/rtt", "80 ms"}}, {{"round_trip_s_0", 0.08}}}});
}

/// One pool, asynchronous calls over a distance.
Json cross_site() {
  return network_cases("cms-cross-site", {{"/devices/t4/price", "0.35 USD/h"}},
                       {{},
                        {{{"/servers/0/devices/count", "3"}}, {{"count_0", 3}}},
                        {{{"/network/links/0/rtt", "150 ms"}}, {{"round_trip_s_0", 0.15}}}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: planner_reference FILE\n");
    return 64;
  }
  const std::string path = argv[1];
  Json cases = {{"closed", Json::array()}, {"open", Json::array()}};
  for (const Setting& set : closed_settings()) cases["closed"].push_back(closed_case(set));
  for (const Setting& set : open_settings()) cases["open"].push_back(open_case(set));
  cases["network"] = {two_sites(), scale_out(), cross_site()};
  std::ofstream file(path, std::ios::binary);
  file << cases.dump(1) << "\n";
  file.close();
  if (!file) std::fprintf(stderr, "cannot write %s\n", path.c_str());
  return file ? 0 : 1;
}
