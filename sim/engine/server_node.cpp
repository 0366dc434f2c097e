#include "sim/engine/server_node.hpp"

#include <utility>

namespace saturn {

ServerNode::ServerNode(Calendar& calendar, std::uint32_t devices, std::vector<const ServiceLaw*> laws,
                       RandomStream stream, ServiceListener& listener)
    : calendar_(calendar),
      devices_(devices),
      laws_(std::move(laws)),
      stream_(stream),
      listener_(listener),
      source_(calendar.add(*this)) {}

void ServerNode::receive(Call& call, double now) {
  count(now);
  ++meter_.arrivals;
  call.phase_start = now;
  if (busy_ < devices_) {
    start(call, now);
  } else {
    queue_.push(&call);
  }
}

void ServerNode::start(Call& call, double now) {
  ++busy_;
  const double arrived = call.phase_start;
  listener_.service_started(call, now);
  const double work = sample(*laws_[call.model], call.items, stream_).value;
  running_.push(now + work, {&call, arrived, work});
  calendar_.reschedule(source_, running_.top().date);
}

void ServerNode::fire(double now) {
  count(now);
  const InService done = running_.pop();
  --busy_;
  meter_.left(now - done.arrived);
  meter_.work_sum += done.work;
  if (!queue_.empty()) start(*queue_.pop(), now);
  if (!queue_.empty() && busy_ < devices_) ++meter_.idle_while_waiting;
  calendar_.reschedule(source_, running_.empty() ? Calendar::never : running_.top().date);
  listener_.service_finished(*done.call, now);
}

void ServerNode::count(double now) {
  const double elapsed = now - counted_;
  meter_.present_area += static_cast<double>(present()) * elapsed;
  meter_.busy_area += static_cast<double>(busy_) * elapsed;
  counted_ = now;
}

StationMeter ServerNode::meter(double now) const {
  StationMeter meter = meter_;
  const double elapsed = now - counted_;
  meter.present = present();
  meter.present_area += static_cast<double>(present()) * elapsed;
  meter.busy_area += static_cast<double>(busy_) * elapsed;
  for (std::size_t i = 0; i < queue_.size(); ++i) meter.age_sum += now - queue_[i]->phase_start;
  for (const auto& entry : running_.entries()) {
    meter.age_sum += now - entry.value.arrived;
    meter.work_so_far += entry.value.work - (entry.date - now);
  }
  return meter;
}

}  // namespace saturn
