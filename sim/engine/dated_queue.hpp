#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/values/containers.hpp"

namespace saturn {

/// Min-heap of values by date, which is not negative, four children a node; equal dates leave in the order in which
/// they came. Four children halve the depth, and the four dates that a step compares lie side by side.
template <class Value>
class DatedHeap {
 public:
  struct Entry {
    double date;
    std::uint64_t order;
    Value value;
  };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& top() const { return entries_.front(); }
  const std::vector<Entry>& entries() const { return entries_; }  ///< in no order that means anything
  void reserve(std::size_t n) { entries_.reserve(n); }

  /// Those who come later are later in the order all the same.
  void clear() { entries_.clear(); }

  /// Whether it leaves first. Dates that are not negative are ordered as their bits are.
  static bool before(const Entry& a, const Entry& b) {
    const auto date = std::bit_cast<std::uint64_t>(a.date);
    const auto other = std::bit_cast<std::uint64_t>(b.date);
    if (date != other) [[likely]]
      return date < other;
    return a.order < b.order;
  }

  /// The place in the order of one that comes now.
  std::uint64_t take_order() { return order_++; }
  /// Cost: O(log n)
  void push(double date, Value value) { push(Entry{date + 0.0, take_order(), value}); }
  /// One that came before, by its order. Cost: O(log n)
  [[gnu::noinline]] void push(const Entry& entry) {
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
  [[gnu::noinline]] Value pop() {
    const Value value = entries_.front().value;
    const Entry last = entries_.back();
    entries_.pop_back();
    const std::size_t n = entries_.size();
    if (n == 0) return value;
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = 4 * hole + 1;
      if (first >= n) break;
      // The four of a whole node are compared without a loop.
      const std::size_t best = first + 4 <= n ? least(first, first + 4) : least(first, n);
      if (!before(entries_[best], last)) break;
      entries_[hole] = entries_[best];
      hole = best;
    }
    entries_[hole] = last;
    return value;
  }

  /// Takes those out whose value `remove` says true of. Cost: O(n log n)
  template <class Remove>
  void remove_if(Remove&& remove) {
    std::erase_if(entries_, [&](const Entry& entry) { return remove(entry.value); });
    // What is in order is a heap.
    std::sort(entries_.begin(), entries_.end(), before);
  }

 private:
  // Not that another than the first is rarely the least: the hint makes branches of the comparisons, which a processor
  // guesses to go on meanwhile (as Calendar::first_of).
  std::size_t least(std::size_t first, std::size_t end) const {
    std::size_t best = first;
    for (std::size_t child = first + 1; child < end; ++child)
      if (before(entries_[child], entries_[best])) [[unlikely]]
        best = child;
    return best;
  }

  std::vector<Entry> entries_;
  std::uint64_t order_ = 0;
};

/// The same for dates that mostly come in order, as those of equal durations do: these stand in a ring, the others in a
/// heap. Cost: O(1) while each comes after those before it, else O(log n).
template <class Value>
class DatedQueue {
 public:
  struct Entry {
    double date;
    Value value;
  };

  bool empty() const { return in_order_.empty(); }
  /// Of a queue that is not empty.
  double next_date() const { return heap_is_next() ? out_of_order_.top().date : in_order_.front().date; }

  void push(double date, Value value) {
    if (in_order_.empty() || date >= in_order_.back().date) {
      in_order_.push({date, value});
    } else {
      out_of_order_.push(date, value);
    }
  }

  Entry pop() {
    if (!heap_is_next()) return in_order_.pop();
    const double date = out_of_order_.top().date;
    return {date, out_of_order_.pop()};
  }

  /// One that probably leaves after `ahead` others, or null.
  const Entry* soon(std::size_t ahead) const { return in_order_.size() > ahead ? &in_order_[ahead] : nullptr; }

  /// visit(Entry) for every value. Cost: O(n)
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < in_order_.size(); ++i) visit(in_order_[i]);
    for (const auto& entry : out_of_order_.entries()) visit(Entry{entry.date, entry.value});
  }

  /// Takes those out whose value `remove` says true of. Cost: O(n log n)
  template <class Remove>
  void remove_if(Remove&& remove) {
    std::vector<Entry> left;
    while (!empty()) {
      const Entry entry = pop();
      if (!remove(entry.value)) left.push_back(entry);
    }
    for (const Entry& entry : left) push(entry.date, entry.value);
  }

 private:
  // What stands in the heap came when the ring had a later date, which has not left yet and lets no equal one behind
  // it: an empty ring means an empty heap, and of equal dates the ring's came first.
  bool heap_is_next() const { return !out_of_order_.empty() && out_of_order_.top().date < in_order_.front().date; }

  Ring<Entry> in_order_;           // those whose date is not before any earlier one's
  DatedHeap<Value> out_of_order_;  // the others
};

}  // namespace saturn
