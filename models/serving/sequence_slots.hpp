#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/values/containers.hpp"

namespace saturn {

/// The slots that the instances of a stateful model keep for sequences, as a pure state machine. A sequence holds one
/// slot from its first request until it ends; a new one takes the lowest free number over all instances, that of the
/// first such instance, and waits in one line, first come first served, while there is none. Of a sequence that waits,
/// one request waits. It knows no clock and no batches: docs/models/batching.md has the rules.
/// @tparam Request  what the owner knows a request by; trivially copyable, small
/// Source: Triton Inference Server, model configuration (sequence batcher) and the scheduler of its core, 2024.
template <class Request>
class SequenceSlots {
 public:
  struct Slot {
    std::uint32_t instance = 0;
    std::uint32_t number = 0;  ///< on the instance, from 0: the row of a batch where batches have a row for each slot
  };
  /// A request whose sequence has a slot from now on.
  struct Entered {
    Request request;
    Slot slot;
  };

  /// @param instances  >= 1; all of them work  @param slots  of each, >= 1
  SequenceSlots(std::uint32_t instances, std::uint32_t slots)
      : instances_(instances), slots_(slots), works_(instances, 0) {
    std::vector<std::uint32_t> all(instances);
    std::iota(all.begin(), all.end(), 0U);
    restore(all, [](const Entered&) {});
  }

  /// A request comes. @returns the slot that its sequence holds, or takes now; nothing where the request waits for one
  /// Cost: O(log slots), where the sequence holds one O(1).
  std::optional<Slot> enter(std::uint32_t sequence, Request request) {
    if (const auto held = held_.find(sequence); held != held_.end()) return slot_at(held->second);
    if (free_.empty()) {
      waiting_.push({sequence, request});
      return std::nullopt;
    }
    const std::uint64_t place = free_.top();
    free_.pop();
    held_.emplace(sequence, place);
    return slot_at(place);
  }

  /// The slot that a sequence holds; nothing where it holds none.
  std::optional<Slot> slot_of(std::uint32_t sequence) const {
    const auto held = held_.find(sequence);
    return held == held_.end() ? std::nullopt : std::optional(slot_at(held->second));
  }

  /// A sequence is over, if it holds a slot; the one that has waited longest takes the slot over.
  /// @returns that one's request
  std::optional<Entered> end(std::uint32_t sequence) {
    const auto held = held_.find(sequence);
    if (held == held_.end()) return std::nullopt;
    const std::uint64_t place = held->second;
    held_.erase(held);
    if (waiting_.empty()) {
      free_.push(place);
      return std::nullopt;
    }
    return take_over(place);
  }

  /// An instance fails, and with it the state of its sequences: they are over. Cost: O(sequences)
  void lose(std::uint32_t instance) {
    works_[instance] = 0;
    std::erase_if(held_, [&](const auto& one) { return one.second % instances_ == instance; });
    Places left;
    for (; !free_.empty(); free_.pop())
      if (free_.top() % instances_ != instance) left.push(free_.top());
    free_ = std::move(left);
  }

  /// Instances work again, those that have failed, with all their slots free; sequences that wait take them.
  /// @param visit  void(const Entered&), of each that does, the one that has waited longest first
  template <class Visit>
  void restore(std::span<const std::uint32_t> instances, Visit&& visit) {
    for (const std::uint32_t instance : instances) {
      if (std::exchange(works_[instance], char{1}) != 0) continue;
      for (std::uint64_t number = 0; number < slots_; ++number) free_.push(number * instances_ + instance);
    }
    while (!free_.empty() && !waiting_.empty()) {
      const std::uint64_t place = free_.top();
      free_.pop();
      visit(take_over(place));
    }
  }

  /// Takes out all that wait, by `visit(Request)`: their sequences are over before they began.
  template <class Visit>
  void clear_waiting(Visit&& visit) {
    while (!waiting_.empty()) visit(waiting_.pop().request);
  }

  /// visit(Request) for each that waits, the one that has waited longest first.
  template <class Visit>
  void for_each_waiting(Visit&& visit) const {
    for (std::size_t i = 0; i < waiting_.size(); ++i) visit(waiting_[i].request);
  }

  std::uint32_t instances() const { return static_cast<std::uint32_t>(instances_); }
  /// Sequences that hold a slot.
  std::size_t held() const { return held_.size(); }
  /// Sequences that wait for one.
  std::size_t waiting() const { return waiting_.size(); }

 private:
  struct Waiting {
    std::uint32_t sequence;
    Request request;
  };
  // Slots in the order in which they are taken: number * instances + instance.
  using Places = std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>;

  Slot slot_at(std::uint64_t place) const {
    return {static_cast<std::uint32_t>(place % instances_), static_cast<std::uint32_t>(place / instances_)};
  }
  Entered take_over(std::uint64_t place) {
    const Waiting next = waiting_.pop();
    held_.emplace(next.sequence, place);
    return {next.request, slot_at(place)};
  }

  std::uint64_t instances_;
  std::uint64_t slots_;
  std::vector<char> works_;
  Places free_;
  std::unordered_map<std::uint32_t, std::uint64_t> held_;  // place of the slot by sequence
  Ring<Waiting> waiting_;
};

}  // namespace saturn
