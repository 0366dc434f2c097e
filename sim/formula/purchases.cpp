#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "models/laws/worker_nodes.hpp"
#include "models/queueing/closed_formulas.hpp"
#include "models/values/search_order.hpp"
#include "models/values/units.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/topology/routes.hpp"
#include "sim/formula/expenses.hpp"

namespace saturn {

namespace {

// Whoever needs more has nodes that are hardly ever up.
constexpr std::uint64_t most_spare_nodes = 1'000'000'000;

}  // namespace

std::uint64_t spare_nodes_for(std::uint64_t working, double node_availability, double asked) {
  if (!(asked > 0.0) || !(asked < 1.0))
    throw std::invalid_argument("spare_nodes_for: an availability is above 0 and below 1");
  const auto enough = [&](std::uint64_t spare) {
    return enough_nodes_up(working, working + spare, node_availability) >= asked;
  };
  // Every further node makes it more likely.
  const auto spare = least_accepted({.first = 0, .enough = most_spare_nodes, .last = most_spare_nodes}, enough);
  if (!spare)
    throw std::domain_error("no number of spare nodes that anybody has makes so unavailable nodes available enough");
  return *spare;
}

namespace {

std::uint64_t& what_grows(Server& server) {
  return server.nodes == 1 ? server.devices.count : server.nodes;
}

}  // namespace

DeviceFleet::DeviceFleet(Scenario scenario) : scenario_(std::move(scenario)) {
  std::uint64_t common = 0;
  for (Server& server : scenario_.servers) common = std::gcd(common, what_grows(server));
  for (Server& server : scenario_.servers) counts_in_step_.push_back(what_grows(server) / common);
  present_steps_ = common;
}

Scenario DeviceFleet::with_steps(std::uint64_t steps) const {
  Scenario grown = scenario_;
  for (std::size_t i = 0; i < counts_in_step_.size(); ++i) {
    Server& server = grown.servers[i];
    const bool nodes_grow = server.nodes != 1;
    what_grows(server) = counts_in_step_[i] * steps;
    if (!nodes_grow || !server.autoscaler) continue;
    // Nodes that it may not start would never be in service.
    server.autoscaler->most = server.nodes;
    server.autoscaler->least = std::min(server.autoscaler->least, server.nodes);
  }
  return grown;
}

namespace {

/// Of one core with its electricity [USD/s].
double core_usd_per_s(const Costs& costs) {
  double usd_per_h = costs.core->value;
  if (costs.electricity && costs.core_power)
    usd_per_h += costs.electricity->value * costs.core_power->value / watts_per_kilowatt;
  return usd_per_h / seconds_per_hour;
}

/// Of devices and hosts with their electricity [USD/s].
double servers_usd_per_s(const Scenario& scenario, const Expenses& expenses) {
  double usd_per_h = *expenses.devices_usd_per_h + expenses.nodes_usd_per_h.value_or(0.0);
  if (scenario.costs.electricity && expenses.devices_power_w)
    usd_per_h += scenario.costs.electricity->value * *expenses.devices_power_w / watts_per_kilowatt;
  return usd_per_h / seconds_per_hour;
}

/// An event of all pools, in the mix in which events end when nothing hinders them.
struct MeanEvent {
  std::string lacks_cpu_time{};  ///< label of a stage without cpu_alternative
  bool calls = false;
  double beside_s = 0.0;       ///< what the event computes whether the module is offloaded or not [s]
  double on_cpu_s = 0.0;       ///< the module on the job's own core [s]
  double on_cpu_core_s = 0.0;  ///< and the core time that this takes [s]
  double cores_held = 0.0;     ///< by a stream [1]
};

/// Cores that an event holds while it computes: its stream's, which are more than one where a job has more threads
/// than streams; where streams wait for the job's cores, the one that it got.
double cores_of_computing(const JobPool& pool) {
  return std::max(1.0, static_cast<double>(pool.threads) / static_cast<double>(streams_per_job(pool)));
}

std::string stage_without_cpu_time(const JobPool& pool) {
  for (const Stage& stage : pool.event) {
    const auto* infer = std::get_if<InferStage>(&stage);
    if (infer != nullptr && !infer->cpu_alternative) return infer->label;
  }
  return "";
}

double beside_module_s(const JobPool& pool) {
  double speeds = 0.0;
  for (const SpeedClass& one : speed_classes(pool.speed, pool.count))
    speeds += static_cast<double>(one.jobs) * one.speed;
  double cpu_s = 0.0;
  for (const Stage& stage : pool.event) {
    const auto* cpu = std::get_if<CpuStage>(&stage);
    if (cpu != nullptr && !cpu->part_of) cpu_s += mean(cpu->time).value;
  }
  return cpu_s * static_cast<double>(pool.count) / speeds;
}

MeanEvent mean_event(const System& system) {
  const auto& [scenario, network, bounds] = system;
  const RoutedResources routed = routed_resources(scenario);
  MeanEvent event;
  double rates = 0.0;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    const JobClass& jobs = network.classes[j];
    const double rate = jobs.clients / (jobs.ideal_event_time + jobs.set_up).value;
    const CpuOnly alone = cpu_only(scenario, routed, pool);
    const std::string lacks = stage_without_cpu_time(pool);
    if (event.lacks_cpu_time.empty()) event.lacks_cpu_time = lacks;
    for (const Stage& stage : pool.event) event.calls = event.calls || std::holds_alternative<InferStage>(stage);
    rates += rate;
    event.beside_s += rate * beside_module_s(pool);
    event.on_cpu_s += rate * alone.offloaded_s;
    event.on_cpu_core_s += rate * alone.offloaded_s * cores_of_computing(pool);
    event.cores_held += rate * static_cast<double>(pool.threads) / static_cast<double>(streams_per_job(pool));
  }
  event.beside_s /= rates;
  event.on_cpu_s /= rates;
  event.on_cpu_core_s /= rates;
  event.cores_held /= rates;
  return event;
}

void say_why_not(const std::string& why, ModulePrice& price) {
  append_part(price.why_not, why, "; ");
}

}  // namespace

Scenario cpu_only_scenario(const Scenario& scenario) {
  Scenario result = scenario;
  result.models.clear();
  result.servers.clear();
  result.links.clear();
  result.routes.clear();
  result.sites.clear();
  result.platform_file.reset();
  result.platform.reset();
  for (JobPool& pool : result.jobs) {
    std::vector<Stage> event;
    for (Stage& stage : pool.event) {
      if (auto* cpu = std::get_if<CpuStage>(&stage)) {
        // What it waited for is computed before it now.
        cpu->needs.clear();
        if (!cpu->part_of) event.emplace_back(std::move(*cpu));
        continue;
      }
      const auto& infer = std::get<InferStage>(stage);
      if (!infer.cpu_alternative) throw std::invalid_argument("cpu_only_scenario: " + infer.label + " on no CPU");
      event.emplace_back(CpuStage{.label = infer.label, .time = ConstantTime{*infer.cpu_alternative}});
    }
    pool.event = std::move(event);
  }
  return result;
}

std::optional<double> cpu_only_usd_per_million(const Scenario& scenario) {
  if (!scenario.costs.core) return std::nullopt;
  const RoutedResources routed = routed_resources(scenario);
  for (const JobPool& pool : scenario.jobs)
    if (!stage_without_cpu_time(pool).empty() || !(cpu_only(scenario, routed, pool).event_time_s > 0.0))
      return std::nullopt;
  const System alone = cpu_only_scenario(scenario);
  return *compute_expenses(alone, {}).rent_usd_per_h() / seconds_per_hour / alone.bounds.events_per_s * million;
}

ModulePrice module_price(const System& system, const PurchaseTerms& terms, double events_per_s, double event_time_s) {
  const Scenario& scenario = system.scenario;
  ModulePrice price;
  const MeanEvent event = mean_event(system);
  if (!event.calls) {
    price.why_not = "no stage calls a model";
    return price;
  }
  price.cpu_only_s = event.lacks_cpu_time.empty() ? event.on_cpu_s : 0.0;
  price.as_a_service_s = std::max(0.0, event_time_s - event.beside_s);
  if (!scenario.costs.core) {
    price.why_not = "cores have no price (/costs/core)";
    return price;
  }
  const double core_usd = core_usd_per_s(scenario.costs);
  if (event.lacks_cpu_time.empty()) {
    price.cpu_only_usd_per_million = core_usd * event.on_cpu_core_s * million;
  } else {
    say_why_not("the stage " + event.lacks_cpu_time + " lacks \"cpu_alternative\"", price);
  }
  const Expenses expenses = compute_expenses(system, terms);
  if (!expenses.devices_usd_per_h) {
    say_why_not("a device has no price", price);
  } else if (any_open(scenario)) {
    say_why_not("events arrive from outside, so cores also wait for events", price);
  } else if (!(events_per_s > 0.0) || !std::isfinite(event_time_s)) {
    say_why_not("no event ends", price);
  } else {
    price.as_a_service_usd_per_million =
        (servers_usd_per_s(scenario, expenses) / events_per_s + expenses.traffic_usd_per_event +
         core_usd * event.cores_held * price.as_a_service_s) *
        million;
  }
  return price;
}

}  // namespace saturn
