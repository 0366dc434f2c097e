#include "sim/plan/jobs_and_devices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/values/search_order.hpp"
#include "models/words/numbers.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

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

bool bound_allows(const System& system, const PlanQuestion& question) {
  double most = clients_within(system.network, question.past_saturation ? question.slowdown : 0.0);
  if (!question.past_saturation) most = std::min(most, system.knee_streams());
  // A rounding error must not cost a GPU where the first resource saturates.
  return system.bounds.clients <= most * (1 + 1e-12);
}

/// Devices that are added to a node share its host and its network card, which those of other nodes do not; empty where
/// devices come in nodes of their own.
std::string why_more_nodes(const Scenario& scenario) {
  for (const Server& server : scenario.servers)
    if (server.nodes == 1)
      return "more nodes of few may carry them (/servers/" + std::to_string(server.place) +
             "/nodes, or --gpus with --node-sizes)";
  return "";
}

[[noreturn]] void refuse(const DeviceFleet& fleet, const PlanQuestion& question) {
  const System with_most(fleet.with_steps(most_steps));
  const System with_half(fleet.with_steps(most_steps / 2));
  const auto& [largest, network, bounds] = with_most;
  const Knee& first = bounds.knees.front();
  // What carries more with more devices would carry all with more than are looked through.
  if (with_half.bounds.knees.front().clients < 0.75 * first.clients)
    throw std::domain_error("none is looked for beyond " + with_commas(device_count(largest)) +
                            " devices, at which \"" + network.resources[first.resource].name + "\" saturates at " +
                            counted_in_words(first.clients, stream_word_of(largest)));
  std::string text = "no number of devices carries " + counted_in_words(bounds.clients, stream_word_of(largest)) +
                     ": \"" + network.resources[first.resource].name + "\" saturates at " +
                     counted_in_words(first.clients, stream_word_of(largest));
  const double excess = bounds.event_time_s / bounds.ideal_event_time_s - 1;
  text += excess > question.slowdown ? " and alone makes an event take " + in_words(bounds.event_time_s) + " s, " +
                                           percent(excess) + " above t_ideal"
                                     : "; past saturation they would only wait, " + percent(excess) +
                                           " above t_ideal, within the tolerated " + percent(question.slowdown);
  const std::string caveat = bound_caveat(largest);
  if (!caveat.empty()) text += ", " + caveat;
  const ResourceKind kind = network.resources[first.resource].kind;
  if (kind == ResourceKind::network_card || kind == ResourceKind::host)
    append_part(text, why_more_nodes(largest), "; ");
  throw std::domain_error(text);
}

/// The fewest that the bound allows. @throws std::domain_error  none does
std::uint64_t fewest_steps(const DeviceFleet& fleet, const PlanQuestion& question) {
  const auto fewest =
      fewest_by_bound(fleet, most_steps, [&](const System& some) { return bound_allows(some, question); });
  if (!fewest) refuse(fleet, question);
  return *fewest;
}

/// Steps of devices among which those that carry the clients are looked for.
WholeRange from_fewest(std::uint64_t fewest, const Scenario& scenario) {
  // With several devices for each request, those that dispatch leaves out among them, nobody waits for a device.
  return {.first = fewest,
          .enough = std::max(fewest, static_cast<std::uint64_t>(4.0 * most_outstanding(scenario))) + 1};
}

/// @param stay  what happens to events with any number of devices
[[noreturn]] void refuse_any_number(const Scenario& scenario, const PlanQuestion& question, const std::string& stay) {
  std::string text = "no number of devices carries " +
                     counted_in_words(stream_count(scenario), stream_word_of(scenario)) + " within " +
                     percent(question.slowdown) + ": " + stay + " with any number of them";
  if (const std::string more = why_more_nodes(scenario); !more.empty()) text += " in a node; " + more;
  throw std::domain_error(text);
}

/// Half-width of the slowdown that a single replication tells, by what was repeated of as many clients; nothing where
/// none was.
std::optional<double> known_noise(const SimulatedPoints& points, std::uint64_t clients) {
  std::optional<double> noise;
  for (const SimulatedPoint* point : points.all()) {
    const Estimate slowdown = served_slowdown(*point);
    if (slowdown.replications > 1 && whole_clients(point->scenario) == clients)
      noise = std::max(noise.value_or(0.0), noise_of_one(slowdown));
  }
  return noise;
}

}  // namespace

double most_outstanding(const Scenario& scenario) {
  double outstanding = 0.0;
  for (const JobPool& pool : scenario.jobs) {
    double calls = 0.0;
    for (const Stage& stage : pool.event)
      if (const auto* infer = std::get_if<InferStage>(&stage)) calls += static_cast<double>(infer->in_flight);
    outstanding = std::max(outstanding, calls);
  }
  return outstanding * stream_count(scenario);
}

std::uint64_t gpus_by_bound(const Scenario& scenario, const PlanQuestion& question) {
  const DeviceFleet fleet(scenario);
  return device_count(fleet.with_steps(fewest_steps(fleet, question)));
}

std::uint64_t gpus_by_mva(const Scenario& scenario, const PlanQuestion& question) {
  const DeviceFleet fleet(scenario);
  const double wanted = stream_count(scenario);
  const auto carrying = least_accepted(from_fewest(fewest_steps(fleet, question), scenario), [&](std::uint64_t steps) {
    const MvaCrossing crossing = mva_crossing(fleet.with_steps(steps), question.slowdown);
    if (!crossing.clients) throw std::domain_error("mean value analysis " + crossing.why_not);
    return wanted <= *crossing.clients;
  });
  if (!carrying) refuse_any_number(scenario, question, "by mean value analysis events stay slower");
  return device_count(fleet.with_steps(*carrying));
}

std::optional<Scenario> fewest_unsaturated(const Scenario& scenario) {
  const DeviceFleet fleet(scenario);
  const auto fewest = fewest_by_bound(fleet, most_steps, [](const System& some) { return bound_allows(some, {}); });
  return fewest ? std::optional(fleet.with_steps(*fewest)) : std::nullopt;
}

Scenario with_devices_to_spare(const Scenario& scenario, const PlanQuestion& question) {
  const DeviceFleet fleet(scenario);
  return fleet.with_steps(from_fewest(fewest_steps(fleet, question), scenario).enough);
}

const SimulatedPoint& find_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points) {
  const DeviceFleet fleet(scenario);
  const std::uint64_t fewest = fewest_steps(fleet, question);
  const auto simulated = [&](std::uint64_t steps, Care care) -> const SimulatedPoint& {
    const Scenario candidate = fleet.with_steps(steps);
    points.simulate({candidate}, care);
    return *points.find(candidate);
  };
  const auto excess = [&](std::uint64_t steps, Care care) { return served_slowdown(simulated(steps, care)).mean - 1; };
  const WholeRange range = from_fewest(fewest, scenario);
  // Before the search climbs far, one look at the end of the climb.
  constexpr int patience = 3;
  constexpr double clearly = 2.0;
  int rejected = 0;
  // Where nothing is steady the bound says little of where the climb ends; elsewhere its own number is a good one.
  bool is_far = has_no_steady_state(scenario);
  const auto is_surely_slower = [&](std::uint64_t steps) {
    const std::optional<double> noise = known_noise(points, whole_clients(scenario));
    if (!noise) return false;
    const double once = excess(steps, Care::scout);
    return once > clearly * question.slowdown && once - *noise > question.slowdown;
  };
  const auto carries = [&](std::uint64_t steps) {
    is_far = is_far && is_surely_slower(steps);
    if (is_far) return false;
    const double confirmed = excess(steps, Care::confirmed);
    is_far = confirmed > clearly * question.slowdown;
    return confirmed <= question.slowdown;
  };
  const auto carrying = least_accepted(range, [&](std::uint64_t steps) {
    if (carries(steps)) return true;
    if (++rejected == patience && excess(std::max(range.enough, steps), Care::scout) > clearly * question.slowdown)
      refuse_any_number(scenario, question, "simulated events stay slower");
    return false;
  });
  if (!carrying) refuse_any_number(scenario, question, "simulated events stay slower");
  return simulated(*carrying, Care::confirmed);
}

OpenCapacity capacity_of_all(const System& system) {
  const ClosedNetwork& network = system.network;
  double load = 0.0;
  OpenCapacity found;
  for (std::size_t p = 0; p < network.classes.size(); ++p) {
    const OpenCapacity capacity = open_capacity(network, p);
    found.offered_per_s += capacity.offered_per_s;
    const double of_pool = capacity.capacity_per_s > 0.0 ? capacity.load() : std::numeric_limits<double>::infinity();
    if (of_pool <= load) continue;
    load = of_pool;
    found.limit = capacity.limit;
  }
  found.capacity_per_s = found.offered_per_s / load;
  return found;
}

namespace {

bool has_steady_rate(const ArrivalLaw& arrivals) {
  return std::holds_alternative<PoissonArrivals>(arrivals) || std::holds_alternative<ConstantArrivals>(arrivals) ||
         std::holds_alternative<GammaArrivals>(arrivals);
}

/// Whether events can end without all of their work for other reasons than that a node has just broken.
bool may_skip_work(const Scenario& scenario) {
  const std::vector<ModelCall> calls = model_calls(scenario);
  return std::any_of(calls.begin(), calls.end(), [](const ModelCall& call) { return has_rules(call.infer.rules); }) ||
         std::any_of(scenario.servers.begin(), scenario.servers.end(),
                     [](const Server& server) {
                       return server.rate_limit || server.admission || server.autoscaler || server.failures ||
                              server.devices.failures;
                     }) ||
         std::any_of(scenario.models.begin(), scenario.models.end(), [](const auto& named) {
           const QueuePolicy& policy = named.second.queue_policy;
           return policy.timeout || policy.max_queue_size;
         });
}

/// Share of the events that one outage of nodes costs at least, on average: of those that arrive meanwhile, what is
/// neither served by the nodes that are left nor kept in the buffer and the streams. 0 where nothing can be said.
double lost_in(const Outage& outage, const Scenario& scenario) {
  if (!outage.server || !scenario.run.horizon || scenario.jobs.size() != 1 || may_skip_work(scenario)) return 0.0;
  const JobPool& pool = scenario.jobs.front();
  if (!pool.buffer || !pool.arrivals || !has_steady_rate(*pool.arrivals)) return 0.0;
  Scenario left = scenario;
  const auto server = std::find_if(left.servers.begin(), left.servers.end(),
                                   [&](const Server& one) { return one.name == *outage.server; });
  if (server == left.servers.end() || outage.nodes.value_or(server->nodes) >= server->nodes) return 0.0;
  server->nodes -= *outage.nodes;
  double until_s = (outage.from + outage.length).value;
  if (const auto* start_up = std::get_if<ConstantTime>(&server->start_up)) until_s += start_up->value.value;
  for (const std::string& model : server->models) until_s += scenario.models.at(model).load_time.value;
  const double run_s = scenario.run.horizon->value;
  const double lasts_s = std::min(until_s, run_s) - outage.from.value;
  const OpenCapacity capacity = capacity_of_all(System(left));
  // Streams hold an event each, and those whose requests were on the nodes that broke go on without an answer.
  const double kept = static_cast<double>(*pool.buffer) + 2.0 * stream_count(scenario);
  const double lost = (capacity.offered_per_s - capacity.capacity_per_s) * lasts_s - kept;
  return std::max(0.0, lost / (capacity.offered_per_s * run_s));
}

/// Of the outage that costs most.
double lost_in_outages(const Scenario& scenario) {
  double lost = 0.0;
  for (const Outage& outage : scenario.outages) lost = std::max(lost, lost_in(outage, scenario));
  return lost;
}

OpenCandidate judged_open(const Scenario& scenario, const Results& summary, double loss) {
  const OpenCapacity capacity = capacity_of_all(scenario);
  OpenCandidate found{
      .gpus = device_count(scenario), .capacity_per_s = capacity.capacity_per_s, .limit = capacity.limit};
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

/// @param served_per_s  events that are not lost [1/s]
void say_costs(const Scenario& planned, const PurchaseTerms& paid, double served_per_s, OpenPlan& plan) {
  const Expenses expenses = compute_expenses(planned, paid);
  if (served_per_s > 0.0) plan.cost_per_million_events_usd = expenses.usd_per_million(served_per_s);
  if (plan.cost_per_million_events_usd) plan.priced = priced_parts(expenses);
}

}  // namespace

OpenPlan plan_open(const System& system, double loss, const Evaluate& evaluate, const Methods& methods) {
  const Scenario& scenario = system.scenario;
  if (!all_open(scenario)) throw std::invalid_argument("plan_open: events do not arrive from outside at every pool");
  if (!(loss >= 0.0 && loss < 1.0)) throw std::invalid_argument("plan_open: a loss lies in [0, 1)");
  const DeviceFleet fleet(scenario);
  constexpr double rounding = 1e-9;
  const double most_load = (1.0 + rounding) / (1.0 - loss);
  auto by_bound = fewest_by_bound(fleet, most_open_steps,
                                  [&](const System& some) { return capacity_of_all(some).load() <= most_load; });
  if (!by_bound) {
    const OpenCapacity most = capacity_of_all(fleet.with_steps(most_open_steps));
    throw std::domain_error("no number of devices serves " + in_words(most.offered_per_s) + " events/s: \"" +
                            most.limit + "\" limits them to " + in_words(most.capacity_per_s) + " events/s");
  }
  const auto despite_outages = least_accepted({.first = *by_bound, .last = most_open_steps}, [&](std::uint64_t steps) {
    return lost_in_outages(fleet.with_steps(steps)) <= loss;
  });
  const bool outages_bind = despite_outages && *despite_outages > *by_bound;
  if (outages_bind) by_bound = despite_outages;
  OpenPlan plan{.tolerated_loss = loss,
                .offered_per_s = capacity_of_all(system).offered_per_s,
                .gpus_by_bound = device_count(fleet.with_steps(*by_bound)),
                .outages_bind = outages_bind,
                .confirmed = !methods.formulas_alone()};
  if (!plan.confirmed) {
    const Scenario planned = fleet.with_steps(*by_bound);
    plan.gpus = plan.gpus_by_bound;
    say_costs(planned, {}, plan.offered_per_s / std::max(1.0, capacity_of_all(planned).load()), plan);
    return plan;
  }
  const std::uint64_t most_replications =
      std::max(scenario.run.min_replications, std::min(scenario.run.max_replications, most_replications_a_step));
  SimulatedPoints points(evaluate, [&](Scenario one, Care care) {
    RunControl& run = one.run;
    if (care == Care::scout) run.min_replications = 1;
    run.max_replications = care == Care::scout ? 1 : most_replications;
    return one;
  });
  const auto simulate = [&](const std::vector<std::uint64_t>& wanted, Care care) {
    std::vector<Scenario> scenarios;
    for (const std::uint64_t steps : wanted) scenarios.push_back(fleet.with_steps(steps));
    points.simulate(scenarios, care);
  };
  const auto judged = [&](const SimulatedPoint& point) { return judged_open(point.scenario, point.summary, loss); };
  const auto candidate = [&](std::uint64_t steps, Care care) {
    simulate({steps}, care);
    return judged(*points.find(fleet.with_steps(steps)));
  };
  // The neighbours show how steep the edge is; that fewer do not suffice the bound says.
  std::vector<std::uint64_t> neighbours{*by_bound - 1, *by_bound + 1};
  // Replications of a fixed length: what the first one loses is part of the mean of all. Where that part alone is too
  // much, the others cannot help. The bound's own is expected to do, and gets them all at once.
  const bool fixed = scenario.run.horizon.has_value();
  if (!fixed) neighbours.push_back(*by_bound - *by_bound / 10 - 1);
  std::erase(neighbours, 0);
  simulate(neighbours, Care::scout);
  const auto accepted = [&](std::uint64_t steps) {
    if (fixed && steps > *by_bound &&
        candidate(steps, Care::scout).lost_fraction.mean > loss * static_cast<double>(most_replications))
      return false;
    return candidate(steps, Care::confirmed).accepted;
  };
  const auto fewest = least_accepted({.first = *by_bound, .enough = 4 * *by_bound + 17}, accepted);
  if (!fewest)
    throw std::domain_error("no number of devices up to " +
                            std::to_string(device_count(points.all().back()->scenario)) +
                            " keeps the pools stable and their loss within " + percent(loss) +
                            ": see what run says of the scenario with so many");
  const OpenCandidate chosen = candidate(*fewest, Care::confirmed);
  plan.gpus = chosen.gpus;
  for (const SimulatedPoint* point : points.all()) plan.candidates.push_back(judged(*point));
  const SimulatedPoint& simulated = *points.find(fleet.with_steps(*fewest));
  say_costs(simulated.scenario, as_paid({}, simulated.scenario, simulated.summary),
            chosen.offered_per_s.mean * (1.0 - chosen.lost_fraction.mean), plan);
  return plan;
}

}  // namespace saturn
