#include "models/queueing/best_split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "models/queueing/column_generation.hpp"

namespace saturn {

namespace {

constexpr std::size_t most_rows = 64;
constexpr std::size_t most_classes = 192;
constexpr double least_price = 1e-9;      // of a resource that binds, in units of all prices together
constexpr double slack_of_levels = 1e-9;  // so that rounding leaves levels that were found within reach

constexpr std::size_t no_row = std::numeric_limits<std::size_t>::max();

/// The resources that a programme looks at.
class Rows {
 public:
  /// @param weight  (resource) those of the largest are taken; of 0 none
  explicit Rows(const std::vector<double>& weight) : row_of_(weight.size(), no_row) {
    for (std::size_t r = 0; r < weight.size(); ++r)
      if (weight[r] > 0.0) resources_.push_back(r);
    std::stable_sort(resources_.begin(), resources_.end(),
                     [&](std::size_t a, std::size_t b) { return weight[a] > weight[b]; });
    resources_.resize(std::min(resources_.size(), most_rows));
    for (std::size_t row = 0; row < resources_.size(); ++row) row_of_[resources_[row]] = row;
  }

  std::size_t size() const { return resources_.size(); }
  std::size_t resource(std::size_t row) const { return resources_[row]; }
  std::size_t row_of(std::size_t resource) const { return row_of_[resource]; }

 private:
  std::vector<std::size_t> resources_;
  std::vector<std::size_t> row_of_;
};

/// The server where calls cost least at the prices. @param prices  (row)
std::size_t cheapest_server(const CallLoads& servers, const Rows& rows, const std::vector<double>& prices,
                            double* cost) {
  std::size_t cheapest = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < servers.size(); ++s) {
    double sum = 0.0;
    for (const ResourceLoad& load : servers[s])
      if (const std::size_t row = rows.row_of(load.resource); row != no_row) sum += prices[row] * load.busy;
    if (sum >= least) continue;
    least = sum;
    cheapest = s;
  }
  *cost += least;
  return cheapest;
}

/// Finds the levels of balanced_load(), the highest first.
class Levels {
 public:
  Levels(const std::vector<double>& fixed, const std::vector<CallLoads>& calls)
      : fixed_(fixed), calls_(calls), rows_(loads_at_equal_shares()), level_(rows_.size(), unknown) {
    double sum = 0.0;
    for (std::size_t row = 0; row < rows_.size(); ++row) sum += at_equal_shares_[rows_.resource(row)];
    scale_ = sum > 0.0 ? 1.0 / sum : 1.0;
    for (const CallLoads& call : calls_) result_.shares.emplace_back(call.size(), 1.0 / double(call.size()));
  }

  BalancedLoad found() {
    while (lower()) {
    }
    for (std::size_t r = 0; r < fixed_.size(); ++r)
      if (rows_.row_of(r) == no_row) result_.largest = std::max(result_.largest, fixed_[r]);
    return std::move(result_);
  }

 private:
  static constexpr double unknown = -1.0;
  // Loads are scaled to a sum of 1 at equal shares: no useful level is as low as its inverse.
  static constexpr double most_amount = 1e9;

  std::vector<double> loads_at_equal_shares() {
    at_equal_shares_.assign(fixed_.size(), 0.0);
    for (const CallLoads& call : calls_)
      for (const std::vector<ResourceLoad>& server : call)
        for (const ResourceLoad& load : server)
          at_equal_shares_[load.resource] += load.busy / static_cast<double>(call.size());
    // What no free call reaches is as busy as it is.
    for (std::size_t r = 0; r < fixed_.size(); ++r)
      if (at_equal_shares_[r] > 0.0) at_equal_shares_[r] += fixed_[r];
    return at_equal_shares_;
  }

  /// All calls at the servers that are cheapest at the prices.
  Activity cheapest_assignment(const std::vector<double>& prices, double* cost) {
    std::vector<std::size_t> servers(calls_.size());
    std::vector<double> load(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      load[row] = fixed_[rows_.resource(row)];
      *cost += prices[row] * load[row];
    }
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      servers[c] = cheapest_server(calls_[c], rows_, prices, cost);
      for (const ResourceLoad& one : calls_[c][servers[c]])
        if (const std::size_t row = rows_.row_of(one.resource); row != no_row) load[row] += one.busy;
    }
    Activity activity{.profit = 1.0, .takes = {}, .tag = assignments_.size()};
    for (std::size_t row = 0; row < rows_.size(); ++row)
      activity.takes.emplace_back(row, scale_ * (level_[row] == unknown ? load[row] : load[row] - level_[row]));
    activity.takes.emplace_back(rows_.size(), 1.0);
    assignments_.push_back(std::move(servers));
    return activity;
  }

  /// In units of the largest open load, as many of the events as can be: its inverse is the next level.
  /// @returns false when no level is left
  bool lower() {
    std::vector<double> limits(rows_.size(), 1.0);
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (level_[row] != unknown) limits[row] = 0.0;
    limits.push_back(most_amount);
    assignments_.clear();
    const LinearOptimum optimum = most_profit(limits, [&](const std::vector<double>& prices) {
      double cost = 0.0;
      return cheapest_assignment(prices, &cost);
    });
    if (!(optimum.profit > 0.0)) return false;
    spread(optimum);
    double open_prices = 0.0;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (level_[row] == unknown) open_prices += optimum.prices[row];
    if (!(open_prices > 0.0)) return false;
    const bool first = std::all_of(level_.begin(), level_.end(), [](double level) { return level == unknown; });
    if (first) {
      double cost = 0.0;
      cheapest_assignment(optimum.prices, &cost);
      // Σ price·load of whatever split, over the prices: no split's largest load is smaller.
      result_.largest = cost / open_prices;
    }
    const double level = 1.0 / optimum.profit / scale_;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (level_[row] == unknown && optimum.prices[row] > least_price * open_prices)
        level_[row] = level * (1.0 + slack_of_levels);
    return std::any_of(level_.begin(), level_.end(), [](double one) { return one == unknown; });
  }

  void spread(const LinearOptimum& optimum) {
    for (std::vector<double>& shares : result_.shares) std::fill(shares.begin(), shares.end(), 0.0);
    for (std::size_t i = 0; i < optimum.chosen.size(); ++i)
      for (std::size_t c = 0; c < calls_.size(); ++c)
        result_.shares[c][assignments_[optimum.chosen[i].tag][c]] += optimum.amounts[i] / optimum.profit;
  }

  const std::vector<double>& fixed_;
  const std::vector<CallLoads>& calls_;
  std::vector<double> at_equal_shares_;
  Rows rows_;
  std::vector<double> level_;  // (row)
  double scale_ = 1.0;
  std::vector<std::vector<std::size_t>> assignments_;  // server of each call, by the tag of an activity
  BalancedLoad result_;
};

/// A class of a network with what its events ask of the rows.
class EventLoads {
 public:
  explicit EventLoads(const ClosedNetwork& network) : units_(network.resources.size()), calls_(network.classes.size()) {
    const Matrix& fixed = network.free_calls.empty() ? network.work : network.fixed_work;
    for (std::size_t r = 0; r < units_.size(); ++r) units_[r] = network.resources[r].units;
    fixed_.resize(network.classes.size());
    for (std::size_t j = 0; j < network.classes.size(); ++j)
      for (std::size_t r = 0; r < units_.size(); ++r)
        if (const double work = fixed(j, r); work > 0.0 && !network.resources[r].grows_with_clients)
          fixed_[j].push_back({r, work / units_[r]});
    for (const FreeCalls& calls : network.free_calls) calls_[calls.job_class].push_back(loads_of(calls));
  }

  const std::vector<ResourceLoad>& fixed(std::size_t job_class) const { return fixed_[job_class]; }
  const std::vector<CallLoads>& calls(std::size_t job_class) const { return calls_[job_class]; }

  /// The most that one event may ask of each resource, wherever its calls go.
  void add_most(std::size_t job_class, double rate, std::vector<double>& loads) const {
    for (const ResourceLoad& load : fixed_[job_class]) loads[load.resource] += rate * load.busy;
    for (const CallLoads& call : calls_[job_class])
      for (const std::vector<ResourceLoad>& server : call)
        for (const ResourceLoad& load : server) loads[load.resource] += rate * load.busy;
  }

  /// No more events of the class can end than its fixed work lets pass, or the servers of any of its calls together.
  double most_alone(std::size_t job_class, const std::vector<double>& left) const {
    const auto most_at = [&](const std::vector<ResourceLoad>& loads) {
      double most = std::numeric_limits<double>::infinity();
      for (const ResourceLoad& load : loads)
        if (load.busy > 0.0) most = std::min(most, (left.empty() ? 1.0 : left[load.resource]) / load.busy);
      return most;
    };
    double most = most_at(fixed_[job_class]);
    for (const CallLoads& call : calls_[job_class]) {
      double together = 0.0;
      for (const std::vector<ResourceLoad>& server : call) together += most_at(server);
      most = std::min(most, together);
    }
    return most;
  }

  /// One event at the servers that are cheapest at the prices. @param cost  is raised by what it costs there
  std::vector<std::pair<std::size_t, double>> cheapest(std::size_t job_class, const Rows& rows,
                                                       const std::vector<double>& prices, double* cost) const {
    std::vector<std::pair<std::size_t, double>> takes;
    const auto take = [&](const ResourceLoad& load) {
      if (const std::size_t row = rows.row_of(load.resource); row != no_row) takes.emplace_back(row, load.busy);
    };
    for (const ResourceLoad& load : fixed_[job_class]) take(load);
    for (const auto& [row, busy] : takes) *cost += prices[row] * busy;
    for (const CallLoads& call : calls_[job_class])
      for (const ResourceLoad& load : call[cheapest_server(call, rows, prices, cost)]) take(load);
    return takes;
  }

 private:
  CallLoads loads_of(const FreeCalls& calls) const {
    CallLoads loads;
    for (const std::vector<ResourceWork>& server : calls.servers) {
      loads.emplace_back();
      for (const ResourceWork& work : server)
        loads.back().push_back({work.resource, work.work_s / units_[work.resource]});
    }
    return loads;
  }

  std::vector<double> units_;
  std::vector<std::vector<ResourceLoad>> fixed_;
  std::vector<std::vector<CallLoads>> calls_;
};

}  // namespace

BalancedLoad balanced_load(const std::vector<double>& fixed, const std::vector<CallLoads>& calls) {
  return Levels(fixed, calls).found();
}

Matrix balanced_work(const ClosedNetwork& network, const std::vector<double>& rates) {
  if (network.free_calls.empty()) return network.work;
  const double sum = std::accumulate(rates.begin(), rates.end(), 0.0);
  const EventLoads events(network);
  std::vector<double> fixed(network.resources.size(), 0.0);
  for (std::size_t j = 0; j < rates.size(); ++j)
    for (const ResourceLoad& load : events.fixed(j)) fixed[load.resource] += rates[j] / sum * load.busy;
  std::vector<CallLoads> calls;
  for (const FreeCalls& free : network.free_calls) {
    calls.emplace_back();
    for (const std::vector<ResourceWork>& server : free.servers) {
      calls.back().emplace_back();
      for (const ResourceWork& work : server)
        calls.back().back().push_back(
            {work.resource, rates[free.job_class] / sum * work.work_s / network.resources[work.resource].units});
    }
  }
  const BalancedLoad balanced = balanced_load(fixed, calls);
  Matrix work = network.fixed_work;
  for (std::size_t c = 0; c < calls.size(); ++c) {
    const FreeCalls& free = network.free_calls[c];
    for (std::size_t s = 0; s < free.servers.size(); ++s)
      for (const ResourceWork& one : free.servers[s])
        work(free.job_class, one.resource) += balanced.shares[c][s] * one.work_s;
  }
  return work;
}

MostEvents most_events(const ClosedNetwork& network, const std::vector<double>& worth, std::vector<double> most,
                       const std::vector<double>& left) {
  const EventLoads events(network);
  const std::size_t classes = network.classes.size();
  for (std::size_t j = 0; j < classes; ++j) most[j] = std::min(most[j], events.most_alone(j, left));
  const auto limit_of = [&](std::size_t resource) { return left.empty() ? 1.0 : left[resource]; };

  // A resource that the largest rates cannot fill, wherever all calls go, limits nothing.
  std::vector<double> fullest(network.resources.size(), 0.0);
  for (std::size_t j = 0; j < classes; ++j) events.add_most(j, most[j], fullest);
  for (std::size_t r = 0; r < fullest.size(); ++r)
    fullest[r] = fullest[r] > limit_of(r) ? fullest[r] / std::max(limit_of(r), 1e-300) : 0.0;
  const Rows rows(fullest);

  const auto reaches_a_row = [&](std::size_t j) {
    for (const ResourceLoad& load : events.fixed(j))
      if (rows.row_of(load.resource) != no_row) return true;
    for (const CallLoads& call : events.calls(j))
      for (const std::vector<ResourceLoad>& server : call)
        for (const ResourceLoad& load : server)
          if (rows.row_of(load.resource) != no_row) return true;
    return false;
  };
  MostEvents result{.worth = 0.0, .rates = most};
  std::vector<std::size_t> limited;
  for (std::size_t j = 0; j < classes; ++j)
    if (most[j] > 0.0 && reaches_a_row(j)) limited.push_back(j);
  std::stable_sort(limited.begin(), limited.end(),
                   [&](std::size_t a, std::size_t b) { return worth[a] * most[a] > worth[b] * most[b]; });
  limited.resize(std::min(limited.size(), most_classes));

  // Amounts are shares of the largest rates, and worth is one of all of it, so that numbers are about one.
  double whole = 0.0;
  for (const std::size_t j : limited) whole += worth[j] * most[j];
  std::vector<double> limits;
  for (std::size_t row = 0; row < rows.size(); ++row) limits.push_back(limit_of(rows.resource(row)));
  limits.resize(rows.size() + limited.size(), 1.0);
  const auto of_class = [&](std::size_t i, const std::vector<double>& prices, double* cost) {
    const std::size_t j = limited[i];
    Activity activity{.profit = worth[j] * most[j] / whole, .takes = {}, .tag = i};
    double cost_of_event = 0.0;
    activity.takes = events.cheapest(j, rows, prices, &cost_of_event);
    for (auto& [row, busy] : activity.takes) busy *= most[j];
    *cost = most[j] * cost_of_event;
    activity.takes.emplace_back(rows.size() + i, 1.0);
    return activity;
  };
  LinearOptimum optimum;
  if (!limited.empty()) {
    optimum = most_profit(limits, [&](const std::vector<double>& prices) {
      Activity best;
      double best_gain = -1.0;
      for (std::size_t i = 0; i < limited.size(); ++i) {
        double cost = 0.0;
        Activity activity = of_class(i, prices, &cost);
        const double gain = activity.profit - cost - prices[rows.size() + i];
        if (gain <= best_gain) continue;
        best_gain = gain;
        best = std::move(activity);
      }
      return best;
    });
  }
  // At the prices of the resources, what an event earns beyond them is all that a client of its class can be worth.
  double dual = 0.0;
  for (std::size_t row = 0; row < rows.size() && !limited.empty(); ++row) dual += optimum.prices[row] * limits[row];
  for (std::size_t i = 0; i < limited.size(); ++i) {
    double cost = 0.0;
    const Activity activity = of_class(i, optimum.prices, &cost);
    dual += std::max(0.0, activity.profit - cost);
    result.rates[limited[i]] = 0.0;
  }
  for (std::size_t i = 0; i < optimum.chosen.size(); ++i) {
    const std::size_t j = limited[optimum.chosen[i].tag];
    result.rates[j] += optimum.amounts[i] * most[j];
  }
  result.worth = dual * whole;
  for (std::size_t j = 0; j < classes; ++j)
    if (std::find(limited.begin(), limited.end(), j) == limited.end()) result.worth += worth[j] * most[j];
  return result;
}

}  // namespace saturn
