#include "sim/engine/model_queue.hpp"

namespace saturn {

ModelQueue::ModelQueue(Calendar& calendar, QueueOwner& owner, std::uint16_t number, const BatchingRules& rules,
                       std::uint32_t instances, std::uint32_t units)
    : calendar_(calendar),
      owner_(owner),
      number_(number),
      batcher_(rules, instances * units),
      ahead_(rules.dynamic && rules.forming == BatchForming::ahead),
      single_(!rules.dynamic),
      holds_back_(rules.dynamic && rules.max_queue_delay.value > 0.0),
      has_dates_(ahead_ || holds_back_ || (rules.dynamic && rules.queue_policy.timeout)),
      levels_(rules.priority_levels) {
  if (holds_back_ || (rules.dynamic && rules.queue_policy.timeout)) source_ = calendar.add(*this);
  // One instance of every unit before the second of any: requests spread over the devices first.
  for (std::uint32_t i = 0; i < instances; ++i)
    for (std::uint32_t unit = 0; unit < units; ++unit) idle_.push(unit);
}

void ModelQueue::settle(double now) {
  if (ahead_) batcher_.poll(now);
  if (!source_) return;
  // While all instances are busy no date matters, unless batches are formed ahead.
  const bool waits = batcher_.size() > 0 && (instance_free() || ahead_);
  calendar_.reschedule(*source_, waits ? batcher_.next_date() : Calendar::never);
}

void ModelQueue::fire(double now) {
  owner_.queue_due(number_, now);
}

}  // namespace saturn
