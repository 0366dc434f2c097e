#include "sim/plan/fewest_devices.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <variant>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"

namespace saturn {

namespace {

// More devices than any site has; if the bound is not met with these, it is not the devices that bind.
constexpr std::uint64_t most_steps = 1ull << 24;
constexpr std::uint64_t most_open_steps = 1ull << 20;
constexpr std::uint64_t most_replications_a_step = 8;

/// The fewest steps with which a formula allows the fleet; nothing where so many are not enough.
template <class Allows>
std::optional<std::uint64_t> fewest_by_bound(const DeviceFleet& fleet, std::uint64_t most, const Allows& allows) {
  return least_accepted({.enough = most, .last = most},
                        [&](std::uint64_t steps) { return allows(fleet.with_steps(steps)); });
}

bool bound_allows(const Scenario& scenario, const PlanQuestion& question) {
  const ClosedNetwork network = closed_network(scenario);
  const Bounds bounds = asymptotic_bounds(network);
  double most = clients_within(network, question.past_saturation ? question.slowdown : 0.0);
  if (!question.past_saturation && !bounds.knees.empty()) most = std::min(most, bounds.knees.front().clients);
  // A rounding error must not cost a GPU where the first resource saturates.
  return bounds.clients <= most * (1 + 1e-12);
}

[[noreturn]] void refuse(const Scenario& largest, const PlanQuestion& question) {
  const ClosedNetwork network = closed_network(largest);
  const Bounds bounds = asymptotic_bounds(network);
  const Knee& first = bounds.knees.front();
  std::string text = "no number of devices carries " + counted_in_words(bounds.clients, "client") + ": \"" +
                     network.resources[first.resource].name + "\" saturates at " +
                     counted_in_words(first.clients, "client");
  const double excess = bounds.event_time_s / bounds.ideal_event_time_s - 1;
  text += excess > question.slowdown ? " and alone makes an event take " + in_words(bounds.event_time_s) + " s, " +
                                           percent(excess) + " above t_ideal"
                                     : "; past saturation they would only wait, " + percent(excess) +
                                           " above t_ideal, within the tolerated " + percent(question.slowdown);
  const std::string caveat = bound_caveat(largest);
  if (!caveat.empty()) text += ", " + caveat;
  throw std::domain_error(text);
}

/// The fewest that the bound allows. @throws std::domain_error  none does
std::uint64_t fewest_steps(const DeviceFleet& fleet, const PlanQuestion& question) {
  const auto fewest =
      fewest_by_bound(fleet, most_steps, [&](const Scenario& some) { return bound_allows(some, question); });
  if (!fewest) refuse(fleet.with_steps(most_steps), question);
  return *fewest;
}

/// Devices that are added to a node share its host and may slow each other down, which those of other nodes do not.
std::string in_one_node(const Scenario& scenario) {
  for (const Server& server : scenario.servers)
    if (server.nodes == 1)
      return " in a node; more nodes of few may carry them (/servers/" + std::to_string(server.place) +
             "/nodes, or --gpus with --node-sizes)";
  return "";
}

/// Requests that clients have outstanding at once, at most.
double most_outstanding(const Scenario& scenario) {
  double outstanding = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    double calls = 0.0;
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage)) calls += static_cast<double>(infer->in_flight);
    outstanding = std::max(outstanding, calls);
  }
  return outstanding * client_count(scenario);
}

}  // namespace

std::uint64_t gpus_by_bound(const Scenario& scenario, const PlanQuestion& question) {
  const DeviceFleet fleet(scenario);
  return device_count(fleet.with_steps(fewest_steps(fleet, question)));
}

std::optional<Scenario> fewest_unsaturated(const Scenario& scenario) {
  const DeviceFleet fleet(scenario);
  const auto fewest = fewest_by_bound(fleet, most_steps, [](const Scenario& some) { return bound_allows(some, {}); });
  return fewest ? std::optional(fleet.with_steps(*fewest)) : std::nullopt;
}

const SimulatedPoint& find_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points) {
  const DeviceFleet fleet(scenario);
  const std::uint64_t fewest = fewest_steps(fleet, question);
  const auto simulated = [&](std::uint64_t steps) -> const SimulatedPoint& {
    const Scenario candidate = fleet.with_steps(steps);
    points.simulate({candidate}, Care::confirmed);
    return *points.find(candidate);
  };
  // With several devices for each request, those that dispatch leaves out among them, nobody waits for a device.
  const auto most_useful = std::max(fewest, static_cast<std::uint64_t>(4.0 * most_outstanding(scenario)));
  const auto carrying = least_accepted({.first = fewest, .enough = most_useful + 1}, [&](std::uint64_t steps) {
    return served_slowdown(simulated(steps).summary).mean - 1 <= question.slowdown;
  });
  if (!carrying)
    throw std::domain_error("no number of devices carries " + counted_in_words(client_count(scenario), "client") +
                            " within " + percent(question.slowdown) +
                            ": simulated events stay slower with any number of them" + in_one_node(scenario));
  return simulated(*carrying);
}

namespace {

/// The pool whose capacity is shortest.
struct Bottleneck {
  double load = 0.0;
  double offered_per_s = 0.0;  // of all pools
  std::string limit;
};

Bottleneck bottleneck_of(const Scenario& scenario) {
  const ClosedNetwork network = closed_network(scenario);
  Bottleneck found;
  for (std::size_t p = 0; p < network.classes.size(); ++p) {
    const OpenCapacity capacity = open_capacity(network, p);
    found.offered_per_s += capacity.offered_per_s;
    const double load = capacity.capacity_per_s > 0.0 ? capacity.load() : std::numeric_limits<double>::infinity();
    if (load <= found.load) continue;
    found.load = load;
    found.limit = capacity.limit;
  }
  return found;
}

OpenCandidate judged_open(const Scenario& scenario, const Results& summary, double loss) {
  const Bottleneck bottleneck = bottleneck_of(scenario);
  OpenCandidate found{.gpus = device_count(scenario),
                      .capacity_per_s = bottleneck.offered_per_s / bottleneck.load,
                      .limit = bottleneck.limit};
  found.all_jobs = summary.all_jobs;
  for (const JobsResults& jobs : summary.jobs) {
    if (!jobs.open) throw std::invalid_argument("plan_open: a pool without arrivals was simulated");
    found.offered_per_s.mean += jobs["offered_per_s"].mean;
    found.offered_per_s.low += jobs["offered_per_s"].low;
    found.offered_per_s.high += jobs["offered_per_s"].high;
    found.verdict = std::max(found.verdict, jobs.open->verdict);
    if (&jobs == &summary.jobs.front() || jobs["lost_fraction"].mean > found.lost_fraction.mean)
      found.lost_fraction = jobs["lost_fraction"];
  }
  found.accepted = found.verdict == OpenVerdict::stable && found.lost_fraction.mean <= loss;
  return found;
}

void say_costs(const Scenario& planned, const OpenCandidate& chosen, OpenPlan& plan) {
  const Expenses expenses = compute_expenses(planned, {});
  const double served_per_s = chosen.offered_per_s.mean * (1.0 - chosen.lost_fraction.mean);
  if (served_per_s > 0.0) plan.cost_per_million_events_usd = expenses.usd_per_million(served_per_s);
  if (plan.cost_per_million_events_usd) plan.priced = priced_parts(expenses);
}

}  // namespace

OpenPlan plan_open(const Scenario& scenario, double loss, const Evaluate& evaluate) {
  if (!all_open(scenario)) throw std::invalid_argument("plan_open: events do not arrive from outside at every pool");
  if (!(loss >= 0.0 && loss < 1.0)) throw std::invalid_argument("plan_open: a loss lies in [0, 1)");
  const DeviceFleet fleet(scenario);
  constexpr double rounding = 1e-9;
  const double most_load = (1.0 + rounding) / (1.0 - loss);
  const auto by_bound = fewest_by_bound(fleet, most_open_steps,
                                        [&](const Scenario& some) { return bottleneck_of(some).load <= most_load; });
  if (!by_bound) {
    const Bottleneck bottleneck = bottleneck_of(fleet.with_steps(most_open_steps));
    throw std::domain_error("no number of devices serves " + in_words(bottleneck.offered_per_s) + " events/s: \"" +
                            bottleneck.limit + "\" limits them to " +
                            in_words(bottleneck.offered_per_s / bottleneck.load) + " events/s");
  }
  PointStore<std::uint64_t> points(evaluate, [](Scenario one, Care) {
    one.run.max_replications =
        std::max(one.run.min_replications, std::min(one.run.max_replications, most_replications_a_step));
    return one;
  });
  const auto simulate = [&](const std::vector<std::uint64_t>& wanted) {
    std::vector<std::pair<std::uint64_t, Scenario>> scenarios;
    for (const std::uint64_t steps : wanted) scenarios.emplace_back(steps, fleet.with_steps(steps));
    points.simulate(scenarios, Care::confirmed);
  };
  const auto candidate = [&](std::uint64_t steps) {
    simulate({steps});
    const SimulatedPoint& point = *points.find(steps);
    return judged_open(point.scenario, point.summary, loss);
  };
  // The neighbours show how steep the edge is.
  simulate({std::max<std::uint64_t>(1, *by_bound - *by_bound / 10 - 1), std::max<std::uint64_t>(1, *by_bound - 1),
            *by_bound, *by_bound + 1});
  const auto fewest = least_accepted({.first = *by_bound, .enough = 4 * *by_bound + 17},
                                     [&](std::uint64_t steps) { return candidate(steps).accepted; });
  if (!fewest)
    throw std::domain_error("no number of devices up to " +
                            std::to_string(device_count(points.all().rbegin()->second.scenario)) +
                            " keeps the pools stable and their loss within " + percent(loss) +
                            ": see what run says of the scenario with so many");
  OpenPlan plan{.tolerated_loss = loss,
                .offered_per_s = bottleneck_of(scenario).offered_per_s,
                .gpus_by_bound = device_count(fleet.with_steps(*by_bound)),
                .gpus = candidate(*fewest).gpus};
  for (const auto& [steps, point] : points.all()) plan.candidates.push_back(candidate(steps));
  say_costs(fleet.with_steps(*fewest), candidate(*fewest), plan);
  return plan;
}

}  // namespace saturn
