#include "sim/plan/slowdown_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"

namespace saturn {

namespace {

constexpr double close_enough = 0.003;
constexpr double worth_scouting = 0.04;
constexpr int quick_rounds = 4;
constexpr int most_rounds = 40;

class CrossingSearch {
 public:
  CrossingSearch(const Scenario& scenario, double slowdown, SimulatedPoints& points)
      : scenario_(scenario), limit_(1 + slowdown), points_(points) {
    fewest_ = whole_clients(with_clients(scenario, 1e-9));
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

  Scenario at(double clients) const { return with_clients(scenario_, std::max(clients, 1e-9)); }

  void scout(double guess) {
    const double most = clients_within(closed_network(scenario_), limit_ - 1);
    if (std::isinf(most)) {
      throw NothingShared(
          "any number of clients runs without waiting: no device, link or network card does any work for an event");
    }
    if (static_cast<double>(fewest_) > most) {
      throw std::domain_error("no number of clients stays within " + percent(limit_ - 1) + ": the jobs need at least " +
                              counted_in_words(static_cast<double>(fewest_), "client") +
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
    throw FewestTooSlow("no number of clients stays within " + percent(limit_ - 1) + ": already " +
                            counted_in_words(static_cast<double>(fewest_), "client") +
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

  const Scenario& scenario_;
  double limit_;
  SimulatedPoints& points_;
  std::uint64_t fewest_ = 1;
  std::optional<End> low_;
  std::optional<End> high_;
};

}  // namespace

SlowdownCrossing find_crossing(const Scenario& scenario, double slowdown, double guess, SimulatedPoints& points) {
  return CrossingSearch(scenario, slowdown, points).find(guess);
}

}  // namespace saturn
