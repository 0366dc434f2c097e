#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace saturn {

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
    tree_[node] = {key, static_cast<std::uint32_t>(place)};
    while (node > 1) {
      node >>= 1;
      const Entry& left = tree_[2 * node];
      const Entry& right = tree_[2 * node + 1];
      const Entry& least = right.key < left.key ? right : left;
      if (least.place == tree_[node].place && least.key == tree_[node].key) return;
      tree_[node] = least;
    }
  }

  double least() const { return tree_[1].key; }
  /// The place of the least key, the first of equal ones; any place while all keys are `none`.
  std::size_t place() const { return tree_[1].place; }

  /// Removes all places.
  void clear() {
    for (Entry& entry : tree_) entry = {};
    places_ = 0;
  }

 private:
  struct Entry {
    double key = none;
    std::uint32_t place = 0;
  };

  void grow() {
    const std::vector<Entry> old = std::move(tree_);
    const std::size_t old_leaves = leaves_;
    leaves_ *= 2;
    tree_.assign(2 * leaves_, {});
    for (std::size_t i = 0; i < old_leaves; ++i) set(i, old[old_leaves + i].key);
  }

  std::vector<Entry> tree_ = std::vector<Entry>(2);
  std::size_t leaves_ = 1;
  std::size_t places_ = 0;
};

}  // namespace saturn
