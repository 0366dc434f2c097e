#pragma once

#include <cstddef>
#include <limits>

#include "models/ring.hpp"

namespace saturn {

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

}  // namespace saturn
