#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace saturn {

/// First-in first-out queue of small plain values in one growing block: no allocation per element, neighbours in
/// memory.
template <class T>
class Ring {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return head_ == tail_; }
  std::size_t size() const { return tail_ - head_; }
  const T& front() const { return block_[head_ & mask_]; }
  const T& back() const { return block_[(tail_ - 1) & mask_]; }
  /// The i-th from the front. @param i in [0, size())
  const T& operator[](std::size_t i) const { return block_[(head_ + i) & mask_]; }

  void push(const T& value) {
    if (size() == capacity_) grow();
    block_[tail_++ & mask_] = value;
  }
  T pop() { return block_[head_++ & mask_]; }
  void clear() { head_ = tail_; }

 private:
  [[gnu::cold, gnu::noinline]] void grow() {
    const std::size_t larger = capacity_ == 0 ? 16 : 2 * capacity_;
    auto block = std::make_unique<T[]>(larger);
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) block[i] = (*this)[i];
    block_ = std::move(block);
    capacity_ = larger;
    mask_ = larger - 1;
    head_ = 0;
    tail_ = count;
  }

  std::unique_ptr<T[]> block_;
  std::size_t capacity_ = 0;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

/// The least of many numbers that change one at a time. A change costs O(log places), and less where it decides little.
class Tournament {
 public:
  static constexpr double none = std::numeric_limits<double>::infinity();

  std::size_t places() const { return places_; }

  /// A new place, with the key `none`. @returns its number
  std::size_t add() {
    if (places_ == leaves_) grow();
    return places_++;
  }

  void set(std::size_t place, double key) {
    std::size_t node = leaves_ + place;
    Entry first{ordered(key), place};
    if (tree_[node] == first) return;
    tree_[node] = first;
    while (node > 1) {
      // Who wins is as good as random, which a processor guesses badly: chosen without a branch.
      const Entry& sibling = tree_[node ^ 1];
      const bool left = (node & 1) != 0;
      const bool sibling_wins = (static_cast<int>(sibling.key < first.key) |
                                 (static_cast<int>(left) & static_cast<int>(sibling.key == first.key))) != 0;
      first.key = sibling_wins ? sibling.key : first.key;
      first.place = sibling_wins ? sibling.place : first.place;
      node >>= 1;
      if (tree_[node] == first) return;
      tree_[node] = first;
    }
  }

  double least() const { return number(tree_[1].key); }
  /// The place of the least key, the first of equal ones; any place while all keys are `none`.
  std::size_t place() const { return tree_[1].place; }

  /// Removes all places.
  void clear() {
    for (Entry& entry : tree_) entry = {};
    places_ = 0;
  }

 private:
  // Integers in the same order as the numbers, which integer registers compare.
  static std::int64_t ordered(double key) { return turned(std::bit_cast<std::int64_t>(key + 0.0)); }
  static double number(std::int64_t key) { return std::bit_cast<double>(turned(key)); }
  static std::int64_t turned(std::int64_t bits) {
    return bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
  }

  struct Entry {
    std::int64_t key = ordered(none);
    std::uint64_t place = 0;
    bool operator==(const Entry&) const = default;
  };

  void grow() {
    const std::vector<Entry> old = std::move(tree_);
    const std::size_t old_leaves = leaves_;
    leaves_ *= 2;
    tree_.assign(2 * leaves_, {});
    for (std::size_t i = 0; i < old_leaves; ++i) set(i, number(old[old_leaves + i].key));
  }

  std::vector<Entry> tree_ = std::vector<Entry>(2);
  std::size_t leaves_ = 1;
  std::size_t places_ = 0;
};

}  // namespace saturn
