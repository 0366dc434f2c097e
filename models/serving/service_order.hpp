#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "models/values/containers.hpp"
#include "models/values/units.hpp"

namespace saturn {

// What Triton's dynamic batcher is told of a model.

/// What becomes of a request that has waited longer than its queue allows.
enum class TimeoutAction {
  reject,  ///< it is answered with an error
  delay,   ///< it waits on, behind all requests of its priority that have not timed out
};

/// Limits of the queue of one priority level.
struct QueuePolicy {
  std::optional<std::uint64_t> max_queue_size{};  ///< requests that may wait; further ones are rejected
  std::optional<Seconds> timeout{};               ///< longest time that a request may wait undisturbed, > 0 [s]
  TimeoutAction timeout_action = TimeoutAction::reject;
};

/// When batches are formed.
enum class BatchForming {
  when_idle,  ///< only for an instance that is free
  /// Up to two batches an instance are formed while all instances are busy, and no request joins a formed batch any
  /// more, as measured servers of 2021 did with max_queue_delay 0.
  ahead,
};

/// How the items of requests of different lengths make up a batch.
enum class LengthRule {
  ragged,  ///< a batch costs by the sum of the lengths
  padded,  ///< every item costs as much as the longest
};

/// Batching of one model.
struct BatchingRules {
  bool dynamic = false;                               ///< false: each request is a batch of its own
  std::uint32_t max_batch_size = 1;                   ///< items, >= 1
  std::vector<std::uint32_t> preferred_batch_size{};  ///< items, ascending, no value twice, none above max_batch_size
  Seconds max_queue_delay{};                          ///< >= 0
  BatchForming forming = BatchForming::when_idle;
  std::uint32_t priority_levels = 1;  ///< 1 is served first; >= 1
  QueuePolicy queue_policy{};         ///< of each level
};

/// Why a batch was sent to an instance.
enum class SendReason {
  single,         ///< the model does not batch: a request alone
  full,           ///< no further request would fit into max_batch_size
  preferred,      ///< a preferred size was reached or passed, or the next request would have passed the largest
  delay_over,     ///< the oldest request had waited max_queue_delay
  instance_idle,  ///< no delay is set: an instance was free, or a place for a batch formed ahead, and took what waited
};
constexpr std::size_t send_reasons = 5;

/// The requests of one priority level that wait: first those that nothing has happened to, then those that have waited
/// too long and were moved behind all others. Both parts are in the order of arrival.
/// @tparam Waiting  a small plain value with a date of arrival, `arrived` [s]; dates of pushed ones never decrease
template <class Waiting>
class WaitingQueue {
 public:
  bool empty() const { return size() == 0; }
  std::size_t size() const { return on_time_.size() + moved_.size(); }
  /// The i-th in the order of service. @param i in [0, size())
  const Waiting& operator[](std::size_t i) const {
    return i < on_time_.size() ? on_time_[i] : moved_[i - on_time_.size()];
  }

  /// Adds one behind those that have not been moved. Its place is on_time() - 1 afterwards.
  void push(const Waiting& waiting) { on_time_.push(waiting); }
  /// Takes the first out. Only when not empty.
  Waiting pop() { return on_time_.empty() ? moved_.pop() : on_time_.pop(); }

  std::size_t on_time() const { return on_time_.size(); }  ///< how many have not been moved
  /// The one that arrived first of those that have not been moved. Only when on_time() > 0.
  const Waiting& first_on_time() const { return on_time_.front(); }
  /// Takes first_on_time() out.
  Waiting pop_on_time() { return on_time_.pop(); }
  /// Moves first_on_time() behind all others.
  void move_behind() { moved_.push(on_time_.pop()); }

  /// Earliest date of arrival among the first `count`; infinite for none. @param count in [0, size()] [s]
  double oldest(std::size_t count) const {
    if (count > on_time_.size()) return moved_.front().arrived;  // each of them is older than all that are on time
    return count > 0 ? on_time_.front().arrived : std::numeric_limits<double>::infinity();
  }

 private:
  Ring<Waiting> on_time_;
  Ring<Waiting> moved_;
};

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
