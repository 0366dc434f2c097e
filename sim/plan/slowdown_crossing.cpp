#include "sim/plan/slowdown_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"
#include "sim/plan/costs/purchase_terms.hpp"

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
  const std::string word = stream_word_of(largest);
  std::string text = "no number of devices carries " + counted_in_words(bounds.clients, word) + ": \"" +
                     network.resources[first.resource].name + "\" saturates at " +
                     counted_in_words(first.clients, word);
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
  return outstanding * stream_count(scenario);
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

  const auto simulate_steps = [&](std::uint64_t steps) -> const SimulatedPoint& {
    const Scenario candidate = fleet.with_steps(steps);
    points.simulate({candidate}, Care::confirmed);
    return *points.find(candidate);
  };
  const auto carries = [&](std::uint64_t steps) { return simulate_steps(steps).candidate.accepted; };
  // With several devices for each request, those that dispatch leaves out among them, nobody waits for a device.
  const auto most_useful = std::max(fewest, static_cast<std::uint64_t>(4.0 * most_outstanding(scenario)));
  std::uint64_t failed = fewest - 1;
  std::uint64_t steps = fewest;
  for (std::uint64_t stride = 1; !carries(steps); stride *= 2) {
    if (steps > most_useful) {
      throw std::domain_error("no number of devices carries " +
                              counted_in_words(stream_count(scenario), stream_word_of(scenario)) + " within " +
                              percent(question.slowdown) + ": simulated events stay slower with any number of them" +
                              in_one_node(scenario));
    }
    failed = steps;
    steps += stride;
  }
  return simulate_steps(smallest_between(failed, steps, carries));
}

namespace {

constexpr double close_enough = 0.003;
constexpr double worth_scouting = 0.04;
constexpr int quick_rounds = 4;
constexpr int most_rounds = 40;

class CrossingSearch {
 public:
  CrossingSearch(const Scenario& scenario, double slowdown, SimulatedPoints& points)
      : scenario_(scenario), limit_(1 + slowdown), points_(points) {
    fewest_ = clients_of(with_streams(scenario, 1e-9));
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
  static std::uint64_t clients_of(const Scenario& scenario) {
    return static_cast<std::uint64_t>(std::llround(stream_count(scenario)));
  }
  Scenario at(double clients) const { return with_streams(scenario_, std::max(clients, 1e-9)); }

  void scout(double guess) {
    const double most = clients_within(closed_network(scenario_), limit_ - 1);
    if (std::isinf(most)) {
      throw NothingShared("any number of " + stream_word_of(scenario_) +
                          "s runs without waiting: no device, link or network card does any work for an event");
    }
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
    low_ = nullptr;
    high_ = nullptr;
    for (const auto& [clients, point] : points_.with_devices(device_count(scenario_))) {
      if (point->candidate.slowdown.mean > limit_) {
        high_ = point;
        return;
      }
      low_ = point;
    }
  }

  void look_lower() {
    const auto lowest = high_->candidate.clients;
    if (lowest > fewest_) {
      const auto least = static_cast<double>(fewest_);
      const auto span = static_cast<double>(lowest) - least;
      std::vector<Scenario> lower = {at(least + 0.75 * span), at(least + 0.9 * span)};
      // Whole jobs can round both back to where we are.
      if (clients_of(lower.front()) == lowest) lower = {at(least)};
      points_.simulate(lower, Care::scout);
      return;
    }
    if (high_->care == Care::scout) {
      points_.simulate({high_->scenario}, Care::confirmed);
      return;
    }
    const PlanCandidate& found = high_->candidate;
    throw FewestTooSlow("no number of " + stream_word_of(scenario_) + "s stays within " + percent(limit_ - 1) +
                            ": already " + counted_in_words(static_cast<double>(fewest_), stream_word_of(scenario_)) +
                            ", the fewest that the jobs allow, " + (fewest_ == 1 ? "takes " : "take ") +
                            in_words(found.event_time_s.mean) + " s an event, " + percent(found.slowdown.mean - 1) +
                            " above t_ideal",
                        found.slowdown);
  }

  void look_higher() {
    const std::uint64_t highest = low_->candidate.clients;
    const auto more_by = [&](double share) {
      double step = 1;
      const auto start = static_cast<double>(highest) * (1 + share);
      while (clients_of(at(start + step)) <= highest) step *= 2;
      return at(start + step);
    };
    points_.simulate({more_by(0.01), more_by(0.04)}, Care::scout);
  }

  /// Where the limit should lie in the bracket, from the means at its ends: the excess over t_ideal grows like a power
  /// of N up to the knee, so a straight line through its logarithm comes nearer than one through itself.
  double expected_crossing() const {
    const double tolerated = limit_ - 1;
    const double from = std::max(low_->candidate.slowdown.mean - 1, tolerated / 50);
    const double to = high_->candidate.slowdown.mean - 1;
    return clients_at(std::log(tolerated / from) / std::log(to / from));
  }

  /// The number of clients that the intervals at the bracket's ends can tell apart, at least `close_enough`.
  double resolution() const {
    const double noise = (low_->candidate.slowdown.half_width() + high_->candidate.slowdown.half_width()) / 2;
    const auto clients = static_cast<double>(high_->candidate.clients);
    return std::max(close_enough * clients, noise / 2 / slope_near(clients));
  }

  /// Slope of the slowdown at the crossing [1/client]. Two neighbours differ by little more than their noise, but the
  /// slope is known to lie between that of the chord from one client (event times are convex in N) and that of
  /// saturation (more clients never give less).
  double slope_near(double clients) const {
    const double rise = high_->candidate.slowdown.mean - low_->candidate.slowdown.mean;
    const double measured = rise / static_cast<double>(high_->candidate.clients - low_->candidate.clients);
    return std::clamp(measured, (limit_ - 1) / clients, limit_ / clients);
  }

  double clients_at(double share) const {
    const auto a = static_cast<double>(low_->candidate.clients);
    const auto b = static_cast<double>(high_->candidate.clients);
    return a + share * (b - a);
  }

  /// Two scenarios round the target, not outside the bracket, as near as the resolution or whole jobs allow.
  std::vector<Scenario> pair_round(double target) const {
    for (double half = std::max(0.5, 0.45 * resolution());; half *= 1.3) {
      Scenario below = at(target - half);
      Scenario above = at(target + half);
      if (clients_of(below) <= low_->candidate.clients) below = low_->scenario;
      if (clients_of(above) >= high_->candidate.clients) above = high_->scenario;
      if (clients_of(below) < clients_of(above)) return {std::move(below), std::move(above)};
    }
  }

  /// Simulates nearer to the crossing. @returns true when the bracket is narrow and its ends are confirmed
  bool close_in(bool bisect) {
    const auto a = static_cast<double>(low_->candidate.clients);
    const auto b = static_cast<double>(high_->candidate.clients);
    std::vector<Scenario> pair = pair_round(bisect ? (a + b) / 2 : expected_crossing());
    const bool whole_bracket =
        clients_of(pair.front()) == low_->candidate.clients && clients_of(pair.back()) == high_->candidate.clients;
    const bool narrow = whole_bracket || b - a <= resolution();
    if (narrow) pair = {low_->scenario, high_->scenario};
    if (narrow && low_->care == Care::confirmed && high_->care == Care::confirmed) return true;
    points_.simulate(pair, narrow || b - a <= worth_scouting * b ? Care::confirmed : Care::scout);
    return false;
  }

  SlowdownCrossing interpolated() const {
    const Estimate& a = low_->candidate.slowdown;
    const Estimate& b = high_->candidate.slowdown;
    const double share = (limit_ - a.mean) / (b.mean - a.mean);
    const double clients = clients_at(share);
    const auto mixed = [&](double from_a, double from_b) { return from_a + share * (from_b - from_a); };
    const double slope = slope_near(clients);
    return {.clients = clients,
            .low = std::max(0.0, clients - mixed(a.high - a.mean, b.high - b.mean) / slope),
            .high = clients + mixed(a.mean - a.low, b.mean - b.low) / slope};
  }

  const Scenario& scenario_;
  double limit_;
  SimulatedPoints& points_;
  std::uint64_t fewest_ = 1;
  const SimulatedPoint* low_ = nullptr;
  const SimulatedPoint* high_ = nullptr;
};

}  // namespace

SlowdownCrossing find_crossing(const Scenario& scenario, double slowdown, double guess, SimulatedPoints& points) {
  return CrossingSearch(scenario, slowdown, points).find(guess);
}

}  // namespace saturn
