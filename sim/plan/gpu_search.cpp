#include "sim/plan/gpu_search.hpp"

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "models/bounds.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands.hpp"
#include "sim/plan/device_fleet.hpp"

namespace saturn {
namespace {

// More devices than any site has; if the bound is not met with these, it is not the devices that bind.
constexpr std::uint64_t most_steps = 1ull << 24;

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

/// The smallest number above `failed` and up to `good` that the test accepts, when it accepts `good`.
template <class Test>
std::uint64_t smallest_between(std::uint64_t failed, std::uint64_t good, const Test& accepts) {
  while (good - failed > 1) {
    const std::uint64_t middle = failed + (good - failed) / 2;
    (accepts(middle) ? good : failed) = middle;
  }
  return good;
}

/// The fewest that the bound allows. @throws std::domain_error  none does
std::uint64_t fewest_steps(const DeviceFleet& fleet, const PlanQuestion& question) {
  const auto allowed = [&](std::uint64_t steps) { return bound_allows(fleet.with_steps(steps), question); };
  if (!allowed(most_steps)) refuse(fleet.with_steps(most_steps), question);
  return smallest_between(0, most_steps, allowed);
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
  const auto allowed = [&](std::uint64_t steps) { return bound_allows(fleet.with_steps(steps), {}); };
  if (!allowed(most_steps)) return std::nullopt;
  return fleet.with_steps(smallest_between(0, most_steps, allowed));
}

const SimulatedPoint& find_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points) {
  const DeviceFleet fleet(scenario);
  const std::uint64_t fewest = fewest_steps(fleet, question);

  const auto simulated = [&](std::uint64_t steps) -> const SimulatedPoint& {
    const Scenario candidate = fleet.with_steps(steps);
    points.simulate({candidate}, Care::confirmed);
    return *points.find(candidate);
  };
  const auto carries = [&](std::uint64_t steps) { return simulated(steps).candidate.accepted; };
  // With several devices for each request, those that dispatch leaves out among them, nobody waits for a device.
  const auto most_useful = std::max(fewest, static_cast<std::uint64_t>(4.0 * most_outstanding(scenario)));
  std::uint64_t failed = fewest - 1;
  std::uint64_t steps = fewest;
  for (std::uint64_t stride = 1; !carries(steps); stride *= 2) {
    if (steps > most_useful) {
      throw std::domain_error("no number of devices carries " + counted_in_words(client_count(scenario), "client") +
                              " within " + percent(question.slowdown) +
                              ": simulated events stay slower with any number of them" + in_one_node(scenario));
    }
    failed = steps;
    steps += stride;
  }
  return simulated(smallest_between(failed, steps, carries));
}

}  // namespace saturn
