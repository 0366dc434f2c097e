#pragma once

#include <cstddef>

#include "models/ring.hpp"
#include "sim/engine/call.hpp"
#include "sim/engine/dated_heap.hpp"

namespace saturn {

/// Calls by the virtual time at which their transfers end; equal times leave in the order in which they came.
/// Cost: O(1) while transfers end in the order in which they began (equal sizes), else O(log transfers).
class TransferQueue {
 public:
  struct Transfer {
    double end;  ///< [byte]
    Call* call;
  };

  bool empty() const { return in_order_.empty() && out_of_order_.empty(); }
  /// Of the next transfer to end [byte]. Not for an empty queue.
  double next_end() const { return heap_is_next() ? out_of_order_.top().date : in_order_.front().end; }

  void push(double end, Call& call) {
    if (in_order_.empty() || end >= in_order_.back().end) {
      in_order_.push({end, &call});
    } else {
      out_of_order_.push(end, &call);
    }
  }

  Transfer pop() {
    if (heap_is_next()) {
      const double end = out_of_order_.top().date;
      return {end, out_of_order_.pop()};
    }
    const Transfer first = in_order_.pop();
    constexpr std::size_t ahead = 3;
    if (in_order_.size() > ahead) prefetch_call(*in_order_[ahead].call);
    return first;
  }

  /// Sum over the calls of the time since their present phase began [s].
  double age_sum(double now) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < in_order_.size(); ++i) sum += now - in_order_[i].call->phase_start;
    for (const auto& entry : out_of_order_.entries()) sum += now - entry.value->phase_start;
    return sum;
  }

 private:
  bool heap_is_next() const {
    return !out_of_order_.empty() && (in_order_.empty() || out_of_order_.top().date < in_order_.front().end);
  }

  Ring<Transfer> in_order_;        // those that end not before any earlier one
  DatedHeap<Call*> out_of_order_;  // the others
};

}  // namespace saturn
