#include "sim/engine/server_node.hpp"

namespace saturn {

void ServerNode::count(double now) {
  if (now == counted_) return;
  const double elapsed = now - counted_;
  meter_.present_area += static_cast<double>(present_) * elapsed;
  meter_.busy_area += busy_ * elapsed;
  host_meter_.present_area += static_cast<double>(in_host_) * elapsed;
  counted_ = now;
}

StationMeter ServerNode::meter(double now) const {
  StationMeter meter = meter_;
  const double elapsed = now - counted_;
  meter.present = present_;
  meter.present_area += static_cast<double>(present_) * elapsed;
  meter.busy_area += busy_ * elapsed;
  const auto add_age = [&](const Call& call) { meter.age_sum += now - call.admitted; };
  for (const auto& queue : queues_)
    if (queue) queue->for_each(add_age);
  for (const Execution& execution : executions_)
    for (const Call* call = execution.first; call != nullptr; call = call->next) add_age(*call);
  for (const auto& entry : phases_.entries()) {
    const Execution& execution = executions_[entry.value];
    if (!execution.in_host_part) meter.work_so_far += units_[execution.unit].share * (now - execution.running_since);
  }
  const auto add_work = [&](std::uint32_t number, double occupied) {
    meter.work_so_far += units_[executions_[number].unit].share * occupied;
  };
  if (interfering_) interfering_->for_each(now, add_work);
  for (const Unit& unit : units_)
    if (unit.together) unit.together->for_each(now, add_work);
  return meter;
}

double ServerNode::busy_instances_area(std::uint16_t model, double now) const {
  double area = instance_time_[model];
  for (const Execution& execution : executions_)
    if (execution.first != nullptr && execution.model->number == model) area += now - execution.started;
  return area;
}

StationMeter ServerNode::host_meter(double now) const {
  StationMeter meter = host_meter_;
  if (!host_) return meter;
  meter.present = in_host_;
  meter.present_area += static_cast<double>(in_host_) * (now - counted_);
  meter.busy_area = host_->busy_area(now);
  host_->for_each(now, [&](const Call* call, double occupied) {
    meter.age_sum += now - call->arrived;
    meter.work_so_far += occupied;
  });
  return meter;
}

}  // namespace saturn
