#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/batching_rules.hpp"
#include "models/waiting_queue.hpp"

namespace saturn {

/// The first requests of a queue.
struct QueuePrefix {
  std::size_t requests = 0;
  std::uint64_t items = 0;
};

/// All requests that wait, in the order in which they will be served: level by level. A mark walks over them from the
/// first, one at a time, and stays where it is until something in front of it changes, so that nobody has to start over
/// for a request that has come behind it.
/// @tparam Waiting  a small plain value with `arrived` [s] and `items`; dates of pushed ones never decrease
template <class Waiting>
class ServiceOrder {
 public:
  /// @param levels  of priority, >= 1; the first is served first
  explicit ServiceOrder(std::size_t levels) : levels_(levels) {}

  std::size_t size() const { return size_; }
  /// Requests that wait in one level. @param level  from 0
  std::size_t size(std::size_t level) const { return levels_[level].size(); }

  /// @param level  from 0
  void push(std::size_t level, const Waiting& waiting) {
    const bool before_mark = level < level_ || (level == level_ && levels_[level].on_time() < place_);
    if (before_mark) restart();
    levels_[level].push(waiting);
    ++size_;
  }

  /// Takes the first `count` out, by `visit(const Waiting&)`, and starts the walk over. @param count  <= size()
  template <class Visit>
  void pop(std::size_t count, Visit&& visit) {
    size_ -= count;
    for (WaitingQueue<Waiting>& level : levels_) {
      for (; count > 0 && !level.empty(); --count) visit(level.pop());
    }
    restart();
  }

  /// Deals with the requests that have waited `timeout` [s] at `now` [s] and were not dealt with before: moves them
  /// behind the others of their level, or takes them out by `visit(const Waiting&)`.
  template <class Visit>
  void expire(double now, double timeout, TimeoutAction action, Visit&& visit) {
    for (WaitingQueue<Waiting>& level : levels_) {
      while (level.on_time() > 0 && level.first_on_time().arrived + timeout <= now) {
        restart();
        if (action == TimeoutAction::delay) {
          level.move_behind();
        } else {
          visit(level.pop_on_time());
          --size_;
        }
      }
    }
  }

  /// The request behind the mark; none at the end.
  const Waiting* next() {
    std::size_t level = level_;
    std::size_t place = place_;
    while (place == levels_[level].size()) {
      if (++level == levels_.size()) return nullptr;
      place = 0;
    }
    level_ = level;
    place_ = place;
    return &levels_[level][place];
  }
  /// Moves the mark over what next() has just returned.
  void pass(const Waiting& next) {
    ++place_;
    ++passed_.requests;
    passed_.items += next.items;
  }
  const QueuePrefix& passed() const { return passed_; }  ///< what lies in front of the mark

  /// The first request. Only when not empty.
  const Waiting& front() const {
    std::size_t level = 0;
    while (levels_[level].empty()) ++level;
    return levels_[level][0];
  }
  /// Earliest date of arrival in front of the mark; infinite for none. [s]
  double oldest_passed() const {
    double oldest = levels_[level_].oldest(place_);
    for (std::size_t i = 0; i < level_; ++i) oldest = std::min(oldest, levels_[i].oldest(levels_[i].size()));
    return oldest;
  }
  /// Earliest date of arrival; infinite for none. [s]
  double oldest() const {
    double oldest = std::numeric_limits<double>::infinity();
    for (const WaitingQueue<Waiting>& level : levels_) oldest = std::min(oldest, level.oldest(level.size()));
    return oldest;
  }
  /// Earliest date of arrival of those that have not been moved; infinite for none. [s]
  double oldest_on_time() const {
    double oldest = std::numeric_limits<double>::infinity();
    for (const WaitingQueue<Waiting>& level : levels_) {
      if (level.on_time() > 0) oldest = std::min(oldest, level.first_on_time().arrived);
    }
    return oldest;
  }

  /// visit(const Waiting&) for each.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const WaitingQueue<Waiting>& level : levels_) {
      for (std::size_t i = 0; i < level.size(); ++i) visit(level[i]);
    }
  }

 private:
  void restart() {
    passed_ = {};
    level_ = 0;
    place_ = 0;
  }

  std::vector<WaitingQueue<Waiting>> levels_;
  std::size_t size_ = 0;
  QueuePrefix passed_;
  std::size_t level_ = 0;  // the mark: in front of number place_ of this level, or of the first of a later one
  std::size_t place_ = 0;
};

}  // namespace saturn
