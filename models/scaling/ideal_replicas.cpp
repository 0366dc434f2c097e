#include "models/scaling/ideal_replicas.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace saturn {

namespace {

/// A time during which so many replicas have to be there.
struct Need {
  double begin_s = 0.0;
  double end_s = 0.0;
  int count = 0;
};

/// Appends the needs between two points: the line is cut where it crosses what a whole number of replicas carries.
void append_needs(const RatePoint& from, const RatePoint& to, const ReplicaFacts& replica, std::vector<Need>& needs) {
  const double begin = from.rate.value / replica.carries.value;
  const double end = to.rate.value / replica.carries.value;
  const double length_s = to.at.value - from.at.value;
  std::vector<double> parts{0.0, 1.0};
  const double highest = std::max(begin, end);
  for (double whole = std::ceil(std::min(begin, end)); whole < highest; ++whole)
    parts.push_back(std::clamp((whole - begin) / (end - begin), 0.0, 1.0));
  std::sort(parts.begin(), parts.end());
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const double middle = (parts[i - 1] + parts[i]) / 2.0;
    // What is above a whole number by rounding alone needs no replica of its own.
    constexpr double rounding = 1e-9;
    const int count = static_cast<int>(std::ceil((begin + middle * (end - begin)) * (1.0 - rounding)));
    const Need need{.begin_s = from.at.value + parts[i - 1] * length_s,
                    .end_s = from.at.value + parts[i] * length_s,
                    .count = std::max(count, replica.least)};
    if (need.begin_s < need.end_s) needs.push_back(need);
  }
}

void check(std::span<const RatePoint> load, const ReplicaFacts& replica) {
  if (!(replica.carries.value > 0.0) || !(replica.start_up.value >= 0.0) || replica.least < 0)
    throw std::invalid_argument(
        "ideal_replicas: a replica carries something, and neither start-up nor least are negative");
  if (load.size() < 2) throw std::invalid_argument("ideal_replicas: a load has two points or more");
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (!(load[i].rate.value >= 0.0)) throw std::invalid_argument("ideal_replicas: no load is negative");
    if (i > 0 && !(load[i].at.value >= load[i - 1].at.value))
      throw std::invalid_argument("ideal_replicas: the points of a load come by date");
  }
}

}  // namespace

IdealReplicas ideal_replicas(std::span<const RatePoint> load, const ReplicaFacts& replica) {
  check(load, replica);
  std::vector<Need> needs;
  for (std::size_t i = 1; i < load.size(); ++i) append_needs(load[i - 1], load[i], replica, needs);

  // Each need holds from a start-up before it on; the largest of those that hold is what there is.
  struct Change {
    double at_s;
    bool begins;
    int count;
  };
  std::vector<Change> changes;
  for (const Need& need : needs) {
    changes.push_back({.at_s = need.begin_s - replica.start_up.value, .begins = true, .count = need.count});
    changes.push_back({.at_s = need.end_s, .begins = false, .count = need.count});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at_s < b.at_s; });

  IdealReplicas ideal;
  std::multiset<int> holding;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& change = changes[i];
    if (!ideal.counts.empty() && i > 0)
      ideal.replica_s += (change.at_s - changes[i - 1].at_s) * ideal.counts.back().count;
    if (change.begins) {
      holding.insert(change.count);
    } else {
      holding.erase(holding.find(change.count));
    }
    if (i + 1 < changes.size() && changes[i + 1].at_s == change.at_s) continue;
    const int count = holding.empty() ? 0 : *holding.rbegin();
    if (ideal.counts.empty() || ideal.counts.back().count != count)
      ideal.counts.push_back({.at_s = change.at_s, .count = count});
  }
  return ideal;
}

}  // namespace saturn
