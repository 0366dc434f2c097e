#include "sim/plan/comparison/alternatives.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/nodes_of_sites.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/served_work.hpp"

namespace saturn {

namespace {

/// Each once, in the order of the pools.
std::vector<std::string> sites_of_jobs(const Scenario& scenario) {
  std::vector<std::string> sites;
  for (const JobPool& pool : scenario.jobs)
    if (std::find(sites.begin(), sites.end(), pool.site) == sites.end()) sites.push_back(pool.site);
  return sites;
}

bool has_link_within(const Scenario& scenario, const std::string& site) {
  return std::any_of(scenario.links.begin(), scenario.links.end(),
                     [&](const Link& link) { return link.site_a == site && link.site_b == site; });
}

/// Where the service of a scenario without "alternatives" is, in a name.
std::string service_name(const Scenario& scenario) {
  std::set<std::string> sites;
  for (const Server& server : scenario.servers) sites.insert(server.site);
  if (sites_of_jobs(scenario).size() == 1 && sites == std::set{scenario.jobs.front().site}) return "service on site";
  return "service at " + joined({sites.begin(), sites.end()});
}

std::string server_at(const Server& server) {
  return "/servers/" + std::to_string(server.place);
}

Alternative cpu_only(const Scenario& scenario) {
  Alternative result{.name = "CPU only", .cpu_only = true, .per_job = true};
  result.made_of =
      "every inference takes its \"cpu_alternative\" on the job's own core; preparation for the service "
      "(\"part_of\") is left out";
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    for (std::size_t k = 0; k < scenario.jobs[j].event.size(); ++k) {
      const auto* infer = std::get_if<InferStage>(&scenario.jobs[j].event[k]);
      if (infer == nullptr || infer->cpu_alternative) continue;
      append_part(result.why_not,
                  std::string("/jobs/") + std::to_string(j) + "/event/" + std::to_string(k) + " (" + infer->label +
                      ") lacks \"cpu_alternative\", the time of the same inferences on the job's own core",
                  "; ");
    }
  }
  return result;
}

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

bool calls_from(const Scenario& scenario, const std::string& site) {
  const std::vector<ModelCall> calls = model_calls(scenario);
  return std::any_of(calls.begin(), calls.end(), [&](const ModelCall& call) { return call.pool.site == site; });
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
  const Server& server = scenario.servers.front();
  const std::string at = server_at(server);
  std::vector<Override> settings{{at + "/site", scenario.jobs.front().site},
                                 {at + "/nodes", std::to_string(nodes)},
                                 {at + "/devices/count", "1"},
                                 {at + "/attached", attachment(defaults)}};
  // The device of a node has the models of all servers, of which the others go.
  if (scenario.servers.size() > 1) settings.push_back({at + "/models", models_of_all(scenario)});
  // What has no meaning without a network between jobs and devices.
  if (server.admission) settings.push_back({at + "/admission", "null"});
  if (server.nic) settings.push_back({at + "/nic", "null"});
  // The worker nodes are paid for with their cores.
  if (server.host_price) settings.push_back({at + "/host_price", "null"});
  // Servers that hold the same models spread requests alike, those without nodes too.
  for (const Server& one : scenario.servers)
    if (one.dispatch != Dispatch::round_robin) settings.push_back({server_at(one) + "/dispatch", "null"});
  if (server.balancing != Balancing::per_request) settings.push_back({at + "/balancing", "null"});
  for (std::size_t s = 1; s < scenario.servers.size(); ++s)
    settings.push_back({server_at(scenario.servers[s]) + "/nodes", "0"});
  return settings;
}

/// One device in each worker node, which serves the jobs of that node: those of one site by the first server, moved
/// there; of several by servers and models of each site's own, of the type that its servers have, else that all have.
Alternative device_in_each_worker_node(const Scenario& scenario, const std::string& resolved,
                                       const AlternativeDefaults& defaults) {
  Alternative result{.name = device_word_of(scenario) + " in each worker node", .per_job = true};
  const std::vector<std::string> sites = sites_of_jobs(scenario);
  std::string made_of;
  std::vector<NodesOfSite> own;
  for (const std::string& site : sites) {
    if (sites.size() > 1 && !calls_from(scenario, site)) continue;
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

/// All servers at one site of the jobs.
Alternative service_at(const Scenario& scenario, const std::string& site, const AlternativeDefaults& defaults) {
  const bool only_site = sites_of_jobs(scenario).size() == 1;
  Alternative result{.name = only_site ? "service on site" : "service at " + site};
  for (const Server& server : scenario.servers)
    if (server.site != site) result.settings.push_back({server_at(server) + "/site", site});
  result.made_of = "the same servers at " + site;
  // Where servers are at the site as it stands, the scenario says how its jobs reach them.
  const bool known = std::any_of(scenario.servers.begin(), scenario.servers.end(),
                                 [&](const Server& server) { return server.site == site; });
  if (known || has_link_within(scenario, site)) return result;
  const std::string link = "{\"between\":[" + escaped_in_quotes(site) + "," + escaped_in_quotes(site) +
                           "],\"bandwidth\":\"" + defaults.local_bandwidth + "\",\"rtt\":\"" + defaults.local_rtt +
                           "\"}";
  if (scenario.platform) {
    if (!only_site) {
      result.why_not = "a platform file says how the sites are joined; say what is meant in /alternatives";
      return result;
    }
    result.settings.push_back({"/network/platform", "null"});
    result.settings.push_back({"/network/links", "[" + link + "]"});
  } else {
    // Servers elsewhere were reached over links, so there is a list to add to.
    result.settings.push_back({"/network/links/-", link});
  }
  result.made_of +=
      ", over a local network of " + defaults.local_bandwidth + " and " + defaults.local_rtt + " (assumed)";
  return result;
}

/// Each site of the jobs with all servers, where they are not all there already.
std::vector<Alternative> services_at_sites(const Scenario& scenario, const AlternativeDefaults& defaults) {
  constexpr std::size_t most_sites = 4;
  std::vector<Alternative> all;
  for (const std::string& site : sites_of_jobs(scenario)) {
    const bool moved = std::any_of(scenario.servers.begin(), scenario.servers.end(),
                                   [&](const Server& server) { return server.site != site; });
    if (moved && all.size() < most_sites) all.push_back(service_at(scenario, site, defaults));
  }
  return all;
}

}  // namespace

std::vector<Alternative> alternatives(const Scenario& scenario, const std::string& resolved,
                                      const AlternativeDefaults& defaults) {
  std::vector<Alternative> result{cpu_only(scenario)};
  if (!scenario.alternatives.empty()) {
    for (const ScenarioAlternative& own : scenario.alternatives) {
      result.push_back({.name = own.name, .settings = own.set});
    }
    result[1].service = true;
    return result;
  }
  if (scenario.servers.empty()) return result;
  result.push_back(device_in_each_worker_node(scenario, resolved, defaults));
  for (Alternative& one : services_at_sites(scenario, defaults)) result.push_back(std::move(one));
  result.push_back({.name = service_name(scenario), .service = true, .made_of = "the scenario as it stands"});
  return result;
}

namespace {

Estimate none_of(const Estimate& like) {
  return {.mean = 0.0, .low = 0.0, .high = 0.0, .confidence = like.confidence, .replications = like.replications};
}

/// Cores that an event occupies beyond what its CPU stages need, where streams share the job's cores: what the
/// cores were not needed for [s].
Estimate idle_core_s(const JobPool& pool, const JobsResults& jobs) {
  double speeds = 0.0;
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count))
    speeds += static_cast<double>(one.jobs) * one.speed;
  double cpu_s = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* cpu = std::get_if<CpuStage>(&stage)) cpu_s += mean(cpu->time).value;
  cpu_s *= static_cast<double>(pool.count) / speeds;
  const auto cores = static_cast<double>(pool.count * pool.threads);
  Estimate idle = jobs["events_per_s"];
  idle.mean = std::max(0.0, cores / jobs["events_per_s"].mean - cpu_s);
  idle.low = std::max(0.0, cores / jobs["events_per_s"].high - cpu_s);
  idle.high = std::max(0.0, cores / jobs["events_per_s"].low - cpu_s);
  return idle;
}

Estimate waiting_core_s(const Scenario& scenario, const Results& summary) {
  Estimate waiting = none_of(summary.all_jobs["events_per_s"]);
  double events_per_s = 0.0;
  for (const JobsResults& jobs : summary.jobs) events_per_s += jobs["events_per_s"].mean;
  for (std::size_t j = 0; j < summary.jobs.size(); ++j) {
    const JobsResults& jobs = summary.jobs[j];
    const std::vector<Stage>& event = scenario.jobs[j].event;
    if (shares_cores(scenario.jobs[j])) {
      add_to(waiting, scaled(idle_core_s(scenario.jobs[j], jobs), jobs["events_per_s"].mean / events_per_s));
      continue;
    }
    // Where events arrive from outside, the wait in the buffer is a stage before theirs; it holds no core.
    const std::size_t before = jobs.stages.size() - event.size();
    for (std::size_t k = 0; k < event.size(); ++k) {
      if (!std::holds_alternative<InferStage>(event[k])) continue;
      add_to(waiting, scaled(jobs.stages[before + k]["time_s"], jobs["events_per_s"].mean / events_per_s));
    }
  }
  return waiting;
}

std::optional<Estimate> device_use(const Results& summary) {
  std::optional<Estimate> use;
  double units = 0.0;
  for (const ResourceResults& resource : summary.resources) {
    if (!is_device(resource.kind)) continue;
    if (!use) use = none_of(resource["busy_fraction"]);
    add_to(*use, scaled(resource["busy_fraction"], resource["units"].mean));
    units += resource["units"].mean;
  }
  if (use) use = scaled(*use, 1.0 / units);
  return use;
}

/// Of an event, in the mix in which events ended [USD].
double mixed_traffic(const Scenario& scenario, const Results& summary) {
  if (summary.jobs.size() != scenario.jobs.size()) return compute_expenses(scenario, {}).traffic_usd_per_event;
  double usd_per_s = 0.0;
  double events_per_s = 0.0;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const double rate = summary.jobs[j]["events_per_s"].mean;
    usd_per_s += rate * traffic_usd_per_event(scenario, scenario.jobs[j]);
    events_per_s += rate;
  }
  return usd_per_s / events_per_s;
}

void set_costs(AlternativeOutcome& outcome, const Scenario& scenario, const Results& summary) {
  const double events_per_s = summary.all_jobs["events_per_s"].mean;
  const PurchaseTerms paid = as_paid({}, scenario, summary);
  const Expenses expenses = compute_expenses(scenario, paid);
  outcome.device_hours_per_million_events = expenses.devices_paid * million / events_per_s / seconds_per_hour;
  outcome.priced = priced_parts(expenses);
  if (const auto rent = expenses.rent_usd_per_h()) {
    outcome.cost_usd_per_million_events =
        (*rent / events_per_s / seconds_per_hour + mixed_traffic(scenario, summary)) * million;
  }
  const ModulePrice module = module_price(scenario, paid, events_per_s, summary.all_jobs["event_time_s"].mean);
  outcome.module_usd_per_million_events = module.as_a_service_usd_per_million;
}

void set_binding(AlternativeOutcome& outcome, const System& system) {
  const auto& [scenario, network, bounds] = system;
  if (bounds.knees.empty()) return;
  const Knee& first = bounds.knees.front();
  outcome.first_to_saturate = network.resources[first.resource].name;
  outcome.saturates_at_jobs = first.clients * job_count(scenario) / bounds.clients;
  outcome.saturated = bounds.clients >= first.clients;
}

}  // namespace

AlternativeOutcome assess_alternative(const Scenario& scenario, const Results& summary) {
  AlternativeOutcome outcome;
  const JobsResults& all = summary.all_jobs;
  outcome.event_time_s = all["event_time_s"];
  outcome.events_per_s = all["events_per_s"];
  outcome.waiting_core_s = waiting_core_s(scenario, summary);
  outcome.waiting_share = scaled(outcome.waiting_core_s, 1.0 / all["event_time_s"].mean);
  outcome.devices = static_cast<double>(device_count(scenario));
  outcome.device_use = device_use(summary);
  set_costs(outcome, scenario, summary);
  outcome.unserved_share = unserved_share(scenario, summary).mean;
  set_binding(outcome, scenario);
  return outcome;
}

}  // namespace saturn
