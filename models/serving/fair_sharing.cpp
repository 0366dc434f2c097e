#include "models/serving/fair_sharing.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace saturn {

namespace {

/// Each link points to another of its part, the last to itself.
std::size_t last_of(std::vector<std::size_t>& next, std::size_t link) {
  while (next[link] != link) link = next[link] = next[next[link]];
  return link;
}

}  // namespace

void FlowRoutes::complete() {
  std::vector<std::size_t> next(links.size());
  std::iota(next.begin(), next.end(), std::size_t{0});
  for (const Class& flow_class : classes)
    for (const std::size_t l : flow_class.links) next[last_of(next, l)] = last_of(next, flow_class.links.front());

  parts.assign(links.size() + 1, {});
  for (std::size_t l = 0; l < links.size(); ++l) {
    links[l].classes.clear();
    links[l].part = last_of(next, l);
    parts[links[l].part].links.push_back(l);
  }
  std::vector<std::size_t> by_cap(classes.size());
  std::iota(by_cap.begin(), by_cap.end(), std::size_t{0});
  std::stable_sort(by_cap.begin(), by_cap.end(),
                   [&](std::size_t a, std::size_t b) { return classes[a].cap < classes[b].cap; });
  for (const std::size_t c : by_cap) {
    Class& flow_class = classes[c];
    // Classes without links have nothing to do with any.
    flow_class.part = flow_class.links.empty() ? links.size() : links[flow_class.links.front()].part;
    parts[flow_class.part].classes.push_back(c);
    for (const std::size_t l : flow_class.links) links[l].classes.push_back(c);
  }
}

/// The most that the flows of a link's classes can bring to it together, as one other link that all of them cross or
/// the narrowest other link of each limits it [byte/s]; infinity where a class has no other.
/// @param left  links that routes still have
double FlowRoutes::most_through(std::size_t link, const std::vector<char>& left) const {
  std::map<std::size_t, std::size_t> crossings;
  std::set<std::size_t> narrowest;
  for (const std::size_t c : links[link].classes) {
    std::size_t least = link;
    for (const std::size_t l : classes[c].links) {
      if (l == link || !left[l]) continue;
      ++crossings[l];
      if (least == link || links[l].capacity < links[least].capacity) least = l;
    }
    if (least == link) return std::numeric_limits<double>::infinity();
    narrowest.insert(least);
  }
  double most = 0.0;
  for (const std::size_t l : narrowest) most += links[l].capacity;
  for (const auto& [l, times] : crossings)
    if (times == links[link].classes.size()) most = std::min(most, links[l].capacity);
  return most;
}

void FlowRoutes::leave_out_wide_links() {
  complete();
  std::vector<std::size_t> widest_first(links.size());
  std::iota(widest_first.begin(), widest_first.end(), std::size_t{0});
  std::ranges::stable_sort(widest_first, std::ranges::greater{}, [this](std::size_t l) { return links[l].capacity; });
  // One after the other, so that no two links are each left out for the other's sake.
  std::vector<char> left(links.size(), char{1});
  for (const std::size_t l : widest_first)
    if (most_through(l, left) <= links[l].capacity) left[l] = 0;
  for (Class& flow_class : classes) std::erase_if(flow_class.links, [&](std::size_t l) { return !left[l]; });
}

void ProgressiveFilling::begin(const FlowRoutes& routes, const FlowRoutes::Part& part) {
  fills_.resize(routes.links.size());
  bottlenecks_.resize(routes.classes.size(), at_cap);
  settled_.resize(routes.classes.size());
  for (const std::size_t l : part.links) fills_[l] = {.left = routes.links[l].capacity};
  for (const std::size_t c : part.classes) {
    const FlowRoutes::Class& flow_class = routes.classes[c];
    bottlenecks_[c] = at_cap;
    settled_[c] = flow_class.flows == 0;
    if (flow_class.flows == 0) continue;
    const double flows = static_cast<double>(flow_class.flows);
    for (const std::size_t l : flow_class.links) {
      fills_[l].weight += flows;
      fills_[l].wanted += flows * flow_class.cap;
    }
  }
  shares_.clear();
  // A link whose flows together want no more than it has never holds anyone back.
  for (const std::size_t l : part.links)
    if (fills_[l].wanted > routes.links[l].capacity * (1.0 + 1e-12))
      shares_.push_back({routes.links[l].capacity / fills_[l].weight, l});
  std::make_heap(shares_.begin(), shares_.end());
}

void ProgressiveFilling::settle(const FlowRoutes& routes, std::size_t flow_class, double rate) {
  settled_[flow_class] = 1;
  const FlowRoutes::Class& settled = routes.classes[flow_class];
  const double flows = static_cast<double>(settled.flows);
  for (const std::size_t l : settled.links) {
    fills_[l].left -= rate * flows;
    fills_[l].weight -= flows;
  }
}

void ProgressiveFilling::solve(const FlowRoutes& routes, std::size_t number) {
  const FlowRoutes::Part& part = routes.parts[number];
  begin(routes, part);
  auto next = part.classes.begin();
  while (!shares_.empty()) {
    const auto [entered, fullest] = shares_.front();
    Fill& fill = fills_[fullest];
    const double share = fill.weight > 0.0 ? std::max(0.0, fill.left) / fill.weight : 0.0;
    if (fill.weight == 0.0 || share > entered) {
      // Every class that settles elsewhere leaves more to those still open, so entries of the heap only rise.
      std::pop_heap(shares_.begin(), shares_.end());
      shares_.pop_back();
      if (fill.weight == 0.0) continue;
      shares_.push_back({share, fullest});
      std::push_heap(shares_.begin(), shares_.end());
      continue;
    }
    while (next != part.classes.end() && settled_[*next]) ++next;
    if (routes.classes[*next].cap <= share) {
      settle(routes, *next, routes.classes[*next].cap);
      continue;
    }
    fill.full = true;
    fill.level = share;
    for (const std::size_t c : routes.links[fullest].classes) {
      if (settled_[c]) continue;
      bottlenecks_[c] = fullest;
      settle(routes, c, share);
    }
  }
}

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

/// Whether the other links carry what they carry when the class has more flows at another level of its group; they
/// count the flows then. False where that is more than a look at each: nothing has changed then.
bool FairSharing::others_fit(std::size_t flow_class, std::int64_t more, double level) {
  const std::size_t group = bottlenecks_[flow_class];
  if (level > links_[group].thresholds.least()) return false;
  const std::vector<std::size_t>& route = routes_.classes[flow_class].links;
  for (const std::size_t l : route) {
    if (l == group) continue;
    const LinkState& other = links_[l];
    if (other.has_group || other.crossings.size() != 1) return false;
    const Crossing& only = other.crossings.front();
    const std::uint64_t crossing = only.flows + static_cast<std::uint64_t>(more);
    if (crossing > 0 && only.bound * static_cast<double>(crossing) > other.limit - other.fixed) return false;
  }
  for (const std::size_t l : route)
    if (l != group) links_[l].crossings.front().flows += static_cast<std::uint64_t>(more);
  return true;
}

bool FairSharing::update(std::size_t flow_class, bool starts) {
  if (!complete_) complete();
  moved_.clear();
  relevelled_.clear();
  if (bottlenecks_[flow_class] != at_cap) count_member(flow_class, 1, starts);
  if (!renew(flow_class)) fill(routes_.classes[flow_class].part);
  return changed();
}

/// Forgets the classes that have moved back. @returns whether anything has changed
bool FairSharing::changed() {
  const auto unmoved = [this](std::size_t c) {
    remembered_[c] = 0;
    return bottlenecks_[c] == before_[c];
  };
  moved_.erase(std::remove_if(moved_.begin(), moved_.end(), unmoved), moved_.end());
  return !moved_.empty() || !relevelled_.empty();
}

bool FairSharing::set_capacity(std::size_t number, double capacity) {
  if (!complete_) complete();
  routes_.links[number].capacity = capacity;
  links_[number].limit = capacity * (1.0 + rounding_of_rates);
  moved_.clear();
  relevelled_.clear();
  const std::vector<std::size_t>& classes = routes_.links[number].classes;
  if (classes.empty()) return false;
  fill(routes_.classes[classes.front()].part);
  return changed();
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
  return std::min((routes_.links[number].capacity - link.fixed) / static_cast<double>(link.flows), link.cap_of_all);
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

// Which class is in which link's group, and what the groups take of the links that they cross.

void FairSharing::complete() {
  routes_.complete();
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const std::vector<std::size_t>& crossing = routes_.links[l].classes;
    if (!crossing.empty()) links_[l].cap_of_all = cap(crossing.back());
  }
  complete_ = true;
}

void FairSharing::leave_out_wide_links() {
  routes_.leave_out_wide_links();
  complete_ = false;
}

void FairSharing::count_crossing(std::size_t link, std::size_t group, std::uint64_t flows, bool more) {
  const auto count = [&](std::uint64_t& counter) { counter = more ? counter + flows : counter - flows; };
  count(crossing(link, group).flows);
  if (!links_[link].has_group) return;
  count(links_[link].tangled);
  count(links_[group].tangled);
}

void FairSharing::count_member(std::size_t flow_class, std::uint64_t flows, bool more) {
  const std::size_t group = bottlenecks_[flow_class];
  for (const std::size_t l : routes_.classes[flow_class].links) {
    if (l == group) {
      links_[l].flows = more ? links_[l].flows + flows : links_[l].flows - flows;
    } else {
      count_crossing(l, group, flows, more);
    }
  }
}

void FairSharing::join(std::size_t flow_class) {
  const FlowRoutes::Class& mine = routes_.classes[flow_class];
  const std::size_t group = bottlenecks_[flow_class];
  if (group == at_cap) {
    for (const std::size_t l : mine.links) links_[l].fixed += mine.cap * static_cast<double>(mine.flows);
  } else {
    for (const std::size_t l : mine.links)
      if (l != group) add_crossing(l, group);
    count_member(flow_class, mine.flows, true);
  }
  for (const std::size_t l : mine.links) renew_threshold(l);
}

void FairSharing::leave(std::size_t flow_class) {
  const FlowRoutes::Class& mine = routes_.classes[flow_class];
  const std::size_t group = bottlenecks_[flow_class];
  if (group == at_cap) {
    for (const std::size_t l : mine.links) links_[l].fixed -= mine.cap * static_cast<double>(mine.flows);
    return;
  }
  count_member(flow_class, mine.flows, false);
  for (const std::size_t l : mine.links)
    if (l != group) remove_crossing(l, group);
}

FairSharing::Crossing& FairSharing::crossing(std::size_t link, std::size_t group) {
  std::vector<Crossing>& crossings = links_[link].crossings;
  return *std::find_if(crossings.begin(), crossings.end(), [&](const Crossing& c) { return c.group == group; });
}

void FairSharing::add_crossing(std::size_t number, std::size_t group_number) {
  LinkState& link = links_[number];
  for (Crossing& known : link.crossings) {
    if (known.group != group_number) continue;
    ++known.classes;
    return;
  }
  LinkState& group = links_[group_number];
  std::size_t place = group.crossed.size();
  if (group.free_places.empty()) {
    group.crossed.push_back(number);
    group.thresholds.add();
  } else {
    place = group.free_places.back();
    group.free_places.pop_back();
    group.crossed[place] = number;
  }
  if (link.crossings.size() == 1) {
    LinkState& first = links_[link.crossings.front().group];
    ++first.shared;
    first.thresholds.set(link.crossings.front().place, Tournament::none);
    link.crossings.front().bound = Tournament::none;
  }
  if (!link.crossings.empty()) ++group.shared;
  link.crossings.push_back({.group = group_number, .place = place, .classes = 1, .flows = 0});
}

void FairSharing::remove_crossing(std::size_t number, std::size_t group_number) {
  LinkState& link = links_[number];
  Crossing& gone = crossing(number, group_number);
  if (--gone.classes > 0) return;
  LinkState& group = links_[group_number];
  group.thresholds.set(gone.place, Tournament::none);
  group.free_places.push_back(gone.place);
  gone = link.crossings.back();
  link.crossings.pop_back();
  if (!link.crossings.empty()) --group.shared;
  if (link.crossings.size() == 1) --links_[link.crossings.front().group].shared;
}

/// Lowers the threshold of a link that only one group crosses, beside flows at their caps, where it no longer holds.
void FairSharing::renew_threshold(std::size_t number) {
  LinkState& link = links_[number];
  if (link.crossings.size() != 1) return;
  Crossing& only = link.crossings.front();
  const double flows = static_cast<double>(only.flows);
  const double room = link.limit - link.fixed;
  if (only.flows == 0 || only.bound * flows <= room) return;
  only.bound = 0.5 * room / flows;
  links_[only.group].thresholds.set(only.place, only.bound);
}

void FairSharing::fill(std::size_t number) {
  const FlowRoutes::Part& part = routes_.parts[number];
  ++fillings_;
  filling_.solve(routes_, number);
  for (const std::size_t l : part.links) clear_link(l);
  for (const std::size_t c : part.classes) {
    remember(c);
    bottlenecks_[c] = filling_.bottleneck(c);
    if (routes_.classes[c].flows == 0) place_empty_class(c);
  }
  for (const std::size_t l : part.links)
    if (links_[l].has_group) split_classes(l);
  for (const std::size_t c : part.classes) join(c);
}

void FairSharing::clear_link(std::size_t number) {
  LinkState& link = links_[number];
  const bool had_group = link.has_group;
  link.has_group = filling_.full(number);
  if (had_group || link.has_group) relevelled_.push_back(number);
  if (link.has_group) link.level = filling_.level(number);
  link.fixed = 0.0;
  link.crossings.clear();
  link.flows = 0;
  link.split = 0;
  link.tangled = 0;
  link.shared = 0;
  link.crossed.clear();
  link.free_places.clear();
  if (link.thresholds.places() > 0) link.thresholds.clear();
}

/// A class without flows goes where its next flow would be held back.
void FairSharing::place_empty_class(std::size_t flow_class) {
  double least = cap(flow_class);
  for (const std::size_t l : routes_.classes[flow_class].links) {
    if (!links_[l].has_group || links_[l].level >= least) continue;
    least = links_[l].level;
    bottlenecks_[flow_class] = l;
  }
}

/// Of a link's classes by cap, those before the first that it holds back go at their caps, or are of other groups.
void FairSharing::split_classes(std::size_t number) {
  const std::vector<std::size_t>& classes = routes_.links[number].classes;
  std::size_t split = 0;
  while (split < classes.size() && bottlenecks_[classes[split]] != number) ++split;
  // Rounding apart there is none behind it at its cap.
  for (std::size_t i = split; i < classes.size(); ++i)
    if (bottlenecks_[classes[i]] == at_cap) bottlenecks_[classes[i]] = number;
  set_split(number, split);
}

void FairSharing::set_split(std::size_t number, std::size_t split) {
  const std::vector<std::size_t>& classes = routes_.links[number].classes;
  LinkState& link = links_[number];
  link.split = split;
  link.lowest_cap = split < classes.size() ? cap(classes[split]) : Tournament::none;
  link.highest_cap = split > 0 ? cap(classes[split - 1]) : 0.0;
}

}  // namespace saturn
