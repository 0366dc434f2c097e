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
      times_out_(rules.dynamic && rules.queue_policy.timeout.has_value()),
      holds_back_(rules.dynamic && rules.max_queue_delay.value > 0.0),
      has_dates_(ahead_ || holds_back_ || times_out_),
      levels_(rules.priority_levels) {
  if (holds_back_ || times_out_) source_ = calendar.add(*this);
  // One instance of every unit before the second of any: requests spread over the devices first.
  for (std::uint32_t i = 0; i < instances; ++i)
    for (std::uint32_t unit = 0; unit < units; ++unit) idle_.push(unit);
}

bool ModelQueue::settle(double now) {
  if (ahead_) batcher_.poll(now);
  if (!source_) return ready();
  // While all instances are busy no date matters, unless batches are formed ahead.
  const bool waits = batcher_.size() > 0 && (instance_free() || ahead_);
  const double date = waits ? batcher_.next_date() : Calendar::never;
  if (date != due_) {
    due_ = date;
    calendar_.reschedule(*source_, date);
  }
  return ready() && (!holds_back_ || date <= now);
}

void ModelQueue::fire(double now) {
  due_ = -1.0;
  owner_.queue_due(number_, now);
}

}  // namespace saturn
