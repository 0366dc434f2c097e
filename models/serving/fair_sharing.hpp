#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/values/containers.hpp"

namespace saturn {

/// Links, and the classes of flows that cross them: flows of one class take the same links and have the same cap.
struct FlowRoutes {
  struct Link {
    double capacity = 0.0;                  ///< [byte/s], > 0, finite
    std::vector<std::size_t> classes = {};  ///< that cross it, by rising cap; once complete() was called
    std::size_t part = 0;
  };
  struct Class {
    double cap = 0.0;  ///< rate that one flow reaches alone [byte/s], > 0, finite
    std::uint64_t flows = 0;
    std::vector<std::size_t> links = {};  ///< each once
    std::size_t part = 0;
  };
  /// Links and classes that have to do with each other, directly or through others.
  struct Part {
    std::vector<std::size_t> links = {};
    std::vector<std::size_t> classes = {};  ///< by rising cap
  };

  std::vector<Link> links = {};
  std::vector<Class> classes = {};
  std::vector<Part> parts = {};

  /// Reckons what follows from capacities, caps and routes: the classes of each link, and the parts.
  void complete();

  /// Takes links out of all routes that never hold a flow back: those that carry all that other links of their flows
  /// let through. At least one link is left of each route, and no rate changes. After it complete() is due.
  /// Cost: O(links crossed by all classes × links of a route)
  void leave_out_wide_links();

 private:
  double most_through(std::size_t link, const std::vector<char>& left) const;
};

/// Max-min fair rates from scratch: the rates of all flows rise together; a class stops at its cap, or where a link is
/// full; the others rise on.
/// Source  Bertsekas & Gallager, Data Networks, section 6.5.2
class ProgressiveFilling {
 public:
  /// The bottleneck of a class that no link holds back.
  static constexpr std::size_t at_cap = std::numeric_limits<std::size_t>::max();

  /// Solves one part of the routes. Cost: O(links crossed by its classes × log links); allocates nothing when repeated.
  void solve(const FlowRoutes& routes, std::size_t part);

  /// The link that holds the class back, or at_cap, which is also the answer for a class without flows.
  std::size_t bottleneck(std::size_t flow_class) const { return bottlenecks_[flow_class]; }
  /// Whether the link holds a class with flows back.
  bool full(std::size_t link) const { return fills_[link].full; }
  /// Rate of the classes that a full link holds back [byte/s].
  double level(std::size_t link) const { return fills_[link].level; }

 private:
  struct Fill {
    double left = 0.0;    // capacity not yet given away
    double weight = 0.0;  // flows whose rate is still open
    double wanted = 0.0;  // sum over the flows of their caps
    double level = 0.0;
    bool full = false;
  };
  struct Share {
    double rate;
    std::size_t link;
    bool operator<(const Share& other) const { return rate > other.rate; }  // the least on top of the heap
  };

  void begin(const FlowRoutes& routes, const FlowRoutes::Part& part);
  void settle(const FlowRoutes& routes, std::size_t flow_class, double rate);

  std::vector<Fill> fills_;
  std::vector<std::size_t> bottlenecks_;
  std::vector<char> settled_;
  std::vector<Share> shares_;
};

/// Max-min fair rates of flows that share links, kept up to date while flows start and finish.
/// Flows of one class take the same links and have the same cap, so they have the same rate. Classes that the same link
/// holds back form its group: they have the rate that is the link's level, so that one number changes for all of them.
/// Which link holds back which class is remembered; a start or finish renews the levels that it touches and looks
/// whether that assignment still is max-min fair. Only where it is not, or where groups hold each other back, the rates
/// are reckoned from scratch.
class FairSharing {
 public:
  /// The bottleneck of a class that no link holds back.
  static constexpr std::size_t at_cap = ProgressiveFilling::at_cap;

  /// @param capacity  [byte/s], > 0, finite  @returns the link's number
  std::size_t add_link(double capacity);
  /// @param cap    rate that one flow reaches alone [byte/s], > 0, finite
  /// @param links  numbers of the links that its flows cross, each once
  /// @returns the class's number. All classes are added before the first flow starts.
  std::size_t add_class(double cap, std::vector<std::size_t> links);

  /// From now on the link carries so much. Returns true when rates may have changed, as start().
  /// @param capacity  [byte/s], > 0, finite  Cost: all rates of the classes that the link joins
  bool set_capacity(std::size_t link, double capacity);

  /// Called once all classes are there, where no capacity will change: takes links that never hold a flow back out of
  /// the routes, which changes no rate.
  void leave_out_wide_links();

  std::size_t classes() const { return routes_.classes.size(); }
  double cap(std::size_t flow_class) const { return routes_.classes[flow_class].cap; }
  /// Numbers of the links that its flows cross.
  const std::vector<std::size_t>& links(std::size_t flow_class) const { return routes_.classes[flow_class].links; }
  double capacity(std::size_t link) const { return routes_.links[link].capacity; }
  std::uint64_t flows(std::size_t flow_class) const { return routes_.classes[flow_class].flows; }

  /// The link in whose group the class is, or at_cap. A class without flows has one too, which its next flow may
  /// change.
  std::size_t bottleneck(std::size_t flow_class) const { return bottlenecks_[flow_class]; }
  /// Rate of each flow of the link's group, while it has any [byte/s].
  double level(std::size_t link) const { return links_[link].level; }
  /// Rate of each flow of the class [byte/s].
  double rate(std::size_t flow_class) const;

  /// A flow of the class begins. Returns true when rates may have changed; moved() and relevelled() then say where.
  /// Cost: O(links of the class) while all flows go at their caps; O(links of the class × log links) while the groups
  /// do not depend on each other; else O(links crossed by all classes × log links) at most.
  bool start(std::size_t flow_class) {
    FlowRoutes::Class& mine = routes_.classes[flow_class];
    ++mine.flows;
    if (bottlenecks_[flow_class] == at_cap) return !fits_at_caps(mine, mine.cap) && update(flow_class, true);
    return relevels_alone(flow_class, 1) ? !relevelled_.empty() : update(flow_class, true);
  }
  /// A flow of the class ends; otherwise as start().
  bool finish(std::size_t flow_class) {
    FlowRoutes::Class& mine = routes_.classes[flow_class];
    --mine.flows;
    if (bottlenecks_[flow_class] == at_cap) return !fits_at_caps(mine, -mine.cap) && update(flow_class, false);
    return relevels_alone(flow_class, -1) ? !relevelled_.empty() : update(flow_class, false);
  }

  /// Classes whose bottleneck the last start() or finish() changed.
  const std::vector<std::size_t>& moved() const { return moved_; }
  /// Links whose level it may have changed.
  const std::vector<std::size_t>& relevelled() const { return relevelled_; }
  /// How often rates were reckoned from scratch so far.
  std::uint64_t fillings() const { return fillings_; }

 private:
  /// Relative difference of rates below which rounding may have made it.
  static constexpr double rounding_of_rates = 1e-12;
  /// Sums of what comes and goes are reckoned afresh after so many updates, so that rounding does not add up.
  static constexpr std::uint64_t updates_between_fillings = 4096;

  // A group of another link that crosses this one.
  struct Crossing {
    std::size_t group;
    std::size_t place;    // of this link among those that the group crosses
    std::size_t classes;  // of the group that cross the link, those without flows included
    std::uint64_t flows;
    double bound = Tournament::none;  // in the group's thresholds
  };
  struct LinkState {
    double limit = 0.0;  // capacity, and a little more for rounding
    double fixed = 0.0;  // what flows at their caps take
    std::vector<Crossing> crossings = {};
    bool has_group = false;
    // Of its group:
    double level = 0.0;
    double cap_of_all = 0.0;   // the highest of the classes that cross the link
    double lowest_cap = 0.0;   // of its classes from `split` on: one above this leaves; infinite for none
    double highest_cap = 0.0;  // of the classes below: one below this joins; 0 for none
    std::uint64_t flows = 0;
    std::size_t split = 0;      // of its classes by cap: those below are at their caps
    std::uint64_t tangled = 0;  // flows of other groups that cross this link, and of this group across other groups'
    std::size_t shared = 0;     // links without a group that it crosses and other groups too
    std::vector<std::size_t> crossed = {};      // links that its members cross, by place; stale where the place is free
    std::vector<std::size_t> free_places = {};  // of `crossed`
    // Of each of those that no other group crosses: a level at which it is not yet full. Less than it could be, so that
    // few starts have to change it.
    Tournament thresholds = {};
  };

  /// What flows at their caps take of the links of a class changes. @returns whether no link of it holds anybody back
  bool fits_at_caps(const FlowRoutes::Class& flow_class, double change) {
    bool fits = true;
    for (const std::size_t l : flow_class.links) {
      LinkState& link = links_[l];
      link.fixed += change;
      fits = fits && !link.has_group && link.crossings.empty() && link.fixed <= link.limit;
    }
    return fits;
  }
  /// What update() comes to in most cases, where one level changes and nothing else: no class joins or leaves the
  /// group, and no other link that it crosses fills.
  /// @param more  flows that the class has more now: 1 or -1
  /// @returns false where that is not so; nothing has changed then
  bool relevels_alone(std::size_t flow_class, std::int64_t more) {
    const std::size_t number = bottlenecks_[flow_class];
    LinkState& link = links_[number];
    const std::uint64_t flows = link.flows + static_cast<std::uint64_t>(more);
    if (link.tangled > 0 || link.shared > 0 || flows == 0 || (updates_ + 1) % updates_between_fillings == 0)
      return false;
    double level =
        std::min((routes_.links[number].capacity - link.fixed) / static_cast<double>(flows), link.cap_of_all);
    const bool lowest_leaves = link.lowest_cap < level * (1.0 - rounding_of_rates);
    const bool highest_joins = link.highest_cap > level * (1.0 + rounding_of_rates);
    level = std::min(level, link.lowest_cap);
    if (lowest_leaves || highest_joins || level <= 0.0) return false;
    const std::vector<std::size_t>& route = routes_.classes[flow_class].links;
    if ((route.size() > 1 || !link.crossed.empty()) && !others_fit(flow_class, more, level)) return false;
    ++updates_;
    link.flows = flows;
    moved_.clear();
    relevelled_.clear();
    if (level != link.level) relevelled_.push_back(number);
    link.level = level;
    return true;
  }
  bool others_fit(std::size_t flow_class, std::int64_t more, double level);
  bool update(std::size_t flow_class, bool starts);
  bool changed();
  bool renew(std::size_t flow_class);
  bool relevel(std::size_t link);
  double fair_level(std::size_t link) const;
  bool own_links_fit(LinkState& group);
  bool shared_links_fit(const LinkState& group) const;
  bool links_fit(std::size_t flow_class) const;
  bool fits(const LinkState& link) const;

  bool move(std::size_t flow_class, std::size_t bottleneck);
  void remember(std::size_t flow_class);
  void count_member(std::size_t flow_class, std::uint64_t flows, bool more);
  void count_crossing(std::size_t link, std::size_t group, std::uint64_t flows, bool more);
  void join(std::size_t flow_class);
  void leave(std::size_t flow_class);
  Crossing& crossing(std::size_t link, std::size_t group);
  void add_crossing(std::size_t link, std::size_t group);
  void remove_crossing(std::size_t link, std::size_t group);
  void renew_threshold(std::size_t link);

  void complete();
  void fill(std::size_t part);
  void clear_link(std::size_t link);
  void place_empty_class(std::size_t flow_class);
  void split_classes(std::size_t link);
  void set_split(std::size_t link, std::size_t split);

  FlowRoutes routes_;
  ProgressiveFilling filling_;
  std::vector<LinkState> links_;
  std::vector<std::size_t> bottlenecks_;
  std::vector<std::size_t> before_;  // bottlenecks before the present update, of the classes in moved_
  std::vector<char> remembered_;
  std::vector<std::size_t> moved_;
  std::vector<std::size_t> relevelled_;
  std::uint64_t updates_ = 0;
  std::uint64_t fillings_ = 0;
  bool complete_ = false;
};

}  // namespace saturn
