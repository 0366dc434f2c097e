#include "sim/plan/search/figures_by_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/queueing/best_split.hpp"
#include "models/queueing/closed_network.hpp"
#include "models/queueing/open_capacity.hpp"
#include "models/values/units.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/demands/stage_demand.hpp"
#include "scenarios/scenario.hpp"
#include "scenarios/scenario_traits.hpp"
#include "scenarios/topology/routes.hpp"
#include "scenarios/topology/simgrid_platform.hpp"
#include "sim/formula/expenses.hpp"

namespace saturn {

namespace {

/// The links that calls of the jobs cross, path by path; nothing of devices in the worker nodes.
std::vector<SitePath> paths_of(const Scenario& scenario) {
  SitePaths paths(scenario);
  std::vector<SitePath> result;
  for (const JobPool& pool : scenario.jobs) {
    for (const Server& server : scenario.servers) {
      if (server.attached) continue;
      auto path = paths.between(pool.site, server.site);
      if (path && !path->empty()) result.push_back(std::move(*path));
    }
  }
  return result;
}

}  // namespace

std::optional<double> round_trip_of(const Scenario& scenario) {
  std::optional<double> longest;
  if (scenario.platform) {
    for (const PlatformRoute& there : scenario.platform->routes) {
      const Seconds back = platform_route(*scenario.platform, there.to, there.from).latency;
      longest = std::max(longest.value_or(0.0), (there.latency + back).value);
    }
    return longest;
  }
  for (const SitePath& path : paths_of(scenario)) {
    double seconds = 0.0;
    for (const LinkHop& hop : path) seconds += scenario.links[hop.link].round_trip_time.value;
    longest = std::max(longest.value_or(0.0), seconds);
  }
  return longest;
}

Scenario with_round_trip(const Scenario& scenario, double seconds) {
  const std::vector<SitePath> paths = paths_of(scenario);
  const double longest = round_trip_of(scenario).value_or(0.0);
  Scenario result = scenario;
  if (result.platform) {
    for (PlatformRoute& route : result.platform->routes)
      route.latency = longest > 0.0 ? route.latency * (seconds / longest) : Seconds{0.5 * seconds};
  }
  for (const SitePath& path : paths) {
    for (const LinkHop& hop : path) {
      const Seconds present = scenario.links[hop.link].round_trip_time;
      // Links of no length have no proportion: each path is then divided evenly.
      result.links[hop.link].round_trip_time =
          longest > 0.0 ? present * (seconds / longest) : Seconds{seconds / static_cast<double>(path.size())};
    }
  }
  return result;
}

namespace {

constexpr double joules_per_kilowatt_hour = 3.6e6;

/// k over a value, with the interval turned round; an interval that reaches 0 or below gives one without end. @param k
/// >= 0
Estimate over(double k, const Estimate& value) {
  const auto one = [k](double x) { return x > 0.0 ? k / x : std::numeric_limits<double>::infinity(); };
  return {.mean = one(value.mean),
          .low = one(value.high),
          .high = one(value.low),
          .confidence = value.confidence,
          .replications = value.replications};
}

}  // namespace

namespace {

std::optional<Seconds> longest_deadline(const Scenario& scenario) {
  std::optional<Seconds> longest;
  for (const ModelCall& call : model_calls(scenario))
    if (const auto& own = call.infer.rules.deadline) longest = std::max(longest.value_or(*own), *own);
  return longest;
}

}  // namespace

void add_exact_figures(const Scenario& scenario, const Expenses& expenses, CandidateFigures& figures) {
  const double jobs = job_count(scenario);
  figures.add(measure("gpus"), static_cast<double>(expenses.devices_bought));
  figures.add(measure("nodes"), static_cast<double>(expenses.nodes_bought));
  figures.add(measure("jobs"), jobs);
  if (expenses.devices_working > 0)
    figures.add(measure("jobs_per_gpu"), jobs / static_cast<double>(expenses.devices_working));
  if (const auto rent = expenses.rent_usd_per_h()) figures.add(measure("rent"), *rent);
  if (expenses.power_w) figures.add(measure("power"), *expenses.power_w);
  if (const auto deadline = longest_deadline(scenario)) figures.add(measure("deadline"), deadline->value);
}

void add_figures_of_throughput(const Estimate& throughput, double traffic_usd_per_event, const Expenses& expenses,
                               const PurchaseTerms& terms, CandidateFigures& figures) {
  if (terms.campaign_events) figures.add(measure("campaign_time"), over(*terms.campaign_events, throughput));
  if (const auto rent = expenses.rent_usd_per_h()) {
    const Estimate cost = over(*rent / seconds_per_hour * million, throughput);
    figures.add(measure("cost_per_million"), shifted(cost, traffic_usd_per_event * million));
  }
  if (expenses.power_w)
    figures.add(measure("energy_per_million"),
                over(*expenses.power_w * million / joules_per_kilowatt_hour, throughput));
}

namespace {

/// The requests of one stage of a pool's events.
struct StageRequests {
  double least_s = 0.0;  ///< none takes less: round trip and transfer, and the execution where it is constant; 0 where
                         ///< that may differ from server to server [s]
  double per_s = 0.0;    ///< when nobody waits [1/s]
};

/// What a model's requests take at least.
struct UnhinderedLatency {
  double mean_s = 0.0;  ///< lower bound of the mean latency: that of the pool whose requests are quickest [s]
  std::vector<StageRequests> stages{};

  /// No request takes less [s].
  double least_s() const { return least_beyond_s(0.0); }
  /// Lower bound of the latency that a share of requests exceeds [s].
  double least_beyond_s(double share) const;
};

// Events of one pool are slowed down so many times as much as those of another at most. No law: but those that are
// would wait for their requests all that time, in which the quantiles of these are long.
constexpr double most_uneven = 10.0;

double UnhinderedLatency::least_beyond_s(double share) const {
  std::vector<StageRequests> slowest_first = stages;
  std::sort(slowest_first.begin(), slowest_first.end(),
            [](const StageRequests& a, const StageRequests& b) { return a.least_s > b.least_s; });
  double all = 0.0;
  for (const StageRequests& stage : stages) all += stage.per_s;
  double beyond = 0.0;
  for (const StageRequests& stage : slowest_first) {
    beyond += stage.per_s;
    if (share > 0.0 && beyond > 0.0 && beyond >= most_uneven * share * all) return stage.least_s;
  }
  return slowest_first.empty() ? 0.0 : slowest_first.back().least_s;
}

// Sizes beyond these are not looked at one by one: without them the execution counts nothing in the least latency.
constexpr std::size_t most_sizes = 2;

bool executes_in_constant_time(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                               const InferStage& stage) {
  for (const std::size_t s : servers_of(scenario, stage.model)) {
    const std::optional<HostStage>& host = scenario.servers[s].host;
    if (host && host->scatter > 0.0) return false;
  }
  const std::vector<RequestService> services = request_services(scenario, routed, site, stage);
  return std::all_of(services.begin(), services.end(), [](const RequestService& one) { return one.constant; });
}

/// Latency of a request of one size of the stage, with its execution or without it [s].
double latency_of(const Scenario& scenario, const RoutedResources& routed, const std::string& site, InferStage stage,
                  std::uint64_t items, bool with_execution) {
  stage.items = items;
  stage.request_batch = items;
  const StageDemand alone = stage_demand(scenario, routed, site, stage);
  return (alone.travel + alone.bandwidth + (with_execution ? alone.device : Seconds{})).value;
}

double least_latency_s(const Scenario& scenario, const RoutedResources& routed, const std::string& site,
                       const InferStage& stage) {
  if (!on_alike_servers(scenario, stage.model)) return 0.0;
  const std::vector<RequestGroup> groups = request_groups(stage);
  const bool with_execution = groups.size() <= most_sizes && executes_in_constant_time(scenario, routed, site, stage);
  // Transfers take longest for the largest requests, which come first; of executions that need not be so.
  double least = latency_of(scenario, routed, site, stage, groups.back().items, with_execution);
  if (with_execution) least = std::min(least, latency_of(scenario, routed, site, stage, groups.front().items, true));
  return least;
}

/// Latencies of a pool's requests for one model, as sums over an event.
struct PoolRequests {
  double seconds = 0.0;
  double requests = 0.0;
};

/// Latencies of all requests of a stage, one after the other, when nobody waits [s]. Of unlike servers a balancer may
/// prefer the one that answers soonest.
double unhindered_s(const StageDemand& demand) {
  if (demand.least_passes.empty()) return (demand.travel + demand.bandwidth + demand.device).value;
  double seconds = 0.0;
  for (const StagePass& pass : demand.least_passes) seconds += pass.weight * pass.requests_s;
  return seconds;
}

/// Of every model that jobs call. Requests that find nobody else there take that long.
std::map<std::string, UnhinderedLatency> unhindered_latencies(const System& system) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  const Scenario& scenario = system.scenario;
  const RoutedResources routed = routed_resources(scenario);
  std::map<std::string, UnhinderedLatency> latencies;
  for (std::size_t j = 0; j < scenario.jobs.size(); ++j) {
    const JobPool& pool = scenario.jobs[j];
    const JobClass& jobs = system.network.classes[j];
    const double events_per_s =
        jobs.arrivals ? jobs.arrivals->value : jobs.clients / (jobs.ideal_event_time + jobs.set_up).value;
    std::map<std::string, PoolRequests> sums;
    for (const Stage& stage : pool.event) {
      const auto* infer = std::get_if<InferStage>(&stage);
      if (infer == nullptr || infer->items.largest() == 0) continue;
      const StageDemand demand = stage_demand(scenario, routed, pool.site, *infer);
      PoolRequests& sum = sums[infer->model];
      sum.seconds += unhindered_s(demand);
      sum.requests += mean_requests(*infer);
      latencies.try_emplace(infer->model, UnhinderedLatency{.mean_s = unknown})
          .first->second.stages.push_back({.least_s = least_latency_s(scenario, routed, pool.site, *infer),
                                           .per_s = events_per_s * mean_requests(*infer)});
    }
    for (const auto& [model, sum] : sums) {
      UnhinderedLatency& latency = latencies.at(model);
      latency.mean_s = std::min(latency.mean_s, sum.seconds / sum.requests);
    }
  }
  return latencies;
}

// Asymptotic bounds of several pools together, at whatever mix of their events.

/// What the bounds of one pool's events rest on.
struct PoolBound {
  double streams = 0.0;   ///< streams [1]
  double ideal_s = 0.0;   ///< t_ideal
  double least_s = 0.0;   ///< or longer, where streams wait for the cores of their own jobs
  double set_up_s = 0.0;  ///< between two events of a stream
  double most_events_per_s = 0.0;
  bool open = false;       ///< events arrive from outside
  double allowance = 0.0;  ///< by which a simulation may beat the expectation, relative
};

// Standard errors of a simulated mean by which chance may beat the expectation that the bounds speak of.
constexpr double chance = 3.0;
// Events that each stream may gain at the edges of a run's window; twice what was seen over the shipped scenarios. One
// is the most that is possible.
constexpr double at_the_edges = 0.1;

/// Bounds of expectations; nothing is allowed for chance but in the arrivals of open pools.
class BoundedPools {
 public:
  explicit BoundedPools(const System& system)
      : network_(system.network), cycles_(static_cast<double>(least_cycles(system))) {
    for (std::size_t j = 0; j < system.scenario.jobs.size(); ++j) pools_.push_back(pool_bound(system.scenario, j));
  }

  const std::vector<PoolBound>& pools() const { return pools_; }

  /// Three standard errors of a mean event time over the shortest full simulation, and what the edges of its window may
  /// hide, of the pool where they are largest, relative to that mean.
  double allowance() const {
    double largest = 0.0;
    for (const PoolBound& pool : pools_) largest = std::max(largest, pool.allowance);
    return largest;
  }

  /// Least slowdown of the worst pool, t/t_ideal. Were every closed pool within s·t_ideal, resource r would be busy for
  /// sum N·D/(s·t_ideal + set-up), which is at most 1. Below 1 where a balancer may prefer faster servers.
  double least_slowdown() const {
    double slowdown = 0.0;
    for (const PoolBound& pool : pools_) slowdown = std::max(slowdown, pool.least_s / pool.ideal_s);
    std::vector<double> rates;
    for (const PoolBound& pool : pools_)
      rates.push_back(pool.open ? 0.0 : pool.streams / (pool.ideal_s + pool.set_up_s));
    // Within t_ideal all of this would be done in the same time, which says nothing of less.
    if (const double busy = least_busy(rates); busy > 1.0) slowdown = std::max(slowdown, busy);
    if (pools_.size() == 1 && !pools_[0].open)
      slowdown = std::max(slowdown, (least_busy({pools_[0].streams}) - pools_[0].set_up_s) / pools_[0].ideal_s);
    return slowdown;
  }

  /// Least mean event time of the slowest pool, in the same way [s].
  double least_event_time_s() const {
    double longest = 0.0;
    double set_up = 0.0;
    std::vector<double> streams;
    for (const PoolBound& pool : pools_) {
      longest = std::max(longest, pool.least_s);
      if (!pool.open) set_up = std::max(set_up, pool.set_up_s);
      streams.push_back(pool.open ? 0.0 : pool.streams);
    }
    return std::max(longest, least_busy(streams) - set_up);
  }

  /// Most events of all pools: the resources can carry no more, at whatever mix and split [1/s].
  double most_events_per_s() const {
    std::vector<double> most;
    for (const PoolBound& pool : pools_) most.push_back(pool.most_events_per_s);
    return most_events(network_, std::vector<double>(most.size(), 1.0), most).worth;
  }

  /// Of the pool that loses most, what arrives beyond its capacity over what arrives [1].
  double least_lost_share() const {
    double share = 0.0;
    for (std::size_t j = 0; j < pools_.size(); ++j) {
      if (!pools_[j].open) continue;
      share = std::max(share, 1.0 - own_capacity_per_s(network_, j) / network_.classes[j].arrivals->value);
    }
    return share;
  }

 private:
  PoolBound pool_bound(const Scenario& scenario, std::size_t j) const {
    const JobClass& jobs = network_.classes[j];
    const JobPool& pool = scenario.jobs[j];
    PoolBound bound{.streams = jobs.clients,
                    .ideal_s = jobs.ideal_event_time.value,
                    .least_s = least_event_time(jobs).value,
                    .set_up_s = jobs.set_up.value,
                    .open = jobs.arrivals.has_value()};
    for (std::size_t r = 0; r < network_.resources.size(); ++r) {
      if (!network_.resources[r].grows_with_clients || bound.open) continue;
      const double own = network_.work(j, r) / network_.resources[r].units;
      bound.least_s = std::max(bound.least_s, bound.streams * own - bound.set_up_s);
    }
    const double simulated_cycles = cycles_ * static_cast<double>(scenario.run.min_replications);
    const double events = bound.streams * simulated_cycles;
    bound.allowance = chance * relative_scatter(scenario, pool) / std::sqrt(events) + at_the_edges / cycles_;
    bound.most_events_per_s = bound.streams / (bound.least_s + bound.set_up_s);
    if (!bound.open) return bound;
    bound.most_events_per_s = std::min(bound.most_events_per_s, own_capacity_per_s(network_, j));
    if (varies(*pool.arrivals)) return bound;
    const double arrivals = jobs.arrivals->value * bound.ideal_s * simulated_cycles;
    const double by_chance = chance * std::sqrt(dispersion(*pool.arrivals) / arrivals);
    bound.most_events_per_s = std::min(bound.most_events_per_s, jobs.arrivals->value * (1.0 + by_chance));
    return bound;
  }

  /// How busy the busiest resource is at the rates of the pools, calls split as well as can be.
  double least_busy(const std::vector<double>& rates) const {
    if (std::all_of(rates.begin(), rates.end(), [](double rate) { return rate == 0.0; })) return 0.0;
    const Matrix work = balanced_work(network_, rates);
    double busiest = 0.0;
    for (std::size_t r = 0; r < network_.resources.size(); ++r) {
      double busy = 0.0;
      for (std::size_t j = 0; j < pools_.size(); ++j) busy += rates[j] * work(j, r);
      if (!network_.resources[r].grows_with_clients) busiest = std::max(busiest, busy / network_.resources[r].units);
    }
    return busiest;
  }

  const ClosedNetwork& network_;
  double cycles_;  ///< event times of a window, at least
  std::vector<PoolBound> pools_;
};

/// False where the demands take shares of requests that hold on average only; and where requests may be refused, since
/// their events end early. Calls that are given up end early, too.
bool bounds_hold(const Scenario& scenario) {
  if (follows_calls(scenario) || may_refuse(scenario)) return false;
  for (const auto& [name, model] : scenario.models)
    if (!why_average_shares(scenario, name).empty()) return false;
  return true;
}

/// Lower bound of the mean latency over the requests of one closed pool, of all models together, however long they wait
/// [s]. Some request is under way, or the job's core works, for as long as an event lasts; so what the core does not do
/// is at most the sum of the event's latencies. 0 where it says nothing.
double latency_of_crowds_s(const Scenario& scenario, const BoundedPools& bounded, double allowance) {
  if (scenario.jobs.size() != 1 || bounded.pools().front().open) return 0.0;
  const JobPool& pool = scenario.jobs.front();
  // Streams that wait for a core hold no request meanwhile.
  if (shares_cores(pool)) return 0.0;
  double requests = 0.0;
  for (const Stage& stage : pool.event)
    if (const auto* infer = std::get_if<InferStage>(&stage)) requests += mean_requests(*infer);
  if (requests == 0.0) return 0.0;
  double core_s = 0.0;
  for (const EventPart& part : ideal_event_parts(scenario, pool))
    if (part.part == StagePart::cpu || part.part == StagePart::serialisation) core_s += part.seconds;
  const double event_s = bounded.least_event_time_s() * (1.0 - allowance);
  return std::max(0.0, event_s - core_s * (1.0 + allowance)) / requests;
}

/// Where nothing is drawn but when events arrive, every event takes at least t_ideal.
void add_event_quantiles(Scenario scenario, const BoundedPools& bounded, CandidateFigures& figures) {
  for (JobPool& pool : scenario.jobs) pool.arrivals.reset();
  if (!has_constant_times(scenario)) return;
  double longest = 0.0;
  for (const PoolBound& pool : bounded.pools()) longest = std::max(longest, pool.least_s);
  for (const MeasureId figure : {measure("event_time_p50"), measure("event_time_p95"), measure("event_time_p99")})
    figures.add(figure, longest);
}

// What the 95 % and 99 % quantiles of a crowd's latencies have of their mean at least. No law: but were the 99 %
// quantile below a third, one request in a hundred would do two thirds of all the waiting, which queues of a crowd do
// not bring about.
constexpr double least_high_quantile = 1.0 / 3.0;

/// Adds what latencies are at least, of each model and of the slowest.
/// @param crowded_s  lower bound of the mean latency of the requests of all models together [s]
void add_latencies(const System& system, double allowance, double crowded_s, CandidateFigures& figures) {
  const std::map<std::string, UnhinderedLatency> latencies = unhindered_latencies(system);
  const double within_chance = std::max(0.0, 1.0 - allowance);
  const auto mean_s = [&](const UnhinderedLatency& one) { return std::max(one.mean_s * within_chance, one.least_s()); };
  const auto add_all = [&](MeasureId figure, double of_crowd_s, const auto& least_s) {
    double slowest_s = 0.0;
    for (const auto& [model, latency] : latencies) {
      const double least = least_s(latency);
      slowest_s = std::max(slowest_s, least);
      figures.add(figure, latencies.size() == 1 ? std::max(least, of_crowd_s) : least, model);
    }
    // The mean over all models is one of the slowest at most.
    if (!latencies.empty()) figures.add(figure, std::max(slowest_s, of_crowd_s));
  };
  add_all(measure("latency"), crowded_s, mean_s);
  add_all(measure("latency_p50"), 0.0, [](const UnhinderedLatency& one) { return one.least_s(); });
  const double high_s = crowded_s * least_high_quantile;
  add_all(measure("latency_p95"), high_s, [](const UnhinderedLatency& one) { return one.least_beyond_s(0.05); });
  add_all(measure("latency_p99"), high_s, [](const UnhinderedLatency& one) { return one.least_beyond_s(0.01); });
}

double least_traffic(const Scenario& scenario) {
  double least = std::numeric_limits<double>::infinity();
  for (const JobPool& pool : scenario.jobs) least = std::min(least, least_traffic_usd_per_event(scenario, pool));
  return least;
}

}  // namespace

CandidateFigures figures_by_bound(const System& system, const PurchaseTerms& terms, BoundOf of) {
  const Scenario& scenario = system.scenario;
  CandidateFigures figures;
  const Expenses expenses = compute_expenses(system, terms);
  add_exact_figures(scenario, expenses, figures);
  if (!bounds_hold(scenario)) return figures;
  const BoundedPools bounded(system);
  const double allowance = of == BoundOf::simulations ? bounded.allowance() : 0.0;
  const double within_chance = std::max(0.0, 1.0 - allowance);
  const double most_events_per_s = bounded.most_events_per_s() * (1.0 + allowance);
  figures.add(measure("slowdown"), bounded.least_slowdown() * within_chance - 1.0);
  figures.add(measure("event_time"), bounded.least_event_time_s() * within_chance);
  for (std::size_t j = 0; j < bounded.pools().size(); ++j) {
    const PoolBound& pool = bounded.pools()[j];
    figures.add(measure("slowdown"), pool.least_s / pool.ideal_s * within_chance - 1.0, scenario.jobs[j].name);
    figures.add(measure("event_time"), pool.least_s * within_chance, scenario.jobs[j].name);
  }
  add_event_quantiles(scenario, bounded, figures);
  add_latencies(system, allowance, latency_of_crowds_s(scenario, bounded, allowance), figures);
  figures.add(measure("throughput"), most_events_per_s);
  figures.add(measure("lost_share"), std::max(0.0, bounded.least_lost_share() - allowance));
  add_figures_of_throughput(exactly(most_events_per_s), least_traffic(scenario), expenses, terms, figures);
  return figures;
}

}  // namespace saturn
