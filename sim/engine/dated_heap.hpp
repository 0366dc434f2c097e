#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace saturn {

/// Min-heap of values by date, four children a node; equal dates leave in the order in which they came.
/// Four children halve the depth, and the four dates that a step compares lie in one cache line.
template <class Value>
class DatedHeap {
 public:
  struct Entry {
    double date;
    std::uint32_t order;  // wraps around; see before()
    Value value;
  };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& top() const { return entries_.front(); }
  const std::vector<Entry>& entries() const { return entries_; }  ///< in no order that means anything
  void reserve(std::size_t n) { entries_.reserve(n); }

  /// Cost: O(log n)
  void push(double date, Value value) {
    const Entry entry{date, order_++, value};
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (!before(entry, entries_[parent])) break;
      entries_[hole] = entries_[parent];
      hole = parent;
    }
    entries_[hole] = entry;
  }

  /// Cost: O(log n)
  Value pop() {
    const Value value = entries_.front().value;
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t n = entries_.size();
    if (n == 0) return value;
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = 4 * hole + 1;
      if (first >= n) break;
      const std::size_t best = first + 4 <= n ? least_of_four(first) : least(first, n);
      if (!before(entries_[best], last)) break;
      entries_[hole] = entries_[best];
      hole = best;
    }
    entries_[hole] = last;
    return value;
  }

 private:
  std::size_t least(std::size_t first, std::size_t end) const {
    std::size_t best = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (before(entries_[child], entries_[best])) best = child;
    return best;
  }
  // Which is the least is as good as random, which a processor guesses badly: chosen without a branch.
  std::size_t least_of_four(std::size_t first) const {
    const Entry* four = &entries_[first];
    const std::size_t left = before(four[1], four[0]) ? 1 : 0;
    const std::size_t right = before(four[3], four[2]) ? 3 : 2;
    return first + (before(four[right], four[left]) ? right : left);
  }

  // Orders of entries that are in the heap together lie within 2^31 of each other, so their difference has a sign.
  static bool before(const Entry& a, const Entry& b) {
    const bool earlier_order = static_cast<std::int32_t>(a.order - b.order) < 0;
    return static_cast<int>(a.date < b.date) | (static_cast<int>(a.date == b.date) & static_cast<int>(earlier_order));
  }

  std::vector<Entry> entries_;
  std::uint32_t order_ = 0;
};

}  // namespace saturn
