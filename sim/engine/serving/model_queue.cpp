#include "sim/engine/serving/model_queue.hpp"

namespace saturn {

ModelQueue::ModelQueue(Calendar& calendar, QueueOwner& owner, const HostedModel& model, std::uint32_t first,
                       std::uint32_t units, std::size_t place)
    : calendar_(calendar),
      owner_(owner),
      model_(model),
      first_(first),
      units_(units),
      place_(place),
      batcher_(model.rules, model.instances * units),
      ahead_(model.rules.dynamic && model.rules.forming == BatchForming::ahead),
      sends_alone_(batcher_.sends_alone()),
      times_out_(model.rules.dynamic && model.rules.queue_policy.timeout.has_value()),
      holds_back_(model.rules.dynamic && model.rules.max_queue_delay.value > 0.0),
      has_dates_(ahead_ || holds_back_ || times_out_) {
  if (holds_back_ || times_out_) source_ = calendar.add(*this);
  // One instance of every unit before the second of any: requests spread over the devices first.
  for (std::uint32_t i = 0; i < model.at_once; ++i)
    for (std::uint32_t unit = first; unit < first + units; ++unit) idle_.push(unit);
}

void ModelQueue::remove_unit(std::uint32_t unit, double now) {
  if (idle_.empty()) return;
  for (std::size_t left = idle_.size(); left > 0; --left)
    if (const std::uint32_t one = idle_.pop(); one != unit) idle_.push(one);
  if (idle_.empty()) idle_time_ += now - idle_since_;
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
  owner_.queue_due(place_, now);
}

}  // namespace saturn
