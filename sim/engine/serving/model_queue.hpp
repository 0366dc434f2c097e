#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "models/laws/service_law.hpp"
#include "models/serving/batcher.hpp"
#include "models/values/containers.hpp"
#include "scenarios/scenario.hpp"
#include "sim/engine/calendar.hpp"
#include "sim/engine/call.hpp"

namespace saturn {

/// Requests that an instance executes at once, linked through Call::next in their order.
struct Batch {
  Call* first = nullptr;
  Call* last = nullptr;
  std::uint32_t requests = 0;
  std::uint32_t items = 0;
  double weighted_items = 0.0;  ///< items times their length
  float longest = 0.0F;

  void add(Call& call) {
    call.next = nullptr;
    (last == nullptr ? first : last->next) = &call;
    last = &call;
    ++requests;
    items += call.items;
    weighted_items += static_cast<double>(call.items) * static_cast<double>(call.length);
    if (call.length > longest) longest = call.length;
  }
  bool empty() const { return first == nullptr; }
};

/// Is told that a queue's batcher may have something to do although nothing came.
class QueueOwner {
 public:
  QueueOwner() = default;
  QueueOwner(const QueueOwner&) = delete;
  QueueOwner& operator=(const QueueOwner&) = delete;
  virtual ~QueueOwner() = default;
  /// @param place  by which it knows the queue
  virtual void queue_due(std::size_t place, double now) = 0;
};

/// A model as the nodes of one server execute it.
struct HostedModel {
  std::uint16_t number = 0;
  const ServiceLaw* law = nullptr;  ///< on the server's devices
  BatchingRules rules;
  std::uint32_t instances = 1;  ///< on every device or slice
  std::uint32_t at_once = 1;    ///< batches that every device or slice executes, <= instances
  std::uint32_t default_priority = 1;
  LengthRule lengths = LengthRule::ragged;
  bool cost_by_sum = true;  ///< a batch costs by the sum of its items times their lengths: ragged, and no padding
  /// Of a stateful model, for the sequences of each instance, which then has rules and queue of its own; else 0.
  std::uint32_t slots = 0;
  std::uint32_t stateful_instances = 0;  ///< on every device or slice, each with such a queue: `instances` is then 1
  bool rows_by_slot = false;  ///< every slot has its row of a batch, which is executed up to the last one in use
};

/// The queue of one model at a node, or at one device of it: its batcher, its instances that are free, and the clock
/// that tells how long one was.
class ModelQueue final : private Source {
 public:
  /// @param model  whose queue it is
  /// @param first  device, or slice of one, of the node whose instances draw from it, and the `units` - 1 after it
  /// @param place  by which the owner knows it
  ModelQueue(Calendar& calendar, QueueOwner& owner, const HostedModel& model, std::uint32_t first, std::uint32_t units,
             std::size_t place);

  /// @returns false when the queue is full
  bool arrive(Call& call, double now) {
    call.held_back = idle_time(now);
    // A call to an ensemble brings its level to every step; a step with fewer levels serves it at its last.
    const std::uint32_t priority = call.priority == 0
                                       ? model_.default_priority
                                       : std::min<std::uint32_t>(call.priority, model_.rules.priority_levels);
    return batcher_.arrive(&call, call.items, priority, now);
  }

  /// The next batch, when an instance is free and the batcher has one.
  std::optional<SendReason> take(Batch& batch, double now) {
    if (idle_.empty()) return std::nullopt;
    return batcher_.take(now, [&](const auto& waiting) { batch.add(*waiting.request); });
  }
  /// Requests that timed out since the last call, as a chain.
  Batch rejected() {
    Batch chain;
    batcher_.rejected([&](const auto& waiting) { chain.add(*waiting.request); });
    return chain;
  }

  /// Takes the instance that has been free for longest. @returns the unit it is on
  std::uint32_t occupy(double now) {
    const std::uint32_t unit = idle_.pop();
    if (idle_.empty()) idle_time_ += now - idle_since_;
    return unit;
  }
  /// An instance on that unit is free again.
  void release(std::uint32_t unit, double now) {
    if (idle_.empty()) idle_since_ = now;
    idle_.push(unit);
  }

  /// A device has failed: its instances take nothing more.
  void remove_unit(std::uint32_t unit, double now);
  /// It is repaired, and all its instances are free.
  void add_unit(std::uint32_t unit, double now) {
    for (std::uint32_t i = 0; i < model_.at_once; ++i) release(unit, now);
  }
  /// All that wait, which wait no longer, as a chain.
  Batch drain() {
    Batch chain;
    batcher_.clear([&](const auto& waiting) { chain.add(*waiting.request); });
    return chain;
  }
  bool on_unit(std::uint32_t unit) const { return unit >= first_ && unit < first_ + units_; }

  /// Time so far during which an instance was free [s].
  double idle_time(double now) const { return idle_time_ + (idle_.empty() ? 0.0 : now - idle_since_); }
  const HostedModel& model() const { return model_; }
  std::uint16_t number() const { return model_.number; }
  std::uint32_t first_unit() const { return first_; }
  bool instance_free() const { return !idle_.empty(); }
  std::uint64_t waiting() const { return batcher_.size(); }
  /// An instance is free and a request waits.
  bool ready() const { return !idle_.empty() && batcher_.size() > 0; }
  /// A request that comes now is executed at once and alone: the batcher has no part in it.
  bool executes_at_once() const { return sends_alone_ && !idle_.empty() && batcher_.size() == 0; }
  /// Why. @param items  the request's
  SendReason reason_alone(std::uint32_t items) const { return batcher_.reason_alone(items); }
  /// The batcher does things at dates of its own, or forms batches ahead.
  bool has_dates() const { return has_dates_; }

  /// Lets the batcher form what it forms without an instance, and sets the date at which to look again.
  /// @returns true when it leaves waiting what it could send now, which a correct owner never brings about
  bool settle(double now);
  /// The batcher may have timed requests out since the last look at rejected().
  bool may_reject() const { return times_out_; }

  template <class Visit>
  void for_each(Visit&& visit) const {
    batcher_.for_each([&](const auto& waiting) { visit(*waiting.request); });
  }

 private:
  void fire(double now) override;

  Calendar& calendar_;
  QueueOwner& owner_;
  const HostedModel& model_;
  std::uint32_t first_;
  std::uint32_t units_;
  std::size_t place_;
  Batcher<Call*> batcher_;
  bool ahead_;
  bool sends_alone_;
  bool times_out_;
  bool holds_back_;
  bool has_dates_;
  std::optional<std::size_t> source_;  // only of queues that have dates of their own
  double due_ = Calendar::never;       // as the calendar has it; before 0 when that is over
  Ring<std::uint32_t> idle_;           // the units of free instances, the one free for longest first
  double idle_time_ = 0.0;
  double idle_since_ = 0.0;
};

}  // namespace saturn
