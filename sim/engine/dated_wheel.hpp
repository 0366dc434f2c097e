#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/engine/dated_queue.hpp"

namespace saturn {

/// Values by date like DatedHeap, for hundreds whose dates are spread. Most stand on a wheel of buckets, so narrow that
/// most are empty: what enters and what leaves is compared with hardly any other (a calendar queue: R. Brown, Comm. ACM
/// 31 (1988) 1220). What is due after a whole turn of the wheel, or finds its bucket full, stands in a heap. The width
/// of the buckets follows the rate at which values leave.
/// Dates are finite, and not before that of the value that left last. Equal dates leave in the order in which they
/// came. Cost: O(1) each while dates are spread, else O(log n).
template <class Value>
class DatedWheel {
 public:
  DatedWheel() { heads_.fill(nobody); }

  bool empty() const { return size() == 0; }
  std::size_t size() const { return on_wheel_ + others_.size(); }
  /// Of one that is not empty, as the next.
  double next_date() const { return heap_is_next() ? others_.top().date : first_date_; }
  const Value& next() const { return heap_is_next() ? others_.top().value : places_[front()].value; }

  void push(double date, Value value) { push(date + 0.0, others_.take_order(), value); }

  /// The next leaves; of one that is not empty.
  void pop() {
    const double date = next_date();
    if (heap_is_next()) {
      others_.pop();
      const double bucket = bucket_of(date);
      end_ = bucket < most_buckets ? std::floor(bucket) + static_cast<double>(buckets) : 0.0;
    } else {
      end_ = static_cast<double>(first_ + buckets);
      leave();
    }
    if (--until_fitted_ == 0) fit(date);
  }

 private:
  using Entry = typename DatedHeap<Value>::Entry;
  static constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::size_t buckets = 2048;  // a power of two
  static constexpr double buckets_a_value = 4.0;
  static constexpr std::size_t most_passed = 8;
  static constexpr std::uint64_t between_fits = 256;
  static constexpr double most_buckets = 0x1p53;  // from date `base_` on: beyond, they are no whole numbers any more
  static constexpr std::size_t word_bits = 64;

  // Filled one by one: copied as a whole, what was just written would be waited for.
  struct Place {
    double date;
    std::uint64_t order;
    Value value;
    std::uint32_t next;  // in its bucket; or that is free
  };

  // Rounding keeps the order of dates, so that none is in a bucket before that of an earlier one.
  double bucket_of(double date) const { return (date - base_) * per_s_; }
  static std::size_t slot_of(std::uint64_t bucket) { return bucket & (buckets - 1); }
  std::uint32_t front() const { return heads_[slot_of(first_)]; }

  bool heap_is_next() const {
    if (others_.empty()) return false;
    const Entry& other = others_.top();
    if (other.date != first_date_) [[likely]]
      return other.date < first_date_;
    return other.order < places_[front()].order;
  }

  void push(double date, std::uint64_t order, Value value) {
    const double bucket = bucket_of(date);
    if (!(bucket < end_) || !enter(static_cast<std::uint64_t>(bucket), date, order, value))
      others_.push({date, order, value});
  }

  /// Behind all of the same date, which came before.
  /// @returns false when it would have to pass too many in its bucket
  bool enter(std::uint64_t bucket, double date, std::uint64_t order, Value value) {
    if (free_ == nobody) add_place();
    const std::size_t slot = slot_of(bucket);
    std::uint32_t* link = &heads_[slot];
    for (std::size_t passed = 0; *link != nobody; ++passed) {
      Place& other = places_[*link];
      if (date < other.date) break;
      if (passed == most_passed) return false;
      link = &other.next;
    }
    Place& place = places_[free_];
    place.date = date;
    place.order = order;
    place.value = value;
    const std::uint32_t next_free = place.next;
    place.next = *link;
    *link = free_;
    free_ = next_free;
    filled_[slot / word_bits] |= std::uint64_t{1} << (slot % word_bits);
    ++on_wheel_;
    if (date < first_date_) {
      first_date_ = date;
      first_ = bucket;
    }
    return true;
  }

  [[gnu::cold, gnu::noinline]] void add_place() {
    free_ = static_cast<std::uint32_t>(places_.size());
    places_.push_back({0.0, 0, Value{}, nobody});
  }

  /// The first on the wheel leaves it.
  void leave() {
    const std::size_t slot = slot_of(first_);
    const std::uint32_t number = heads_[slot];
    Place& place = places_[number];
    heads_[slot] = place.next;
    place.next = free_;
    free_ = number;
    --on_wheel_;
    if (heads_[slot] == nobody) {
      filled_[slot / word_bits] &= ~(std::uint64_t{1} << (slot % word_bits));
      if (on_wheel_ == 0) {
        first_date_ = never;
        return;
      }
      first_ += slot_of(filled_from(slot) - slot);
    }
    first_date_ = places_[front()].date;
  }

  /// The first slot from `slot` on, and round the wheel, whose bucket is not empty.
  std::size_t filled_from(std::size_t slot) const {
    std::size_t word = slot / word_bits;
    std::uint64_t filled = filled_[word] & (~std::uint64_t{0} << (slot % word_bits));
    while (filled == 0) {
      word = (word + 1) % filled_.size();
      filled = filled_[word];
    }
    return word * word_bits + static_cast<std::size_t>(std::countr_zero(filled));
  }

  /// Makes the buckets as wide as suits the rate at which values have left since the last time.
  [[gnu::cold, gnu::noinline]] void fit(double now) {
    const double per_s = buckets_a_value * static_cast<double>(between_fits) / (now - fitted_);
    fitted_ = now;
    until_fitted_ = between_fits;
    if ((per_s_ >= per_s / 2 && per_s_ <= 2 * per_s) || !std::isfinite(per_s)) return;
    std::vector<Entry> entries = others_.entries();
    for (std::uint32_t number : heads_)
      for (; number != nobody; number = places_[number].next)
        entries.push_back({places_[number].date, places_[number].order, places_[number].value});
    std::sort(entries.begin(), entries.end(), DatedHeap<Value>::before);
    others_.clear();
    places_.clear();
    free_ = nobody;
    heads_.fill(nobody);
    filled_.fill(0);
    on_wheel_ = 0;
    first_date_ = never;
    base_ = now;
    per_s_ = per_s;
    end_ = static_cast<double>(buckets);
    for (const Entry& entry : entries) push(entry.date, entry.order, entry.value);
  }

  std::array<std::uint32_t, buckets> heads_;                 // places of their earliest; bucket n at n modulo them all
  std::array<std::uint64_t, buckets / word_bits> filled_{};  // a bit for each that is not empty
  std::vector<Place> places_;
  std::uint32_t free_ = nobody;  // place
  std::size_t on_wheel_ = 0;
  double first_date_ = never;  // of those on the wheel [s]
  std::uint64_t first_ = 0;    // its bucket
  double end_ = 0.0;           // bucket at which the next turn begins: one turn after that of the value that left last
  double base_ = 0.0;          // date of bucket 0 [s]
  double per_s_ = 0.0;         // buckets a second
  DatedHeap<Value> others_;    // has the order of all
  double fitted_ = 0.0;        // date of the last fit [s]
  std::uint64_t until_fitted_ = between_fits;  // values that leave before the next
};

}  // namespace saturn
