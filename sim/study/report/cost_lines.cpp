#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/document/complaints.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/study/report/report_parts.hpp"

namespace saturn {

namespace {

constexpr double beyond_own_load = 2.0;
constexpr std::size_t loads_on_a_line = 80;
/// Steps of more fleets than these could not be told apart.
constexpr std::uint64_t most_edges = 40;
constexpr std::uint64_t most_fleet_steps = std::uint64_t{1} << 16;

/// How many clients devices carry within a slowdown.
class CarriedClients {
 public:
  /// @param need  of the scenario: where it tells the slowdown, what it has simulated holds in proportion to the bounds
  CarriedClients(const Scenario& scenario, double slowdown, const NeedStudy* need) : slowdown_(slowdown) {
    if (need == nullptr) return;
    const std::vector<double>& told = need->need.tolerances;
    const auto tolerance = static_cast<std::size_t>(std::find(told.begin(), told.end(), slowdown) - told.begin());
    if (tolerance == told.size()) return;
    const DeviceFleet fleet(scenario);
    const std::uint64_t in_step = device_count(fleet.with_steps(1));
    for (const FleetLoad& one : need->need.fleets) {
      const double bound = by_bound(fleet.with_steps(std::max<std::uint64_t>(1, one.devices / in_step)));
      if (std::isfinite(bound) && bound > 0.0) shares_[one.devices / in_step] = one.carried[tolerance] / bound;
    }
  }

  double with(const Scenario& scenario, std::uint64_t steps) const {
    const double bound = by_bound(scenario);
    if (shares_.empty()) return bound;
    const auto above = shares_.lower_bound(steps);
    return bound * (above == shares_.end() ? shares_.rbegin()->second : above->second);
  }

  double slowdown() const { return slowdown_; }

 private:
  double by_bound(const System& system) const { return clients_within(system.network, slowdown_); }

  double slowdown_;
  std::map<std::uint64_t, double> shares_{};  ///< simulated over bound, by steps of the fleet
};

/// A service that is bought as large as its jobs need it.
class SizedService {
 public:
  SizedService(Scenario scenario, const CarriedClients& carried) : fleet_(std::move(scenario)), carried_(carried) {}

  /// Clients that so many steps of the fleet carry.
  double carried(std::uint64_t steps) const { return carried_.with(fleet_.with_steps(steps), steps); }

  /// The fewest steps that carry the clients; nothing where none do.
  std::optional<std::uint64_t> steps_for(double clients) const {
    const auto enough = [&](std::uint64_t steps) { return carried(steps) * (1.0 + rounding) >= clients; };
    std::uint64_t most = 1;
    while (most < most_fleet_steps && !enough(most)) most *= 2;
    if (!enough(most)) return std::nullopt;
    std::uint64_t too_few = most / 2;
    while (most - too_few > 1) {
      const std::uint64_t middle = too_few + (most - too_few) / 2;
      (enough(middle) ? most : too_few) = middle;
    }
    return most;
  }

  /// The service and its jobs.
  Scenario sized(std::uint64_t steps, double clients) const { return with_streams(fleet_.with_steps(steps), clients); }

  /// What saturates first however large the fleet.
  std::string limit() const {
    const System system(fleet_.with_steps(most_fleet_steps));
    return system.bounds.knees.empty() ? "" : system.network.resources[system.bounds.knees.front().resource].name;
  }

 private:
  static constexpr double rounding = 1e-9;
  DeviceFleet fleet_;
  const CarriedClients& carried_;
};

/// Whole jobs at which lines are told, the scenario's own among them; both sides of each step of the service.
std::set<double> told_loads(const SizedService& service, double own, double most) {
  std::set<double> loads{own};
  for (std::size_t i = 1; i <= loads_on_a_line; ++i)
    loads.insert(std::max(1.0, std::round(most * static_cast<double>(i) / loads_on_a_line)));
  for (std::uint64_t steps = 1; steps <= most_edges; ++steps) {
    const double carried = std::floor(service.carried(steps));
    if (!(carried >= 1.0)) continue;
    if (!(carried < most)) break;
    loads.insert({carried, carried + 1.0});
  }
  return loads;
}

std::optional<LoadCost> cost_at(const Scenario& scenario) {
  const System system(scenario);
  const std::optional<double> usd = compute_expenses(system, {}).usd_per_million(system.bounds.events_per_s);
  if (!usd || !std::isfinite(*usd)) return std::nullopt;
  return LoadCost{.clients = stream_count(scenario), .usd = *usd, .devices = device_count(scenario)};
}

CostLine line_of_service(const std::string& name, const Scenario& scenario, const CarriedClients& carried, double own,
                         double most) {
  const SizedService service(scenario, carried);
  CostLine line{.name = name};
  for (const double clients : told_loads(service, own, most)) {
    const std::optional<std::uint64_t> steps = service.steps_for(clients);
    if (!steps) {
      line.ends_at = service.limit();
      break;
    }
    const auto point = cost_at(service.sized(*steps, clients));
    if (!point) return {.name = name};
    if (line.points.empty() || point->clients > line.points.back().clients) line.points.push_back(*point);
  }
  return line;
}

/// What grows with the jobs costs the same for each of them.
CostLine line_of_each_job(const std::string& name, double usd, double own, double most) {
  CostLine line{.name = name};
  for (const double clients : std::set<double>{1.0, own, most}) line.points.push_back({.clients = clients, .usd = usd});
  return line;
}

std::set<std::string> used_types(const Scenario& scenario) {
  std::set<std::string> types;
  for (const Server& server : scenario.servers) types.insert(server.devices.type);
  return types;
}

/// A scenario that the reader may refuse, as it refuses a device on which a model has no service law.
std::optional<Scenario> read_again(const StudyContext& context, const std::vector<Override>& settings) {
  try {
    return context.read.again(settings);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The service with each other type of devices that the scenario describes.
std::vector<CostLine> lines_of_other_types(const StudyContext& context, const CarriedClients& carried,
                                           const std::string& service, double own, double most) {
  std::vector<CostLine> lines;
  const std::set<std::string> used = used_types(context.scenario());
  for (const auto& [type, device] : context.scenario().devices) {
    if (!device.price || (used.size() == 1 && used.contains(type))) continue;
    std::vector<Override> settings;
    for (const Server& server : context.scenario().servers)
      settings.push_back({"/servers/" + std::to_string(server.place) + "/devices/type", type});
    if (const auto scenario = read_again(context, settings))
      lines.push_back(line_of_service(service + ", all " + type, *scenario, carried, own, most));
  }
  return lines;
}

/// Factor on all prices of devices at which the service, sized for the scenario's own jobs, costs what their cores do.
void add_break_even(CostStudy& cost, const StudyContext& context, const CarriedClients& carried) {
  const Scenario& scenario = context.scenario();
  if (!cost.cpu_only_usd) {
    const Alternative cores = alternatives(scenario, context.read.resolved, {}).front();
    cost.why_no_break_even = !scenario.costs.core ? "the jobs' cores have no price (/costs/core)" : cores.why_not;
    return;
  }
  const SizedService service(scenario, carried);
  const std::optional<std::uint64_t> steps = service.steps_for(cost.clients);
  if (!steps) {
    cost.why_no_break_even = "no number of " + cost.device_word + "s serves the scenario's own jobs";
    return;
  }
  const System system(service.sized(*steps, cost.clients));
  const Expenses expenses = compute_expenses(system, {});
  const double devices_usd = expenses.devices_usd_per_h.value_or(0.0);
  if (!(devices_usd > 0.0)) return;
  // Rent and throughput are both linear in the price: all parts but the devices are what is left of the budget.
  const double hours_per_million = 1e6 / system.bounds.events_per_s / 3600.0;
  const double own_usd = *expenses.usd_per_million(system.bounds.events_per_s);
  const double without_devices = own_usd - devices_usd * hours_per_million;
  cost.break_even_times = (*cost.cpu_only_usd - without_devices) / (devices_usd * hours_per_million);
  const std::set<std::string> types = used_types(scenario);
  if (types.size() != 1) return;
  cost.break_even_device = *types.begin();
  cost.device_usd_per_h = devices_usd / static_cast<double>(device_count(system.scenario));
}

}  // namespace

void add_cost_lines(CostStudy& cost, const StudyContext& context, const NeedStudy* need) {
  const Scenario& scenario = context.scenario();
  const double own = cost.clients;
  const double most = std::ceil(need != nullptr ? need->need.most_load : beyond_own_load * own);
  const CarriedClients carried(scenario, context.question.slowdown, need);
  cost.tolerated_slowdown = carried.slowdown();
  if (cost.cpu_only_usd) {
    cost.lines.push_back(line_of_each_job("jobs' own cores", *cost.cpu_only_usd, own, most));
    cost.lines.back().own_cores = true;
  }
  for (const Alternative& way : alternatives(scenario, context.read.resolved, {})) {
    if (way.cpu_only || !way.why_not.empty()) continue;
    const std::optional<Scenario> made = way.settings.empty() ? scenario : read_again(context, way.settings);
    if (!made) continue;
    if (!way.per_job) {
      cost.lines.push_back(line_of_service(way.name, *made, carried, own, most));
      cost.lines.back().planned = way.service;
    } else if (const auto point = cost_at(*made)) {
      cost.lines.push_back(line_of_each_job(way.name, point->usd, own, most));
      cost.lines.back().late = carried.with(*made, device_count(*made)) < own;
    }
    if (!way.service) continue;
    for (CostLine& line : lines_of_other_types(context, carried, way.name, own, most))
      cost.lines.push_back(std::move(line));
  }
  std::erase_if(cost.lines, [](const CostLine& line) { return line.points.empty(); });
  add_break_even(cost, context, carried);
}

}  // namespace saturn
