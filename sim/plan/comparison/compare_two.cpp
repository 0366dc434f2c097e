#include "sim/plan/comparison/compare_two.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/results/results.hpp"
#include "models/words/quantities.hpp"
#include "models/words/texts.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/formula/expenses.hpp"
#include "sim/plan/comparison/alternatives.hpp"
#include "sim/plan/served_work.hpp"

namespace saturn {

namespace {

using Number = std::function<double(const RunOutcome&)>;

/// The pairs of replications; what nothing is drawn in stands beside each of the other's.
class Pairs {
 public:
  Pairs(const ComparedScenario& a, const ComparedScenario& b, double confidence, Stopping stopping)
      : a_(a), b_(b), confidence_(confidence), stopping_(stopping) {
    if (a.outcomes.empty() || b.outcomes.empty()) throw std::invalid_argument("compare_two: no replications");
    const bool same_a = is_deterministic(a.scenario);
    const bool same_b = is_deterministic(b.scenario);
    if (same_a && same_b) stopping_ = Stopping::nothing_drawn;
    result_.nothing_drawn = same_a && same_b;
    count_ = same_a ? b.outcomes.size() : same_b ? a.outcomes.size() : std::min(a.outcomes.size(), b.outcomes.size());
    if (result_.nothing_drawn) count_ = 1;
    result_.pairs = count_;
  }

  void add(const std::string& name, const std::string& unit, Better better, const Number& of_a, const Number& of_b) {
    result_.numbers.push_back(
        {name, unit, better, paired_difference(values(a_, of_a), values(b_, of_b), better, confidence_, stopping_)});
  }
  void add(const std::string& name, const std::string& unit, Better better, const Number& number) {
    add(name, unit, better, number, number);
  }
  void leave_out(const std::string& what) { result_.left_out.push_back(what); }
  void have_nothing_in_common() {
    result_.in_common = false;
    for (ComparedNumber& number : result_.numbers) number.paired.a_better.reset();
    leave_out("who is better: no jobs and no model of A are in B by name, so the two do different work");
  }
  TwoScenarios taken() { return std::move(result_); }

 private:
  std::vector<double> values(const ComparedScenario& one, const Number& number) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < count_; ++i) all.push_back(number(one.outcomes[std::min(i, one.outcomes.size() - 1)]));
    return all;
  }

  const ComparedScenario& a_;
  const ComparedScenario& b_;
  double confidence_;
  Stopping stopping_;
  std::size_t count_ = 0;
  TwoScenarios result_;
};

bool times_grow(std::span<const RunOutcome> outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(), [](const RunOutcome& outcome) {
    return std::any_of(outcome.jobs.begin(), outcome.jobs.end(),
                       [](const JobsOutcome& pool) { return pool.open && pool.open->times_grow; });
  });
}

template <class Part>
const Part* find(const std::vector<Part>& parts, const std::string& name) {
  const auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
  return found == parts.end() ? nullptr : &*found;
}

/// In words what only one of the two has.
template <class Part>
void leave_out_strangers(Pairs& pairs, const std::string& what, const std::vector<Part>& a,
                         const std::vector<Part>& b) {
  for (const Part& part : a)
    if (!find(b, part.name)) pairs.leave_out(what + " " + part.name + ": only A has it");
  for (const Part& part : b)
    if (!find(a, part.name)) pairs.leave_out(what + " " + part.name + ": only B has it");
}

/// What a single replication comes to.
Results results_of(const RunOutcome& run) {
  return summarise(std::span(&run, 1), 0.95);
}

double lost_share(const RunOutcome& run) {
  double lost = 0.0;
  double arrived = 0.0;
  for (const JobsOutcome& pool : run.jobs) {
    if (!pool.open) continue;
    lost += static_cast<double>(pool.open->lost);
    arrived += static_cast<double>(pool.open->arrived);
  }
  return arrived > 0.0 ? lost / arrived : 0.0;
}

void add_times(Pairs& pairs, const std::vector<JobsOutcome>& a, const std::vector<JobsOutcome>& b) {
  pairs.add("event time", "s", Better::less, [](const RunOutcome& run) { return together(run).event_time.mean_s; });
  leave_out_strangers(pairs, "jobs", a, b);
  if (a.size() == 1 && b.size() == 1) return;
  for (const JobsOutcome& pool : a) {
    if (!find(b, pool.name)) continue;
    pairs.add("event time of " + pool.name, "s", Better::less,
              [name = pool.name](const RunOutcome& run) { return find(run.jobs, name)->event_time.mean_s; });
  }
}

void add_latencies(Pairs& pairs, const ComparedScenario& a, const ComparedScenario& b) {
  leave_out_strangers(pairs, "model", a.outcomes.front().models, b.outcomes.front().models);
  const auto answers = [](const ComparedScenario& one, const std::string& name) {
    return std::all_of(one.outcomes.begin(), one.outcomes.end(), [&](const RunOutcome& run) {
      const ModelOutcome* model = find(run.models, name);
      return model != nullptr && model->latency.count > 0;
    });
  };
  for (const ModelOutcome& model : a.outcomes.front().models) {
    const std::string& name = model.name;
    if (!find(b.outcomes.front().models, name)) continue;
    if (!answers(a, name) || !answers(b, name)) {
      pairs.leave_out("latency of " + name + ": it answered no request");
      continue;
    }
    const auto latency = [&](double TimeStatistics::*number) {
      return [name, number](const RunOutcome& run) { return find(run.models, name)->latency.*number; };
    };
    pairs.add("mean latency of " + name, "s", Better::less, latency(&TimeStatistics::mean_s));
    pairs.add("p50 latency of " + name, "s", Better::less, latency(&TimeStatistics::p50_s));
    pairs.add("p99 latency of " + name, "s", Better::less, latency(&TimeStatistics::p99_s));
  }
}

std::optional<double> cost(const Scenario& scenario, const RunOutcome& run) {
  return assess_alternative(scenario, results_of(run)).cost_usd_per_million_events;
}

/// What costs something: everything with a price, and what a scenario without servers has none of.
bool counts(const ComparedScenario& one, const std::vector<PricedPart>& priced, PricedPart part) {
  const bool not_there = one.scenario.servers.empty() &&
                         (part == PricedPart::devices || part == PricedPart::hosts || part == PricedPart::traffic);
  return not_there || std::count(priced.begin(), priced.end(), part) > 0;
}

bool all_gpus(const Scenario& scenario) {
  return std::all_of(scenario.servers.begin(), scenario.servers.end(), [&](const Server& server) {
    const auto type = scenario.devices.find(server.devices.type);
    return type != scenario.devices.end() && type->second.kind == ResourceKind::gpu;
  });
}

/// "GPUs, hosts and cores", "GPUs alone".
std::string counted_words(const Scenario& scenario, const std::vector<PricedPart>& priced) {
  if (priced.empty()) return "nothing";
  return priced_words(priced, all_gpus(scenario) ? "GPU" : "device") + (priced.size() == 1 ? " alone" : "");
}

/// The costs of two that count different parts say nothing beside each other. @returns how they differ, or nothing
std::string different_parts(const ComparedScenario& a, const ComparedScenario& b) {
  const std::vector<PricedPart> of_a = priced_parts(compute_expenses(a.scenario, {}));
  const std::vector<PricedPart> of_b = priced_parts(compute_expenses(b.scenario, {}));
  const auto counts_all = [](const ComparedScenario& one, const auto& own, const auto& others) {
    return std::all_of(others.begin(), others.end(), [&](PricedPart part) { return counts(one, own, part); });
  };
  if (counts_all(a, of_a, of_b) && counts_all(b, of_b, of_a)) return "";
  return "A counts " + counted_words(a.scenario, of_a) + ", B " + counted_words(b.scenario, of_b);
}

void add_cost(Pairs& pairs, const ComparedScenario& a, const ComparedScenario& b) {
  if (!cost(a.scenario, a.outcomes.front()) || !cost(b.scenario, b.outcomes.front())) {
    pairs.leave_out("cost: a price is missing (/devices/*/price)");
    return;
  }
  if (const std::string differ = different_parts(a, b); !differ.empty()) {
    pairs.leave_out("cost: " + differ);
    return;
  }
  const auto of = [](const Scenario& scenario) {
    return [&scenario](const RunOutcome& run) { return cost(scenario, run).value_or(0.0); };
  };
  pairs.add("cost of a million events", "USD", Better::less, of(a.scenario), of(b.scenario));
}

void add_share(Pairs& pairs, const std::string& name, const ComparedScenario& a, const ComparedScenario& b,
               double (*share)(const RunOutcome&)) {
  const auto any = [&](const ComparedScenario& one) {
    return std::any_of(one.outcomes.begin(), one.outcomes.end(),
                       [&](const RunOutcome& run) { return share(run) > 0.0; });
  };
  if (any(a) || any(b)) pairs.add(name, "share", Better::less, share);
}

/// Tries that are given up at their deadline, over all tries.
double late_share(const RunOutcome& run) {
  CallOutcome calls;
  for (const JobsOutcome& pool : run.jobs)
    if (pool.calls) calls += *pool.calls;
  return calls.tries > 0.0 ? calls.late / calls.tries : 0.0;
}

/// Calls that servers do not answer in time: they fall back, or fail.
double not_served_share(const RunOutcome& run) {
  CallOutcome calls;
  for (const JobsOutcome& pool : run.jobs)
    if (pool.calls) calls += *pool.calls;
  return calls.calls > 0.0 ? (calls.fell_back + calls.failed) / calls.calls : 0.0;
}

bool has_fleets(const RunOutcome& run) {
  return std::any_of(run.resources.begin(), run.resources.end(), [](const auto& resource) { return resource.fleet; });
}

/// A number of the nodes that were there, over all servers; where nodes never change, so much an hour over the window.
double over_window(const RunOutcome& run, double an_hour, double (*of)(const FleetOutcome&)) {
  if (!has_fleets(run)) return an_hour * run.warm_up.window_s / seconds_per_hour;
  double sum = 0.0;
  for (const ResourceOutcome& resource : run.resources)
    if (resource.fleet) sum += of(*resource.fleet);
  return sum;
}

/// [h]
double device_hours(const Scenario& scenario, const RunOutcome& run) {
  return over_window(run, static_cast<double>(compute_expenses(scenario, {}).devices_working),
                     [](const FleetOutcome& fleet) { return fleet.device_hours; });
}

/// Of devices and their hosts, all of which have a price where they need one [USD]
double rent(const Scenario& scenario, const RunOutcome& run) {
  const Expenses expenses = compute_expenses(scenario, {});
  return over_window(run, expenses.devices_usd_per_h.value_or(0.0) + expenses.nodes_usd_per_h.value_or(0.0),
                     [](const FleetOutcome& fleet) { return fleet.rent_usd.value_or(0.0); });
}

/// Where nodes come or go in one of the two: what is paid for beside the other.
void add_fleets(Pairs& pairs, const ComparedScenario& a, const ComparedScenario& b) {
  if (!has_fleets(a.outcomes.front()) && !has_fleets(b.outcomes.front())) return;
  const auto of = [](double (*number)(const Scenario&, const RunOutcome&), const Scenario& scenario) {
    return [number, &scenario](const RunOutcome& run) { return number(scenario, run); };
  };
  pairs.add("device hours", "h", Better::less, of(device_hours, a.scenario), of(device_hours, b.scenario));
  const auto priced = [](const Scenario& scenario) { return compute_expenses(scenario, {}).devices_usd_per_h; };
  if (priced(a.scenario) && priced(b.scenario))
    pairs.add("rent of the window", "USD", Better::less, of(rent, a.scenario), of(rent, b.scenario));
}

/// From the end of an outage until all is as before [s]; absent: not within the run.
std::optional<double> time_to_recover(const Outage& outage, const RunOutcome& run) {
  const double end_s = (outage.from + outage.length).value;
  const std::optional<double> at = recovered_at(results_of(run).over_time, outage.from.value, end_s);
  return at ? std::optional(std::max(0.0, *at - end_s)) : std::nullopt;
}

/// Outages that both have: how soon each is as before.
void add_recoveries(Pairs& pairs, const ComparedScenario& a, const ComparedScenario& b) {
  for (const Outage& outage : a.scenario.outages) {
    const std::string words = outage_words(outage);
    const bool in_both = std::any_of(b.scenario.outages.begin(), b.scenario.outages.end(), [&](const Outage& other) {
      return outage_words(other) == words && other.from == outage.from && other.length == outage.length;
    });
    if (!in_both) continue;
    const std::string name = "as before, after " + words + " at " + time_text(outage.from.value, 3);
    const auto never = [&](const ComparedScenario& one) {
      return std::any_of(one.outcomes.begin(), one.outcomes.end(),
                         [&](const RunOutcome& run) { return !time_to_recover(outage, run); });
    };
    if (never(a) || never(b))
      pairs.leave_out(name + ": not by the end of the run, in some replication of " +
                      (never(a) ? never(b) ? "A and of B" : "A" : "B"));
    else
      pairs.add(name, "s", Better::less,
                [outage](const RunOutcome& run) { return time_to_recover(outage, run).value_or(0.0); });
  }
}

/// Whether some pool of jobs or some model stands in both, by name.
bool have_common_work(const RunOutcome& a, const RunOutcome& b) {
  const auto any = [](const auto& parts, const auto& others) {
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return find(others, part.name); });
  };
  return any(a.jobs, b.jobs) || any(a.models, b.models);
}

}  // namespace

TwoScenarios compare_two(const ComparedScenario& a, const ComparedScenario& b, double confidence, Stopping stopping) {
  Pairs pairs(a, b, confidence, stopping);
  if (times_grow(a.outcomes) || times_grow(b.outcomes)) {
    pairs.leave_out("event time: it only grows where more events arrive than can be served");
  } else {
    add_times(pairs, a.outcomes.front().jobs, b.outcomes.front().jobs);
  }
  pairs.add("throughput", "events/s", Better::more, [](const RunOutcome& run) { return together(run).events_per_s; });
  add_latencies(pairs, a, b);
  add_cost(pairs, a, b);
  add_fleets(pairs, a, b);
  add_recoveries(pairs, a, b);
  add_share(pairs, "late tries", a, b, late_share);
  add_share(pairs, "calls not served", a, b, not_served_share);
  add_share(pairs, "refused requests", a, b,
            [](const RunOutcome& run) { return rejected_share(results_of(run)).mean; });
  add_share(pairs, "lost events", a, b, lost_share);
  if (!have_common_work(a.outcomes.front(), b.outcomes.front())) pairs.have_nothing_in_common();
  return pairs.taken();
}

}  // namespace saturn
