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

[[noreturn]] void refuse(const System& with_most, const PlanQuestion& question) {
  const auto& [largest, network, bounds] = with_most;
  const Knee& first = bounds.knees.front();
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
  if (!fewest) refuse(fleet.with_steps(most_steps), question);
  return *fewest;
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
  return outstanding * stream_count(scenario);
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

}  // namespace

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

const SimulatedPoint& find_gpus(const Scenario& scenario, const PlanQuestion& question, SimulatedPoints& points) {
  const DeviceFleet fleet(scenario);
  const std::uint64_t fewest = fewest_steps(fleet, question);
  const auto simulated = [&](std::uint64_t steps) -> const SimulatedPoint& {
    const Scenario candidate = fleet.with_steps(steps);
    points.simulate({candidate}, Care::confirmed);
    return *points.find(candidate);
  };
  const auto carrying = least_accepted(from_fewest(fewest, scenario), [&](std::uint64_t steps) {
    return served_slowdown(simulated(steps).summary).mean - 1 <= question.slowdown;
  });
  if (!carrying) {
    refuse_any_number(scenario, question, "simulated events stay slower");
  }
  return simulated(*carrying);
}

namespace {

/// The pool whose capacity is shortest.
struct Bottleneck {
  double load = 0.0;
  double offered_per_s = 0.0;  // of all pools
  std::string limit;
};

Bottleneck bottleneck_of(const System& system) {
  const ClosedNetwork& network = system.network;
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

/// @param served_per_s  events that are not lost [1/s]
void say_costs(const Scenario& planned, double served_per_s, OpenPlan& plan) {
  const Expenses expenses = compute_expenses(planned, {});
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
  const auto by_bound = fewest_by_bound(fleet, most_open_steps,
                                        [&](const System& some) { return bottleneck_of(some).load <= most_load; });
  if (!by_bound) {
    const Bottleneck bottleneck = bottleneck_of(fleet.with_steps(most_open_steps));
    throw std::domain_error("no number of devices serves " + in_words(bottleneck.offered_per_s) + " events/s: \"" +
                            bottleneck.limit + "\" limits them to " +
                            in_words(bottleneck.offered_per_s / bottleneck.load) + " events/s");
  }
  OpenPlan plan{.tolerated_loss = loss,
                .offered_per_s = bottleneck_of(system).offered_per_s,
                .gpus_by_bound = device_count(fleet.with_steps(*by_bound)),
                .confirmed = !methods.formulas_alone()};
  if (!plan.confirmed) {
    const Scenario planned = fleet.with_steps(*by_bound);
    plan.gpus = plan.gpus_by_bound;
    say_costs(planned, plan.offered_per_s / std::max(1.0, bottleneck_of(planned).load), plan);
    return plan;
  }
  SimulatedPoints points(evaluate, [](Scenario one, Care) {
    one.run.max_replications =
        std::max(one.run.min_replications, std::min(one.run.max_replications, most_replications_a_step));
    return one;
  });
  const auto simulate = [&](const std::vector<std::uint64_t>& wanted) {
    std::vector<Scenario> scenarios;
    for (const std::uint64_t steps : wanted) scenarios.push_back(fleet.with_steps(steps));
    points.simulate(scenarios, Care::confirmed);
  };
  const auto judged = [&](const SimulatedPoint& point) { return judged_open(point.scenario, point.summary, loss); };
  const auto candidate = [&](std::uint64_t steps) {
    simulate({steps});
    return judged(*points.find(fleet.with_steps(steps)));
  };
  // The neighbours show how steep the edge is.
  simulate({std::max<std::uint64_t>(1, *by_bound - *by_bound / 10 - 1), std::max<std::uint64_t>(1, *by_bound - 1),
            *by_bound, *by_bound + 1});
  const auto fewest = least_accepted({.first = *by_bound, .enough = 4 * *by_bound + 17},
                                     [&](std::uint64_t steps) { return candidate(steps).accepted; });
  if (!fewest)
    throw std::domain_error("no number of devices up to " +
                            std::to_string(device_count(points.all().back()->scenario)) +
                            " keeps the pools stable and their loss within " + percent(loss) +
                            ": see what run says of the scenario with so many");
  const OpenCandidate chosen = candidate(*fewest);
  plan.gpus = chosen.gpus;
  for (const SimulatedPoint* point : points.all()) plan.candidates.push_back(judged(*point));
  say_costs(fleet.with_steps(*fewest), chosen.offered_per_s.mean * (1.0 - chosen.lost_fraction.mean), plan);
  return plan;
}

void refuse_nothing_shared(const Scenario& scenario) {
  throw NothingShared("any number of " + stream_word_of(scenario) +
                      "s runs without waiting: no device, link or network card does any work for an event");
}

namespace {

constexpr double close_enough = 0.003;
constexpr double worth_scouting = 0.04;
constexpr int quick_rounds = 4;
constexpr int most_rounds = 40;

class CrossingSearch {
 public:
  CrossingSearch(const System& system, double slowdown, SimulatedPoints& points)
      : system_(system), scenario_(system.scenario), limit_(1 + slowdown), points_(points) {
    fewest_ = whole_clients(with_streams(scenario_, 1e-9));
  }

  SlowdownCrossing find(double guess) {
    scout(guess);
    for (int round = 0; round < most_rounds; ++round) {
      read_bracket();
      if (!low_) {
        look_lower();
      } else if (!high_) {
        look_higher();
      } else if (close_in(round >= quick_rounds)) {
        return interpolated();
      }
    }
    throw std::domain_error("the simulated event times scatter too much to find where they pass " + in_words(limit_) +
                            " times t_ideal; simulate longer (run.cycles)");
  }

 private:
  /// An end of the bracket.
  struct End {
    std::uint64_t clients = 0;
    Estimate slowdown{};
    const SimulatedPoint* point = nullptr;
  };

  Scenario at(double clients) const { return with_streams(scenario_, std::max(clients, 1e-9)); }

  void scout(double guess) {
    const double most = clients_within(system_.network, limit_ - 1);
    if (std::isinf(most)) refuse_nothing_shared(scenario_);
    if (static_cast<double>(fewest_) > most) {
      throw std::domain_error("no number of " + stream_word_of(scenario_) + "s stays within " + percent(limit_ - 1) +
                              ": the jobs need at least " +
                              counted_in_words(static_cast<double>(fewest_), stream_word_of(scenario_)) +
                              ", one job of each kind, and only " + in_words(most) + " can meet it by the bound");
    }
    // The bound itself says that one more client than it allows is too slow: the bracket's upper end.
    const Scenario beyond = at(std::floor(most) + 1);
    if (guess < 0.95 * most) {
      points_.simulate({at(0.98 * guess), at((guess + most) / 2), beyond}, Care::scout);
    } else {
      points_.simulate({at(0.94 * most), at(0.98 * most), beyond}, Care::scout);
    }
  }

  void read_bracket() {
    low_.reset();
    high_.reset();
    for (const auto& [clients, point] : points_.with_devices(device_count(scenario_))) {
      End end{.clients = clients, .slowdown = served_slowdown(point->summary), .point = point};
      if (end.slowdown.mean > limit_) {
        high_ = std::move(end);
        return;
      }
      low_ = std::move(end);
    }
  }

  void look_lower() {
    const auto lowest = high_->clients;
    if (lowest > fewest_) {
      const auto least = static_cast<double>(fewest_);
      const auto span = static_cast<double>(lowest) - least;
      std::vector<Scenario> lower = {at(least + 0.75 * span), at(least + 0.9 * span)};
      // Whole jobs can round both back to where we are.
      if (whole_clients(lower.front()) == lowest) lower = {at(least)};
      points_.simulate(lower, Care::scout);
      return;
    }
    if (high_->point->care == Care::scout) {
      points_.simulate({high_->point->scenario}, Care::confirmed);
      return;
    }
    const Estimate& event_time_s = high_->point->summary.all_jobs["event_time_s"];
    throw FewestTooSlow("no number of " + stream_word_of(scenario_) + "s stays within " + percent(limit_ - 1) +
                            ": already " + counted_in_words(static_cast<double>(fewest_), stream_word_of(scenario_)) +
                            ", the fewest that the jobs allow, " + (fewest_ == 1 ? "takes " : "take ") +
                            in_words(event_time_s.mean) + " s an event, " + percent(high_->slowdown.mean - 1) +
                            " above t_ideal",
                        high_->slowdown);
  }

  void look_higher() {
    const std::uint64_t highest = low_->clients;
    const auto more_by = [&](double share) {
      double step = 1;
      const auto start = static_cast<double>(highest) * (1 + share);
      while (whole_clients(at(start + step)) <= highest) step *= 2;
      return at(start + step);
    };
    points_.simulate({more_by(0.01), more_by(0.04)}, Care::scout);
  }

  /// Where the limit should lie in the bracket, from the means at its ends: the excess over t_ideal grows like a power
  /// of N up to the knee, so a straight line through its logarithm comes nearer than one through itself.
  double expected_crossing() const {
    const double tolerated = limit_ - 1;
    const double from = std::max(low_->slowdown.mean - 1, tolerated / 50);
    const double to = high_->slowdown.mean - 1;
    return clients_at(std::log(tolerated / from) / std::log(to / from));
  }

  /// The number of clients that the intervals at the bracket's ends can tell apart, at least `close_enough`.
  double resolution() const {
    const double noise = (low_->slowdown.half_width() + high_->slowdown.half_width()) / 2;
    const auto clients = static_cast<double>(high_->clients);
    return std::max(close_enough * clients, noise / 2 / slope_near(clients));
  }

  /// Slope of the slowdown at the crossing [1/client]. Two neighbours differ by little more than their noise, but the
  /// slope is known to lie between that of the chord from one client (event times are convex in N) and that of
  /// saturation (more clients never give less).
  double slope_near(double clients) const {
    const double rise = high_->slowdown.mean - low_->slowdown.mean;
    const double measured = rise / static_cast<double>(high_->clients - low_->clients);
    return std::clamp(measured, (limit_ - 1) / clients, limit_ / clients);
  }

  double clients_at(double share) const {
    const auto a = static_cast<double>(low_->clients);
    const auto b = static_cast<double>(high_->clients);
    return a + share * (b - a);
  }

  /// Two scenarios round the target, not outside the bracket, as near as the resolution or whole jobs allow.
  std::vector<Scenario> pair_round(double target) const {
    for (double half = std::max(0.5, 0.45 * resolution());; half *= 1.3) {
      Scenario below = at(target - half);
      Scenario above = at(target + half);
      if (whole_clients(below) <= low_->clients) below = low_->point->scenario;
      if (whole_clients(above) >= high_->clients) above = high_->point->scenario;
      if (whole_clients(below) < whole_clients(above)) return {std::move(below), std::move(above)};
    }
  }

  /// Simulates nearer to the crossing. @returns true when the bracket is narrow and its ends are confirmed
  bool close_in(bool bisect) {
    const auto a = static_cast<double>(low_->clients);
    const auto b = static_cast<double>(high_->clients);
    std::vector<Scenario> pair = pair_round(bisect ? (a + b) / 2 : expected_crossing());
    const bool whole_bracket =
        whole_clients(pair.front()) == low_->clients && whole_clients(pair.back()) == high_->clients;
    const bool narrow = whole_bracket || b - a <= resolution();
    if (narrow) pair = {low_->point->scenario, high_->point->scenario};
    if (narrow && low_->point->care == Care::confirmed && high_->point->care == Care::confirmed) return true;
    points_.simulate(pair, narrow || b - a <= worth_scouting * b ? Care::confirmed : Care::scout);
    return false;
  }

  SlowdownCrossing interpolated() const {
    const Estimate& a = low_->slowdown;
    const Estimate& b = high_->slowdown;
    const double share = (limit_ - a.mean) / (b.mean - a.mean);
    const double clients = clients_at(share);
    const auto mixed = [&](double from_a, double from_b) { return from_a + share * (from_b - from_a); };
    const double slope = slope_near(clients);
    return {.clients = clients,
            .low = std::max(0.0, clients - mixed(a.high - a.mean, b.high - b.mean) / slope),
            .high = clients + mixed(a.mean - a.low, b.mean - b.low) / slope};
  }

  const System& system_;
  const Scenario& scenario_;
  double limit_;
  SimulatedPoints& points_;
  std::uint64_t fewest_ = 1;
  std::optional<End> low_;
  std::optional<End> high_;
};

}  // namespace

SlowdownCrossing find_crossing(const System& system, double slowdown, double guess, SimulatedPoints& points) {
  return CrossingSearch(system, slowdown, points).find(guess);
}

}  // namespace saturn
