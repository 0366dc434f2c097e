#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "sim/engine/dated_wheel.hpp"

namespace saturn {

/// Values by date like DatedHeap, for very many: what is due soon stands on a wheel that stays in the caches, the rest
/// in buckets of dates, unsorted, of which one after the other comes onto the wheel. Few values stand on the wheel
/// alone.
/// Equal dates leave in the order in which they came: they are in one bucket, in that order.
/// Cost: O(1) each while dates are spread, else O(log n).
template <class Value>
class DatedBuckets {
 public:
  bool empty() const { return soon_.empty(); }
  /// Of one that is not empty, as the next.
  double next_date() const { return soon_.next_date(); }
  const Value& next() const { return soon_.next(); }

  void push(double date, Value value) {
    if (place_of(date) < first_) {
      soon_.push(date, value);
    } else {
      push_later({date, value});
      if (soon_.empty()) refill();
    }
  }

  /// The next leaves.
  void pop() {
    if (soon_.size() >= many && !spread_) spread();
    soon_.pop();
    if (soon_.empty() && spread_) refill();
  }

 private:
  static constexpr std::size_t many = 512;
  static constexpr std::size_t buckets = 512;

  struct Dated {
    double date;
    Value value;
  };

  // Rounding keeps the order of dates, so that none is in a bucket before that of an earlier one.
  double place_of(double date) const { return (date - base_) * per_s_; }

  /// Fills the wheel, if there is anything left.
  void refill() {
    while (soon_.empty()) {
      if (first_ == last_ && later_.empty()) return;
      if (first_ == last_) place_buckets();
      std::vector<Dated>& next = buckets_[static_cast<std::size_t>(first_)];
      first_ += 1.0;
      for (const Dated& one : next) soon_.push(one.date, one.value);
      next.clear();
    }
  }

  /// Lays the buckets over the dates that are left: over twice their mean distance from the first, so that at least
  /// half of them find a place.
  void place_buckets() {
    std::vector<Dated> left;
    left.swap(later_);
    double earliest = left.front().date;
    double sum = 0.0;
    for (const Dated& one : left) earliest = std::min(earliest, one.date);
    for (const Dated& one : left) sum += one.date - earliest;
    base_ = earliest;
    constexpr std::size_t values_a_bucket = 32;
    last_ = static_cast<double>(std::clamp(left.size() / values_a_bucket, std::size_t{1}, buckets));
    const double per_s = last_ * static_cast<double>(left.size()) / (2.0 * sum);
    per_s_ = std::isfinite(per_s) ? per_s : 0.0;
    first_ = 0.0;
    for (const Dated& one : left) push_later(one);
  }
  void push_later(const Dated& one) {
    const double place = place_of(one.date);
    (place < last_ ? buckets_[static_cast<std::size_t>(place)] : later_).push_back(one);
  }

  /// From the wheel alone to buckets.
  void spread() {
    spread_ = true;
    buckets_.resize(buckets);
    last_ = first_ = static_cast<double>(buckets);
    while (!soon_.empty()) {
      later_.push_back({soon_.next_date(), soon_.next()});
      soon_.pop();
    }
    // What comes onto the wheel next is earlier than what left it last.
    soon_ = {};
    refill();
  }

  DatedWheel<Value> soon_;                   // those before bucket first_
  std::vector<std::vector<Dated>> buckets_;  // number n: dates from base_ + n / per_s_ on
  std::vector<Dated> later_;                 // beyond the last bucket
  double base_ = 0.0;                        // [s]
  double per_s_ = 0.0;                       // buckets a second
  double first_ = 1.0;                       // that is not empty; last_ when all are
  double last_ = 1.0;
  bool spread_ = false;
};

}  // namespace saturn
