#include "sim/plan/comparison/worker_node_devices.hpp"

#include <algorithm>
#include <utility>

#include "models/words/texts.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/nodes_of_sites.hpp"

namespace saturn {

namespace {

/// Those of a node have threads of jobs of one pool.
std::uint64_t worker_nodes(const Scenario& scenario, const std::string& site, std::uint64_t node_cores) {
  std::uint64_t nodes = 0;
  for (const JobPool& pool : scenario.jobs) {
    if (pool.site != site) continue;
    const std::uint64_t jobs_a_node = std::max<std::uint64_t>(1, node_cores / pool.threads);
    nodes += (pool.count - 1) / jobs_a_node + 1;
  }
  return nodes;
}

/// The server whose devices the nodes of a site have: the first there, else the first of all.
struct Example {
  const Server* server = nullptr;
  std::string why_not{};  ///< several types to choose from
};

Example example_at(const Scenario& scenario, const std::string& site) {
  const bool any_there = std::any_of(scenario.servers.begin(), scenario.servers.end(),
                                     [&](const Server& server) { return server.site == site; });
  Example found;
  for (const Server& server : scenario.servers) {
    if (any_there && server.site != site) continue;
    if (found.server == nullptr) found.server = &server;
    if (server.devices.type != found.server->devices.type) {
      found.why_not = "servers have devices of different types, " + found.server->devices.type + " and " +
                      server.devices.type + "; say what is meant in /alternatives";
      break;
    }
  }
  return found;
}

std::string attachment(const AlternativeDefaults& defaults) {
  return "{\"bus\":\"" + defaults.bus + "\",\"latency\":\"" + defaults.bus_latency + "\"}";
}

/// All models of all servers, as JSON.
std::string models_of_all(const Scenario& scenario) {
  std::string list;
  std::set<std::string> seen;
  for (const Server& server : scenario.servers)
    for (const std::string& model : server.models)
      if (seen.insert(model).second) append_part(list, escaped_in_quotes(model), ",");
  return "[" + list + "]";
}

/// By the first server, which is moved to the jobs.
std::vector<Override> settings_at_one_site(const Scenario& scenario, std::uint64_t nodes,
                                           const AlternativeDefaults& defaults) {
  const auto pointer = [](const Server& server) { return "/servers/" + std::to_string(server.place); };
  const Server& server = scenario.servers.front();
  const std::string at = pointer(server);
  std::vector<Override> settings{{at + "/site", scenario.jobs.front().site},
                                 {at + "/nodes", std::to_string(nodes)},
                                 {at + "/devices/count", "1"},
                                 {at + "/attached", attachment(defaults)}};
  // The device of a node has the models of all servers, of which the others go.
  if (scenario.servers.size() > 1) settings.push_back({at + "/models", models_of_all(scenario)});
  // What has no meaning without a network between jobs and devices.
  if (server.nic) settings.push_back({at + "/nic", "null"});
  // The worker nodes are paid for with their cores.
  if (server.host_price) settings.push_back({at + "/host_price", "null"});
  // Servers that hold the same models spread requests alike, those without nodes too.
  for (const Server& one : scenario.servers)
    if (one.dispatch != Dispatch::round_robin) settings.push_back({pointer(one) + "/dispatch", "null"});
  if (server.balancing != Balancing::per_request) settings.push_back({at + "/balancing", "null"});
  for (std::size_t s = 1; s < scenario.servers.size(); ++s)
    settings.push_back({pointer(scenario.servers[s]) + "/nodes", "0"});
  return settings;
}

}  // namespace

std::vector<std::string> sites_of_jobs(const Scenario& scenario) {
  std::vector<std::string> sites;
  for (const JobPool& pool : scenario.jobs)
    if (std::find(sites.begin(), sites.end(), pool.site) == sites.end()) sites.push_back(pool.site);
  return sites;
}

Alternative device_in_each_worker_node(const Scenario& scenario, const std::string& resolved,
                                       const AlternativeDefaults& defaults) {
  Alternative result{.name = device_word_of(scenario) + " in each worker node", .per_job = true};
  const std::vector<std::string> sites = sites_of_jobs(scenario);
  std::string made_of;
  std::vector<NodesOfSite> own;
  for (const std::string& site : sites) {
    const Example example = example_at(scenario, site);
    result.why_not = example.why_not;
    if (!result.why_not.empty()) return result;
    const std::uint64_t nodes = worker_nodes(scenario, site, defaults.node_cores);
    append_part(made_of,
                sites.size() == 1 ? std::to_string(nodes)
                                  : std::to_string(nodes) + " at " + site + " (" + example.server->devices.type + ")",
                " and ");
    own.push_back({.site = site, .like = example.server->place, .nodes = nodes});
  }
  result.settings = sites.size() == 1 ? settings_at_one_site(scenario, own.front().nodes, defaults)
                                      : with_nodes_of_sites(scenario, resolved, own, attachment(defaults));
  result.made_of = "one device in each of " + made_of + " worker nodes of " + std::to_string(defaults.node_cores) +
                   " cores (--node-cores), shared by the jobs of that node" +
                   (sites.size() > 1              ? ", with the models that they call"
                    : scenario.servers.size() > 1 ? ", with the models of all servers"
                                                  : "") +
                   ", over " + defaults.bus +
                   " (PCI Express 3.0 x16: 15.75 GB/s, about three quarters of it usable) and " + defaults.bus_latency +
                   " each way (assumed)";
  return result;
}

}  // namespace saturn
