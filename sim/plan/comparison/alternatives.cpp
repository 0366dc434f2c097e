#include "sim/plan/comparison/alternatives.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/worker_node_devices.hpp"
#include "sim/plan/one_search.hpp"

namespace saturn {

namespace {

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

Estimate scaled(Estimate estimate, double factor) {
  estimate.mean *= factor;
  estimate.low *= factor;
  estimate.high *= factor;
  return estimate;
}

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
  const Expenses expenses = compute_expenses(scenario, {});
  outcome.priced = priced_parts(expenses);
  if (const auto rent = expenses.rent_usd_per_h()) {
    outcome.cost_usd_per_million_events =
        (*rent / events_per_s / seconds_per_hour + mixed_traffic(scenario, summary)) * million;
  }
  const ModulePrice module = module_price(scenario, {}, events_per_s, summary.all_jobs["event_time_s"].mean);
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
  const double hours_per_million = million / all["events_per_s"].mean / seconds_per_hour;
  outcome.device_hours_per_million_events = outcome.devices * hours_per_million;
  set_costs(outcome, scenario, summary);
  outcome.rejected_share = rejected_share(summary);
  set_binding(outcome, scenario);
  return outcome;
}

}  // namespace saturn
