#include "models/fair_sharing.hpp"

#include <algorithm>

namespace saturn {

namespace {

/// Relative difference of rates below which rounding may have made it.
constexpr double rounding_of_rates = 1e-12;
/// Sums of what comes and goes are reckoned afresh after so many updates, so that rounding does not add up.
constexpr std::uint64_t updates_between_fillings = 4096;

}  // namespace

std::size_t FairSharing::add_link(double capacity) {
  routes_.links.push_back({.capacity = capacity});
  links_.push_back({.limit = capacity * (1.0 + rounding_of_rates)});
  return links_.size() - 1;
}

std::size_t FairSharing::add_class(double cap, std::vector<std::size_t> links) {
  routes_.classes.push_back({.cap = cap, .links = std::move(links)});
  bottlenecks_.push_back(at_cap);
  before_.push_back(at_cap);
  remembered_.push_back(0);
  complete_ = false;
  return bottlenecks_.size() - 1;
}

double FairSharing::rate(std::size_t flow_class) const {
  const std::size_t link = bottlenecks_[flow_class];
  return link == at_cap ? cap(flow_class) : std::min(cap(flow_class), links_[link].level);
}

bool FairSharing::update(std::size_t flow_class, bool starts) {
  if (!complete_) complete();
  moved_.clear();
  relevelled_.clear();
  FlowRoutes::Class& mine = routes_.classes[flow_class];
  if (starts) {
    ++mine.flows;
  } else {
    --mine.flows;
  }
  if (bottlenecks_[flow_class] == at_cap) {
    bool alone = true;
    for (const std::size_t l : mine.links) {
      LinkState& link = links_[l];
      link.fixed += starts ? mine.cap : -mine.cap;
      alone = alone && !link.has_group && link.crossings.empty() && link.fixed <= link.limit;
    }
    if (alone) return false;
  } else {
    count_member(flow_class, 1, starts);
  }
  if (!renew(flow_class)) fill(mine.part);
  const auto unmoved = [this](std::size_t c) {
    remembered_[c] = 0;
    return bottlenecks_[c] == before_[c];
  };
  moved_.erase(std::remove_if(moved_.begin(), moved_.end(), unmoved), moved_.end());
  return !moved_.empty() || !relevelled_.empty();
}

/// Renews the levels that the class touches. False: the assignment of classes to bottlenecks may no longer hold.
bool FairSharing::renew(std::size_t flow_class) {
  if (++updates_ % updates_between_fillings == 0) return false;
  const std::vector<std::size_t>& route = routes_.classes[flow_class].links;
  for (const std::size_t l : route) renew_threshold(l);
  for (const std::size_t l : route)
    if (links_[l].has_group && !relevel(l)) return false;
  return links_fit(flow_class) &&
         std::all_of(moved_.begin(), moved_.end(), [this](std::size_t c) { return links_fit(c); });
}

double FairSharing::fair_level(std::size_t number) const {
  const LinkState& link = links_[number];
  if (link.flows == 0) return 0.0;
  // A group of which all have the same cap stays together when the link relaxes: else each of its classes would have to
  // leave, and come back soon.
  const double highest_cap = cap(routes_.links[number].classes.back());
  return std::min((routes_.links[number].capacity - link.fixed) / static_cast<double>(link.flows), highest_cap);
}

bool FairSharing::relevel(std::size_t number) {
  LinkState& link = links_[number];
  if (link.tangled > 0) return false;
  const std::vector<std::size_t>& classes = routes_.links[number].classes;
  double level = fair_level(number);
  for (std::size_t moves = 0; link.flows > 0 || link.fixed > link.limit; ++moves) {
    const bool lowest_leaves = link.lowest_cap < level * (1.0 - rounding_of_rates);
    const bool highest_joins = link.highest_cap > level * (1.0 + rounding_of_rates);
    if (!lowest_leaves && !highest_joins) break;
    // Either raises the level, so no class does both more than once unless rounding interferes.
    if (moves > 2 * classes.size()) return false;
    const std::size_t mover = lowest_leaves ? classes[link.split] : classes[link.split - 1];
    set_split(number, lowest_leaves ? link.split + 1 : link.split - 1);
    // Classes of other groups that have no flows stand among the others, and stay where they are.
    const bool moves_over = bottlenecks_[mover] == (lowest_leaves ? number : at_cap);
    if (moves_over && !move(mover, lowest_leaves ? at_cap : number)) return false;
    level = fair_level(number);
  }
  if (link.flows == 0) return link.fixed <= link.limit;
  level = std::min(level, link.lowest_cap);
  const bool rises = level > link.level;
  if (level != link.level) {
    link.level = level;
    relevelled_.push_back(number);
  }
  // Where the level falls, only links of classes that have more flows, or have moved, may have become fuller: renew()
  // looks at them.
  return level > 0.0 && own_links_fit(link) && (!rises || shared_links_fit(link));
}

bool FairSharing::own_links_fit(LinkState& group) {
  while (group.level > group.thresholds.least()) {
    const std::size_t place = group.thresholds.place();
    LinkState& link = links_[group.crossed[place]];
    Crossing& only = link.crossings.front();
    const double flows = static_cast<double>(only.flows);
    const double room = link.limit - link.fixed;
    if (group.level * flows > room) return false;
    only.bound = only.flows > 0 ? std::max(group.level, 0.5 * room / flows) : Tournament::none;
    group.thresholds.set(place, only.bound);
  }
  return true;
}

bool FairSharing::shared_links_fit(const LinkState& group) const {
  if (group.shared == 0) return true;
  return std::all_of(group.crossed.begin(), group.crossed.end(),
                     [this](std::size_t l) { return links_[l].crossings.size() < 2 || fits(links_[l]); });
}

bool FairSharing::links_fit(std::size_t flow_class) const {
  const std::vector<std::size_t>& route = routes_.classes[flow_class].links;
  return std::all_of(route.begin(), route.end(), [this](std::size_t l) { return fits(links_[l]); });
}

/// Whether a link without a group carries what its flows take; what a link with one carries is its group's concern.
bool FairSharing::fits(const LinkState& link) const {
  if (link.has_group) return true;
  double load = link.fixed;
  for (const Crossing& crossing : link.crossings)
    load += static_cast<double>(crossing.flows) * links_[crossing.group].level;
  return load <= link.limit;
}

/// False where the class crosses another group's link, which its move would concern too.
bool FairSharing::move(std::size_t flow_class, std::size_t bottleneck) {
  const std::size_t group = bottleneck == at_cap ? bottlenecks_[flow_class] : bottleneck;
  for (const std::size_t l : routes_.classes[flow_class].links)
    if (l != group && links_[l].has_group) return false;
  remember(flow_class);
  leave(flow_class);
  bottlenecks_[flow_class] = bottleneck;
  join(flow_class);
  return true;
}

void FairSharing::remember(std::size_t flow_class) {
  if (remembered_[flow_class]) return;
  remembered_[flow_class] = 1;
  before_[flow_class] = bottlenecks_[flow_class];
  moved_.push_back(flow_class);
}

}  // namespace saturn
