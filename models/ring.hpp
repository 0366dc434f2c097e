#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

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

 private:
  void grow() {
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

}  // namespace saturn
