#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>

#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/search/figures_by_bound.hpp"
#include "sim/plan/served_work.hpp"

namespace saturn {

namespace {

constexpr double without_end = std::numeric_limits<double>::infinity();

bool is_network(ResourceKind kind) {
  return kind == ResourceKind::link || kind == ResourceKind::uplink || kind == ResourceKind::network_card ||
         kind == ResourceKind::bus;
}

/// A pool as simulated.
struct PoolFigures {
  const JobPool* pool = nullptr;
  const JobsResults* results = nullptr;
  Estimate unserved{};  ///< see unserved_share() [1]
};

/// The pools one by one; as one where only the sum of them is known.
std::vector<PoolFigures> pools_of(const Scenario& scenario, const Results& results) {
  const bool one_by_one = scenario.jobs.size() > 1 && results.jobs.size() == scenario.jobs.size();
  std::vector<PoolFigures> pools;
  for (std::size_t j = 0; j < (one_by_one ? scenario.jobs.size() : 1); ++j) {
    const JobsResults& jobs = one_by_one ? results.jobs[j] : results.all_jobs;
    const std::span<const JobPool> told = std::span(scenario.jobs).subspan(j, one_by_one ? 1 : scenario.jobs.size());
    pools.push_back(
        {.pool = &scenario.jobs[j], .results = &jobs, .unserved = unserved_share(scenario, results, jobs, told)});
  }
  return pools;
}

/// Times that only grow while a run lasts are as long as one likes.
Estimate time_of(const PoolFigures& pool, const Estimate& measured) {
  if (!pool.results->times_grow) return measured;
  return mapped(measured, [](double) { return without_end; });
}

/// Of all the one with the worst mean, which is the largest where less is better; nothing where there is none.
void add_worst(CandidateFigures& figures, MeasureId figure, std::span<const Estimate> values) {
  const auto worst = std::max_element(values.begin(), values.end(), [&](const Estimate& a, const Estimate& b) {
    return figure->better == Better::more ? b.mean < a.mean : a.mean < b.mean;
  });
  if (worst != values.end()) figures.add(figure, *worst);
}

/// Of each number that plans know the worst pool's, and each pool's own.
void add_numbers_of_pools(const Scenario& scenario, const std::vector<PoolFigures>& pools, CandidateFigures& figures) {
  const auto add = [&](MeasureId figure, const auto& of) {
    std::vector<Estimate> values;
    for (const PoolFigures& pool : pools) {
      const std::optional<Estimate> value = of(pool);
      if (!value) continue;
      values.push_back(*value);
      if (pools.size() == scenario.jobs.size()) figures.add(figure, values.back(), pool.pool->name);
    }
    add_worst(figures, figure, values);
  };
  add(measure("slowdown"), [](const PoolFigures& pool) -> std::optional<Estimate> {
    return time_of(pool, shifted(served_slowdown((*pool.results)["slowdown"], pool.unserved), -1.0));
  });
  for (const Key<Subject::jobs> key : required_of<Subject::jobs>())
    add(key.id(), [&](const PoolFigures& pool) -> std::optional<Estimate> {
      const Estimate* number = pool.results->find(key);
      if (number == nullptr) return std::nullopt;
      return key.id()->unit == MeasureUnit::seconds ? time_of(pool, *number) : *number;
    });
}

void add_latencies(const Scenario& scenario, const Results& results, CandidateFigures& figures) {
  const std::set<std::string> called = called_models(scenario);
  for (const Key<Subject::model> key : required_of<Subject::model>()) {
    std::vector<Estimate> values;
    for (const ModelResults& model : results.models) {
      // A step of an ensemble is asked by the server, not by a job.
      if (!called.contains(model.name)) continue;
      values.push_back(model[key]);
      figures.add(key.id(), values.back(), model.name);
    }
    add_worst(figures, key.id(), values);
  }
}

/// Of the events of a pool: those that find the buffer full, or pile up without end, or have a request refused.
Estimate lost_share(const PoolFigures& pool) {
  Estimate lost = exactly(0.0);
  if (pool.results->open) {
    const JobsResults& jobs = *pool.results;
    lost = jobs["lost_fraction"];
    const double never_done = 1.0 - jobs["events_per_s"].mean / jobs["offered_per_s"].mean;
    if (jobs.times_grow && jobs["offered_per_s"].mean > 0.0)
      lost = mapped(lost, [&](double share) { return std::max(share, never_done); });
  }
  return combined(lost, pool.unserved,
                  [](double share, double unserved) { return 1.0 - (1.0 - share) * (1.0 - unserved); });
}

/// What follows from the rate and from the nodes that were paid for, of both ends of whose interval the wider counts:
/// how the two go together is not known here.
void add_paid_figures(const System& system, const Results& results, const PurchaseTerms& terms, const Estimate& good,
                      double traffic_usd_per_event, CandidateFigures& figures) {
  const auto of = [&](double Estimate::*end) {
    CandidateFigures found;
    add_figures_of_throughput(good, traffic_usd_per_event,
                              compute_expenses(system, as_paid(terms, system.scenario, results, end)), terms, found);
    return found;
  };
  const CandidateFigures low = of(&Estimate::low);
  const CandidateFigures high = of(&Estimate::high);
  const CandidateFigures mean = of(&Estimate::mean);
  for (const CandidateFigures::Entry& entry : mean.entries) {
    Estimate value = entry.value;
    value.low = std::min(value.low, low.find(entry.figure)->value.low);
    value.high = std::max(value.high, high.find(entry.figure)->value.high);
    figures.add(entry.figure, value);
  }
}

void add_throughput(const std::vector<PoolFigures>& pools, const System& system, const Results& results,
                    const PurchaseTerms& terms, CandidateFigures& figures) {
  const Scenario& scenario = system.scenario;
  Estimate good = exactly(0.0);
  double traffic_usd_per_s = 0.0;
  std::vector<Estimate> lost;
  for (const PoolFigures& pool : pools) {
    add_to(good, combined((*pool.results)["events_per_s"], served_share(pool.unserved), std::multiplies<>{}));
    // Requests of spoilt events were sent as well.
    traffic_usd_per_s += (*pool.results)["events_per_s"].mean * traffic_usd_per_event(scenario, *pool.pool);
    lost.push_back(lost_share(pool));
  }
  figures.add(measure("throughput"), good);
  add_worst(figures, measure("lost_share"), lost);
  const double traffic_usd_per_event = good.mean > 0.0 ? traffic_usd_per_s / good.mean : 0.0;
  add_paid_figures(system, results, terms, good, traffic_usd_per_event, figures);
}

void add_shares(const Scenario& scenario, const Results& results, CandidateFigures& figures) {
  std::vector<Estimate> network;
  std::vector<Estimate> devices;
  for (std::size_t r = 0; r < results.resources.size(); ++r) {
    const ResourceResults& resource = results.resources[r];
    if (is_network(resource.kind)) {
      network.push_back(resource["busy_fraction"]);
      figures.add(measure("network_share"), resource["busy_fraction"], resource.name);
    } else if (is_device(resource.kind) && r < scenario.servers.size()) {
      // Each server's devices come first, in the order of the servers.
      devices.push_back(resource["busy_fraction"]);
      figures.add(measure("gpu_share"), resource["busy_fraction"], scenario.servers[r].name);
    }
  }
  add_worst(figures, measure("network_share"), network);
  add_worst(figures, measure("gpu_share"), devices);
}

}  // namespace

CandidateFigures figures_by_simulation(const System& system, const Results& results, const PurchaseTerms& terms) {
  const Scenario& scenario = system.scenario;
  const std::vector<PoolFigures> pools = pools_of(scenario, results);
  CandidateFigures figures;
  add_exact_figures(scenario, compute_expenses(system, terms), figures);
  add_numbers_of_pools(scenario, pools, figures);
  add_latencies(scenario, results, figures);
  add_throughput(pools, system, results, terms, figures);
  add_shares(scenario, results, figures);
  for (const Key<Subject::run> key : required_of<Subject::run>())
    if (const Estimate* number = results.run.find(key)) figures.add(key.id(), *number);
  return figures;
}

}  // namespace saturn
