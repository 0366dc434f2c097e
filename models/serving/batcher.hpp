#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "models/serving/service_order.hpp"
#include "models/values/containers.hpp"

namespace saturn {

/// Triton's scheduler of one model as a pure state machine: requests come in, batches for instances come out. It knows
/// no clock and no devices; whoever owns it says what time it is, in dates that never decrease, and when an instance is
/// free. Requests are never split and leave in the order of their priority level, then of their arrival, those that
/// were moved behind the others of their level last. docs/models/batching.md has the rules.
/// @tparam Request  what the owner knows a request by; trivially copyable, small
/// Source: Triton Inference Server, model configuration (dynamic batcher) and the scheduler of its core, 2021 to 2023.
template <class Request>
class Batcher {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// A request that waits.
  struct Waiting {
    Request request;
    std::uint32_t items = 1;  ///< >= 1, <= max_batch_size
    double arrived = 0.0;     ///< date [s]
  };

  /// @param rules      as the reader has checked them. Priority levels, timeouts and the way of forming mean nothing
  ///                   without dynamic batching; the length of the queue is limited all the same
  /// @param instances  that draw from this queue, >= 1; limits the batches that are formed ahead
  Batcher(const BatchingRules& rules, std::uint32_t instances);

  /// A request comes. @param priority  level, 1 to priority_levels
  /// @returns false when its queue is full: it is rejected and not kept
  bool arrive(Request request, std::uint32_t items, std::uint32_t priority, double now);

  /// An instance is free: gives it its next batch, one call of `visit(const Waiting&)` a request, in their order.
  /// `visit` must leave the batcher alone. Requests that have timed out are taken from the queue on the way; see
  /// rejected().
  /// @returns why the batch is sent; nothing when no request waits or the batcher holds them back
  template <class Visit>
  std::optional<SendReason> take(double now, Visit&& visit);

  /// True when a request that comes while none waits and an instance is free is sent at once and alone, whatever it
  /// is: nothing is held back, times out, or is formed ahead. The owner may then leave the batcher out.
  bool sends_alone() const {
    return !rules_.dynamic ||
           (form_limit_ == 0 && delay() == 0.0 && !rules_.queue_policy.timeout && max_queue_size_ > 0);
  }
  /// Why such a request is sent. @param items  1 to max_batch_size
  SendReason reason_alone(std::uint32_t items) const {
    if (!rules_.dynamic) return SendReason::single;
    if (items >= rules_.max_batch_size) return SendReason::full;
    return items > largest_preferred() || is_preferred(items) ? SendReason::preferred : SendReason::instance_idle;
  }

  /// Forms ahead what is due; call it at next_date() also while no instance is free. Does nothing with
  /// BatchForming::when_idle.
  void poll(double now) { form_ahead(now); }

  /// Requests that timed out since the last call, by `visit(const Waiting&)`. Triton finds them when it looks for a
  /// batch: so only take() makes them, and, where batches are formed ahead, arrive() and poll().
  template <class Visit>
  void rejected(Visit&& visit) {
    while (!timed_out_.empty()) visit(timed_out_.pop());
  }

  /// Takes all out that wait, by `visit(const Waiting&)`.
  template <class Visit>
  void clear(Visit&& visit) {
    while (!formed_requests_.empty()) visit(formed_requests_.pop());
    formed_.clear();
    queue_.pop(queue_.size(), visit);
  }

  /// Earliest date at which take() may answer differently although nothing arrives: a delay is over, or a timeout. With
  /// BatchForming::when_idle it matters only while an instance is free; with BatchForming::ahead it is the date to call
  /// poll(). `never` when there is none. take() or poll() at this date acts, or moves it on. [s]
  double next_date() const;

  /// Requests that wait, also those in batches that are formed ahead.
  std::uint64_t size() const { return queue_.size() + formed_requests_.size(); }
  /// visit(const Waiting&) for each of them, in no order that means anything.
  template <class Visit>
  void for_each(Visit&& visit) const;

 private:
  struct Choice {
    QueuePrefix batch;
    SendReason reason;
  };
  struct Formed {
    std::size_t requests = 0;
    std::uint64_t items = 0;
    double oldest = 0.0;  // date at which the first of its requests came [s]
    SendReason reason = SendReason::single;
  };

  bool may_form() const { return formed_.size() < form_limit_; }
  double delay() const { return rules_.max_queue_delay.value; }
  std::uint64_t largest_preferred() const { return rules_.preferred_batch_size.back(); }
  // The same sum as in next_date(), so that its dates are never a rounding error too early.
  bool is_over(double arrived, double now) const { return delay() > 0.0 && arrived + delay() <= now; }
  bool is_preferred(std::uint64_t items) const {
    const std::vector<std::uint32_t>& sizes = rules_.preferred_batch_size;
    return std::binary_search(sizes.begin(), sizes.end(), items);
  }

  // Takes the next batch out of the queue, by `visit`; nothing when it is not yet time.
  template <class Visit>
  std::optional<SendReason> send(double now, Visit&& visit);
  void form_ahead(double now);
  bool joins(const Formed& batch, const Formed& next, double now) const {
    return batch.items + next.items <= rules_.max_batch_size && next.oldest + delay() < now;
  }
  void apply_timeouts(double now);
  std::optional<Choice> choose(double now);
  // Looks on through the queue until the next request would go beyond the largest preferred size. Returns the longest
  // prefix of a preferred size; if there is none, all that has been passed when it cannot grow to one any more; or
  // nothing.
  QueuePrefix pass_to_largest_preferred();
  void pass_to_max_batch_size();
  // Whether no further request would fit beside so many items that have just been taken out.
  bool is_full(std::uint64_t items) const {
    return items >= rules_.max_batch_size ||
           (queue_.size() > 0 && items + queue_.front().items > rules_.max_batch_size);
  }

  BatchingRules rules_;
  std::uint64_t max_queue_size_;
  ServiceOrder<Waiting> queue_;
  Ring<Waiting> timed_out_;
  std::size_t form_limit_ = 0;  // batches that may be formed ahead; 0: for idle instances only
  Ring<Formed> formed_;
  Ring<Waiting> formed_requests_;  // of formed_, one batch after the other
};

template <class Request>
Batcher<Request>::Batcher(const BatchingRules& rules, std::uint32_t instances)
    : rules_(rules),
      max_queue_size_(rules.queue_policy.max_queue_size.value_or(std::numeric_limits<std::uint64_t>::max())),
      queue_(rules.dynamic ? rules.priority_levels : 1) {
  if (rules_.preferred_batch_size.empty()) rules_.preferred_batch_size = {rules_.max_batch_size};
  if (rules_.dynamic && rules_.forming == BatchForming::ahead) form_limit_ = std::size_t{2} * instances;
}

template <class Request>
bool Batcher<Request>::arrive(Request request, std::uint32_t items, std::uint32_t priority, double now) {
  const std::size_t level = rules_.dynamic ? priority - 1 : 0;
  if (queue_.size(level) >= max_queue_size_) return false;
  queue_.push(level, {.request = request, .items = items, .arrived = now});
  form_ahead(now);
  return true;
}

template <class Request>
template <class Visit>
std::optional<SendReason> Batcher<Request>::take(double now, Visit&& visit) {
  if (form_limit_ == 0) return send(now, visit);
  form_ahead(now);
  if (formed_.empty()) return std::nullopt;
  Formed batch = formed_.pop();
  // With a delay, an instance joins to it what was formed behind it and has waited for longer.
  while (delay() > 0.0 && !formed_.empty() && joins(batch, formed_[0], now)) {
    const Formed next = formed_.pop();
    batch.requests += next.requests;
    batch.items += next.items;
    if (batch.items == rules_.max_batch_size) batch.reason = SendReason::full;
  }
  for (std::size_t i = 0; i < batch.requests; ++i) visit(formed_requests_.pop());
  form_ahead(now);
  return batch.reason;
}

template <class Request>
double Batcher<Request>::next_date() const {
  const bool looks = rules_.dynamic && (form_limit_ == 0 || may_form());
  if (!looks || queue_.size() == 0) return never;
  const double delay_over = delay() > 0.0 ? queue_.oldest() + delay() : never;
  if (!rules_.queue_policy.timeout) return delay_over;
  return std::min(delay_over, queue_.oldest_on_time() + rules_.queue_policy.timeout->value);
}

template <class Request>
template <class Visit>
void Batcher<Request>::for_each(Visit&& visit) const {
  queue_.for_each(visit);
  for (std::size_t i = 0; i < formed_requests_.size(); ++i) visit(formed_requests_[i]);
}

template <class Request>
template <class Visit>
std::optional<SendReason> Batcher<Request>::send(double now, Visit&& visit) {
  if (queue_.size() == 0) return std::nullopt;
  if (!rules_.dynamic) {
    queue_.pop(1, visit);
    return SendReason::single;
  }
  apply_timeouts(now);
  const std::optional<Choice> choice = choose(now);
  if (!choice) return std::nullopt;
  queue_.pop(choice->batch.requests, visit);
  return is_full(choice->batch.items) ? SendReason::full : choice->reason;
}

template <class Request>
void Batcher<Request>::form_ahead(double now) {
  while (may_form()) {
    Formed batch{.oldest = now};
    const std::optional<SendReason> reason = send(now, [&](const Waiting& waiting) {
      formed_requests_.push(waiting);
      ++batch.requests;
      batch.items += waiting.items;
      batch.oldest = std::min(batch.oldest, waiting.arrived);
    });
    if (!reason) return;
    batch.reason = *reason;
    formed_.push(batch);
  }
}

template <class Request>
void Batcher<Request>::apply_timeouts(double now) {
  const QueuePolicy& policy = rules_.queue_policy;
  if (!policy.timeout) return;
  queue_.expire(now, policy.timeout->value, policy.timeout_action, [this](const Waiting& w) { timed_out_.push(w); });
}

template <class Request>
auto Batcher<Request>::choose(double now) -> std::optional<Choice> {
  const QueuePrefix best = pass_to_largest_preferred();
  if (queue_.passed().requests == 0) return std::nullopt;
  // Looking on, as far as max_batch_size, is worth it only when somebody has waited long enough.
  if (is_over(queue_.oldest(), now)) {
    pass_to_max_batch_size();
    if (is_over(queue_.oldest_passed(), now)) {
      const bool preferred = queue_.passed().items >= largest_preferred();
      return Choice{queue_.passed(), preferred ? SendReason::preferred : SendReason::delay_over};
    }
  }
  if (best.requests > 0) return Choice{best, SendReason::preferred};
  if (delay() > 0.0) return std::nullopt;
  return Choice{queue_.passed(), SendReason::instance_idle};
}

template <class Request>
QueuePrefix Batcher<Request>::pass_to_largest_preferred() {
  QueuePrefix best;
  while (const Waiting* next = queue_.next()) {
    const QueuePrefix& passed = queue_.passed();
    const bool beyond = passed.items + next->items > largest_preferred();
    if (beyond && passed.requests > 0) return best.requests > 0 ? best : passed;
    queue_.pass(*next);
    if (is_preferred(passed.items)) best = passed;
  }
  return queue_.passed().items > largest_preferred() ? queue_.passed() : best;
}

template <class Request>
void Batcher<Request>::pass_to_max_batch_size() {
  for (const Waiting* next = queue_.next(); next != nullptr; next = queue_.next()) {
    if (queue_.passed().items + next->items > rules_.max_batch_size) return;
    queue_.pass(*next);
  }
}

}  // namespace saturn
