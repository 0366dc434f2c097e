#include "sim/plan/needed_devices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "models/queueing/closed_formulas.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/jobs_and_devices.hpp"
#include "sim/plan/one_search.hpp"
#include "sim/plan/slowdown_crossing.hpp"

namespace saturn {

namespace {

// So many fleets make steps that can be told apart; of more, every so many is taken.
constexpr std::uint64_t most_fleets = 120;
constexpr std::uint64_t most_steps_looked_at = std::uint64_t{1} << 16;
constexpr double beyond_own = 2.0;
constexpr double beyond_wall = 1.1;
// Fleets whose clients are more are too slow to simulate for a figure that is read by eye.
constexpr double most_clients_simulated = 6'000.0;
constexpr double read_by_eye = 0.02;
constexpr double hardly_more = 1e-6;
constexpr std::uint64_t furthest_in_proportion = 10;

/// What the bound lets a fleet carry within each tolerance.
std::vector<double> carried_by_bound(const System& system, bool open, const std::vector<double>& tolerances) {
  std::vector<double> carried;
  for (const double tolerance : tolerances)
    carried.push_back(open ? capacity_of_all(system).capacity_per_s / (1.0 - tolerance)
                           : clients_within(system.network, tolerance));
  return carried;
}

FleetLoad fleet_load(const System& system, bool open, const std::vector<double>& tolerances) {
  FleetLoad fleet{.devices = device_count(system.scenario)};
  std::map<std::string, std::uint64_t> of_types;
  for (const Server& server : system.scenario.servers)
    of_types[server.devices.type] += server.nodes * server.devices.count;
  fleet.of_types.assign(of_types.begin(), of_types.end());
  const Expenses expenses = compute_expenses(system, {});
  if (expenses.devices_usd_per_h)
    fleet.usd_per_h = *expenses.devices_usd_per_h + expenses.nodes_usd_per_h.value_or(0.0);
  fleet.carried = carried_by_bound(system, open, tolerances);
  fleet.simulated.assign(tolerances.size(), false);
  return fleet;
}

/// What saturates first when there are devices enough.
std::optional<LoadWall> wall_of(const System& with_most, bool open) {
  const std::vector<Resource>& resources = with_most.network.resources;
  if (open) {
    const OpenCapacity capacity = capacity_of_all(with_most);
    const bool devices = std::any_of(resources.begin(), resources.end(), [&](const Resource& one) {
      return one.name == capacity.limit && is_device(one.kind);
    });
    return devices ? std::nullopt : std::optional(LoadWall{.resource = capacity.limit, .at = capacity.capacity_per_s});
  }
  if (with_most.bounds.knees.empty()) return std::nullopt;
  const Knee& first = with_most.bounds.knees.front();
  if (is_device(resources[first.resource].kind)) return std::nullopt;
  return LoadWall{.resource = resources[first.resource].name, .at = first.clients};
}

/// Fleets are told from the smallest to the first that carries the largest load within the strictest tolerance.
class NeedSearch {
 public:
  NeedSearch(const System& system, bool open)
      : fleet_(system.scenario),
        over_a_horizon_(has_no_steady_state(system.scenario)),
        need_{.open = open, .tolerances = told_tolerances(open)} {
    need_.load = open ? capacity_of_all(system).offered_per_s : system.bounds.clients;
    need_.devices = device_count(system.scenario);
    need_.wall = wall_of(fleet_.with_steps(most_steps_looked_at), open);
    need_.most_load = beyond_own * need_.load;
    const double present = carried_by_bound(system, open, need_.tolerances).back();
    if (std::isfinite(present)) need_.most_load = std::max(need_.most_load, 1.25 * present);
    if (need_.wall && need_.wall->at < need_.most_load)
      need_.most_load = std::max(beyond_wall * need_.wall->at, need_.load);
  }

  DeviceNeed found(const Evaluate& evaluate) {
    add_fleets();
    // A mean over a horizon in which something changes is not what a fleet carries.
    if (!need_.open && !over_a_horizon_) simulate(evaluate);
    return std::move(need_);
  }

 private:
  void add_fleets() {
    const std::uint64_t last = last_steps();
    std::set<std::uint64_t> steps{fleet_.present_steps()};
    const std::uint64_t count = std::min(last, most_fleets);
    for (std::uint64_t i = 1; i <= count; ++i) steps.insert(std::max<std::uint64_t>(1, i * last / count));
    for (const std::uint64_t one : steps) {
      need_.fleets.push_back(fleet_load(fleet_.with_steps(one), need_.open, need_.tolerances));
      steps_.push_back(one);
    }
  }

  /// The fewest steps that carry a load. @param carries  grows with the steps, and reaches it with the most
  template <class Carries>
  static std::uint64_t fewest_steps(const Carries& carries, double load) {
    std::uint64_t enough = 1;
    while (enough < most_steps_looked_at && carries(enough) < load) enough *= 2;
    std::uint64_t too_few = enough / 2;
    while (enough - too_few > 1) {
      const std::uint64_t middle = too_few + (enough - too_few) / 2;
      (carries(middle) < load ? too_few : enough) = middle;
    }
    return enough;
  }

  /// The first steps with which the largest load is carried, or past which nothing is gained.
  std::uint64_t last_steps() const {
    const auto carries = [&](std::uint64_t steps) {
      return carried_by_bound(fleet_.with_steps(steps), need_.open, need_.tolerances).front();
    };
    const double most = std::min(need_.most_load, carries(most_steps_looked_at) * (1.0 - hardly_more));
    return std::max(fewest_steps(carries, most), fleet_.present_steps());
  }

  /// Simulated over bound of a fleet, by tolerance.
  using Shares = std::vector<double>;

  void simulate(const Evaluate& evaluate) {
    std::map<std::size_t, Shares> shares;
    const auto present =
        static_cast<std::size_t>(std::find(steps_.begin(), steps_.end(), fleet_.present_steps()) - steps_.begin());
    for (const std::size_t i : {present, std::size_t{0}, steps_.size() - 1}) {
      if (shares.contains(i) || need_.fleets[i].carried.front() > most_clients_simulated) continue;
      try {
        shares[i] = simulated_shares(i, evaluate);
      } catch (const OutOfBudget&) {
        need_.cut = true;
        break;
      }
    }
    if (shares.empty()) return;
    spread(shares);
    add_larger_fleets(shares.rbegin()->second);
  }

  /// Where the simulation finds far less than the bound, the fleets that the bound calls enough do not carry the
  /// scenario's own load. Larger ones follow the bound in the proportion of the largest that was simulated.
  void add_larger_fleets(const Shares& largest) {
    const auto carries = [&](std::uint64_t steps) {
      return largest.front() * carried_by_bound(fleet_.with_steps(steps), false, need_.tolerances).front();
    };
    const std::uint64_t last = steps_.back();
    if (need_.fleets.back().carried.front() >= need_.load || carries(most_steps_looked_at) < need_.load) return;
    const std::uint64_t enough = fewest_steps(carries, need_.load);
    // A proportion says nothing of fleets of quite another size.
    if (enough > furthest_in_proportion * last) return;
    const std::uint64_t count = std::min(enough - last, most_fleets);
    for (std::uint64_t i = 1; i <= count; ++i) {
      steps_.push_back(last + i * (enough - last) / count);
      need_.fleets.push_back(fleet_load(fleet_.with_steps(steps_.back()), false, need_.tolerances));
      for (std::size_t t = 0; t < need_.tolerances.size(); ++t) need_.fleets.back().carried[t] *= largest[t];
    }
  }

  Shares simulated_shares(std::size_t i, const Evaluate& evaluate) {
    const System system(fleet_.with_steps(steps_[i]));
    FleetLoad& fleet = need_.fleets[i];
    Shares shares;
    for (std::size_t t = 0; t < need_.tolerances.size(); ++t) {
      const double tolerance = need_.tolerances[t];
      SimulatedPoints points(
          evaluate, [tolerance](Scenario one, Care care) { return as_simulated(std::move(one), tolerance, care); });
      double share = 0.0;
      try {
        share = find_crossing(system,
                              {.slowdown = tolerance,
                               .guess = std::numeric_limits<double>::infinity(),
                               .precision = std::max(read_by_eye, system.scenario.run.precision)},
                              points)
                    .clients /
                fleet.carried[t];
        fleet.simulated[t] = true;
      } catch (const NothingShared&) {
        share = 1.0;
      } catch (const std::domain_error&) {
        // Even the fewest clients are slower than that: this fleet carries none.
      }
      shares.push_back(share);
    }
    return shares;
  }

  void spread(const std::map<std::size_t, Shares>& shares) {
    for (std::size_t i = 0; i < need_.fleets.size(); ++i) {
      const auto above = shares.lower_bound(i);
      const auto below =
          above == shares.begin() || (above != shares.end() && above->first == i) ? above : std::prev(above);
      const auto upper = above == shares.end() ? std::prev(above) : above;
      const double from = std::log(static_cast<double>(need_.fleets[below->first].devices));
      const double to = std::log(static_cast<double>(need_.fleets[upper->first].devices));
      const double here = std::log(static_cast<double>(need_.fleets[i].devices));
      const double weight = to > from ? (here - from) / (to - from) : 0.0;
      for (std::size_t t = 0; t < need_.tolerances.size(); ++t)
        need_.fleets[i].carried[t] *= (1.0 - weight) * below->second[t] + weight * upper->second[t];
    }
  }

  DeviceFleet fleet_;
  bool over_a_horizon_ = false;
  DeviceNeed need_;
  std::vector<std::uint64_t> steps_{};  ///< (fleets)
};

}  // namespace

std::vector<double> told_tolerances(bool open) {
  return open ? std::vector<double>{0.0, 0.05, 0.2} : std::vector<double>{0.01, 0.05, 0.2};
}

DeviceNeed needed_devices(const System& system, const Evaluate& evaluate) {
  const bool open = all_open(system.scenario);
  if (!open && any_open(system.scenario))
    throw std::invalid_argument("needed_devices: events arrive from outside at some pools alone");
  if (device_count(system.scenario) == 0) throw std::invalid_argument("needed_devices: there are no devices");
  return NeedSearch(system, open).found(evaluate);
}

}  // namespace saturn
