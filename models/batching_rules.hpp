#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/units.hpp"

/// What Triton's dynamic batcher is told of a model.
namespace saturn {

/// What becomes of a request that has waited longer than its queue allows.
enum class TimeoutAction {
  reject,  ///< it is answered with an error
  delay,   ///< it waits on, behind all requests of its priority that have not timed out
};

/// Limits of the queue of one priority level.
struct QueuePolicy {
  std::optional<std::uint64_t> max_queue_size{};  ///< requests that may wait; further ones are rejected
  std::optional<Seconds> timeout{};               ///< longest time that a request may wait undisturbed, > 0 [s]
  TimeoutAction timeout_action = TimeoutAction::reject;
};

/// When batches are formed.
enum class BatchForming {
  when_idle,  ///< only for an instance that is free
  /// Up to two batches an instance are formed while all instances are busy, and no request joins a formed batch any
  /// more, as measured servers of 2021 did with max_queue_delay 0.
  ahead,
};

/// How the items of requests of different lengths make up a batch.
enum class LengthRule {
  ragged,  ///< a batch costs by the sum of the lengths
  padded,  ///< every item costs as much as the longest
};

/// Batching of one model.
struct BatchingRules {
  bool dynamic = false;                               ///< false: each request is a batch of its own
  std::uint32_t max_batch_size = 1;                   ///< items, >= 1
  std::vector<std::uint32_t> preferred_batch_size{};  ///< items, ascending, no value twice, none above max_batch_size
  Seconds max_queue_delay{};                          ///< >= 0
  BatchForming forming = BatchForming::when_idle;
  std::uint32_t priority_levels = 1;  ///< 1 is served first; >= 1
  QueuePolicy queue_policy{};         ///< of each level
};

/// Why a batch was sent to an instance.
enum class SendReason {
  single,         ///< the model does not batch: a request alone
  full,           ///< no further request would fit into max_batch_size
  preferred,      ///< a preferred size was reached or passed, or the next request would have passed the largest
  delay_over,     ///< the oldest request had waited max_queue_delay
  instance_idle,  ///< no delay is set: an instance was free, or a place for a batch formed ahead, and took what waited
};
constexpr std::size_t send_reasons = 5;

}  // namespace saturn
