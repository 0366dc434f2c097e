#include "sim/plan/slowdown_crossing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "models/queueing/closed_formulas.hpp"
#include "models/words/texts.hpp"
#include "scenarios/demands/demands.hpp"
#include "scenarios/scenario_traits.hpp"

namespace saturn {

void refuse_nothing_shared(const Scenario& scenario) {
  throw NothingShared("any number of " + stream_word_of(scenario) +
                      "s runs without waiting: no device, link or network card does any work for an event");
}

namespace {

// So near to each other two ways to interpolate have to be, relative.
constexpr double close_enough = 0.003;
constexpr double worth_scouting = 0.04;
constexpr double widest_bracket = 2.5;               // of the wanted precision
constexpr std::array strides{0.75, 0.5, 0.25, 0.1};  // of what lies below the upper end, look by look
constexpr int quick_rounds = 4;
constexpr int most_rounds = 40;

class CrossingSearch {
 public:
  CrossingSearch(const System& system, const CrossingGoal& goal, SimulatedPoints& points)
      : system_(system), scenario_(system.scenario), goal_(goal), limit_(1 + goal.slowdown), points_(points) {
    fewest_ = whole_clients(with_streams(scenario_, 1e-9));
  }

  SlowdownCrossing find() {
    scout();
    for (int round = 0; round < most_rounds; ++round) {
      read_bracket();
      if (!low_) {
        look_lower();
      } else if (!high_) {
        look_higher();
      } else if (close_in(round >= quick_rounds)) {
        return interpolated().crossing;
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

    Care care() const { return point->care; }
  };

  /// What the bracket's ends say of the crossing.
  struct Interpolated {
    SlowdownCrossing crossing;
    double bend = 0.0;        ///< by which the ways to interpolate differ [client]
    double low_noise = 0.0;   ///< half-width that the lower end brings [client]
    double high_noise = 0.0;  ///< the same of the upper end

    double noise() const { return low_noise + high_noise; }
    double half_width() const { return bend / 2 + noise(); }
  };

  Scenario at(double clients) const { return with_streams(scenario_, std::max(clients, 1e-9)); }

  void scout() {
    const double most = clients_within(system_.network, goal_.slowdown);
    if (std::isinf(most)) refuse_nothing_shared(scenario_);
    if (static_cast<double>(fewest_) > most) {
      throw std::domain_error("no number of " + stream_word_of(scenario_) + "s stays within " +
                              percent(goal_.slowdown) + ": the jobs need at least " +
                              counted_in_words(static_cast<double>(fewest_), stream_word_of(scenario_)) +
                              ", one job of each kind, and only " + in_words(most) + " can meet it by the bound");
    }
    // The bound itself says that one more client than it allows is too slow: the bracket's upper end.
    const Scenario beyond = at(std::floor(most) + 1);
    if (goal_.guess < 0.95 * most) {
      points_.simulate({at(0.98 * goal_.guess), at((goal_.guess + most) / 2), beyond}, Care::scout);
    } else {
      points_.simulate({at(0.98 * std::min(goal_.guess, most)), beyond}, Care::scout);
    }
  }

  void read_bracket() {
    low_.reset();
    high_.reset();
    ends_.clear();
    for (const auto& [clients, point] : points_.with_devices(device_count(scenario_))) {
      End end{.clients = clients, .slowdown = served_slowdown(*point), .point = point};
      ends_.push_back(end);
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
      // The further below the bound the crossing proves to be, the less the bound says where.
      const double stride = strides[std::min(looks_lower_++, strides.size() - 1)];
      constexpr double nearer = 0.4;  // to the upper end, of the two that run side by side
      std::vector<Scenario> lower = {at(least + stride * span), at(least + (1 - nearer * (1 - stride)) * span)};
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
    throw FewestTooSlow("no number of " + stream_word_of(scenario_) + "s stays within " + percent(goal_.slowdown) +
                        ": already " + counted_in_words(static_cast<double>(fewest_), stream_word_of(scenario_)) +
                        ", the fewest that the jobs allow, " + (fewest_ == 1 ? "takes " : "take ") +
                        in_words(event_time_s.mean) + " s an event, " + percent(high_->slowdown.mean - 1) +
                        " above t_ideal");
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

  double width() const { return static_cast<double>(high_->clients - low_->clients); }

  double share_to_clients(double share) const {
    const auto a = static_cast<double>(low_->clients);
    const auto b = static_cast<double>(high_->clients);
    return a + share * (b - a);
  }

  /// Half-width of an end's slowdown. What was simulated once has none of its own: it scatters like one replication of
  /// the end that has most of them.
  double noise_of(const End& end) const {
    if (end.care() != Care::scout) return end.slowdown.half_width();
    const Estimate* most = &end.slowdown;
    for (const End& other : ends_)
      if (other.slowdown.replications > most->replications) most = &other.slowdown;
    return noise_of_one(*most);
  }

  /// Slope at the crossing that noise leaves at least, by those two points up to the bracket's upper end that show the
  /// steepest [1/client]. Points share their random numbers, so that their difference scatters less than both.
  double least_slope() const {
    constexpr double of_both = 0.5;
    double least = 0.0;
    for (auto above = ends_.begin(); above != ends_.end(); ++above)
      for (auto below = ends_.begin(); below != above; ++below) {
        const double from = excess_of(*below);
        const double noise = of_both * std::hypot(noise_of(*below), noise_of(*above));
        const double rise = above->slowdown.mean - below->slowdown.mean - noise;
        const double growth = std::log(std::max(above->slowdown.mean - 1, from) / from);
        const auto clients = static_cast<double>(above->clients - below->clients);
        least = std::max(least, std::min(rise, goal_.slowdown * growth) / clients);
      }
    return least;
  }

  /// Of an event time over t_ideal, not so near to 0 that its logarithm means nothing.
  double excess_of(const End& end) const { return std::max(end.slowdown.mean - 1, goal_.slowdown / 50); }

  /// The crossing between the bracket's ends. Event times are convex in N, so that they lie below the straight line
  /// between its ends; up to the knee the excess over t_ideal grows like a power of N and past it more slowly, so that
  /// its logarithm lies above such a line. The crossing is between those of both.
  Interpolated interpolated() const {
    const double from = excess_of(*low_);
    const double rise = high_->slowdown.mean - low_->slowdown.mean;
    const double straight = (limit_ - low_->slowdown.mean) / rise;
    const double growth = std::log((high_->slowdown.mean - 1) / from);
    // Between neighbours the event time is taken to grow evenly.
    const double bent = are_neighbours() ? straight : std::max(straight, std::log(goal_.slowdown / from) / growth);
    const double share = (straight + bent) / 2;
    const double clients = share_to_clients(share);
    // Convex again: at the crossing the event time grows by no less than the lesser of both. And more clients than one
    // never give less throughput.
    const auto possible = [&](double slope) { return std::clamp(slope, goal_.slowdown / clients, limit_ / clients); };
    const double slope = std::min(rise, goal_.slowdown * growth) / width();
    Interpolated found{.crossing = {.clients = clients},
                       .bend = (bent - straight) * width(),
                       .low_noise = (1 - share) * noise_of(*low_) / possible(slope),
                       .high_noise = share * noise_of(*high_) / possible(slope)};
    // The search ends by the slope that is measured; what it says holds for one that noise made too steep, too.
    const double wider = possible(slope) / possible(std::min(slope, least_slope()));
    const double half_width = found.bend / 2 + wider * found.noise();
    found.crossing.low = std::max(0.0, clients - half_width);
    found.crossing.high = clients + half_width;
    return found;
  }

  /// No whole number of clients lies between the ends.
  bool are_neighbours() const { return !between(share_to_clients(0.5)); }

  /// The scenario with about so many clients, or as many as whole jobs allow within the bracket; nothing where there is
  /// none between its ends.
  std::optional<Scenario> between(double clients) const {
    for (const double some : {clients, share_to_clients(0.5)}) {
      Scenario scenario = at(some);
      const std::uint64_t whole = whole_clients(scenario);
      if (low_->clients < whole && whole < high_->clients) return scenario;
    }
    return std::nullopt;
  }

  /// Simulates what tells most of the crossing. @returns true when that is known
  bool close_in(bool bisect) {
    const Interpolated now = interpolated();
    const double clients = now.crossing.clients;
    const double wanted = goal_.precision * clients;
    const End& near = clients > share_to_clients(0.5) ? *high_ : *low_;
    const End& far = &near == &*high_ ? *low_ : *high_;
    // However the event time grows between the ends, the crossing is known to about the precision where they are near.
    // Nearer than their noise tells them apart they would only mislead.
    const bool wide = width() > std::max(widest_bracket * wanted, 2 * now.noise()) && !are_neighbours();
    const bool bent = now.bend > std::max(close_enough * clients, now.noise());
    if (!wide && !bent && near.care() != Care::scout && now.half_width() <= wanted) return true;

    const bool is_at_crossing = std::abs(static_cast<double>(near.clients) - clients) <= wanted / 2;
    if (bent || wide || (!is_at_crossing && near.care() == Care::scout)) {
      const bool only_wide = !bent && is_at_crossing && near.care() != Care::scout;
      double target = clients;
      if (bisect)
        target = share_to_clients(0.5);
      else if (only_wide)
        target += far.clients > near.clients ? wanted : -wanted;
      if (const std::optional<Scenario> next = between(target)) {
        const bool far_from_it = width() > worth_scouting * static_cast<double>(high_->clients);
        points_.simulate({*next}, far_from_it || only_wide ? Care::scout : Care::settled);
        return false;
      }
    }
    return !look_closer(near, now);
  }

  /// Simulates the end once more that brings most noise. @returns false where both are known as well as can be
  bool look_closer(const End& near, const Interpolated& now) {
    if (near.care() == Care::scout) return look_closer(near);
    const End& noisier = now.high_noise > now.low_noise ? *high_ : *low_;
    const End& other = now.high_noise > now.low_noise ? *low_ : *high_;
    return look_closer(noisier) || look_closer(other);
  }

  bool look_closer(const End& end) {
    if (end.care() == Care::confirmed) return false;
    points_.simulate({end.point->scenario}, end.care() == Care::scout ? Care::settled : Care::confirmed);
    return true;
  }

  const System& system_;
  const Scenario& scenario_;
  CrossingGoal goal_;
  double limit_;
  SimulatedPoints& points_;
  std::uint64_t fewest_ = 1;
  std::size_t looks_lower_ = 0;
  std::vector<End> ends_;  ///< all simulated ones up to the bracket's upper end, by clients
  std::optional<End> low_;
  std::optional<End> high_;
};

}  // namespace

SlowdownCrossing find_crossing(const System& system, const CrossingGoal& goal, SimulatedPoints& points) {
  return CrossingSearch(system, goal, points).find();
}

}  // namespace saturn
